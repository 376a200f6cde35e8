"""Hear from the file system which files may have changed.

Takes the folders to listen in; gives Hints. What is heard may be less than what happened: whoever must be sure looks
again now and then, and whenever a Hint says that something was missed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from birthmark.sources.refs import find_git_folders

# Linux watches a folder at a time, so that ignored ones cost nothing; other systems watch a tree at once.
_WATCHES_TREES = not sys.platform.startswith("linux")
_STEP_SECONDS = 0.01
_LONGEST_SECONDS = 2.0  # of waiting for quiet
_LONGEST_BUSY_SECONDS = 10.0


class Hint(NamedTuple):
    """Files and folders to look at, by their paths below the root; if it is not all, look at everything."""

    paths: frozenset[str] = frozenset()
    is_all: bool = True


class Listener:
    """Listens in some folders of a root; use it as a context manager.

    Changes that follow one another within `quiet_seconds`, or while git is at work, come in one Hint; files whose names
    are not wanted are told, but not waited for.
    """

    def __init__(self, root: Path, quiet_seconds: float, wants: Callable[[str], bool] = lambda name: True) -> None:
        self.folders: frozenset[str] = frozenset()
        self.trouble: str | None = None  # why nothing can be heard
        self._prefix = os.path.join(os.path.realpath(root), "")
        self._root, self._quiet_seconds = root, quiet_seconds
        self._wants = wants
        self._notify: RustNotify | None = None

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._notify is not None:
            self._notify.close()
        self._notify = None

    def listen_in(self, folders: frozenset[str]) -> None:
        """Listen in these folders from now on. If one vanished meanwhile `folders` is left empty: look again."""
        self.close()
        self.folders, self.trouble = folders, None
        try:
            # Its last argument, if true, passes over every error, also that there are no watches left.
            self._notify = RustNotify(self._watched(folders), False, False, 0, _WATCHES_TREES, False)
        except (FileNotFoundError, PermissionError):
            self.folders = frozenset()
        except (OSError, WatchfilesRustInternalError) as error:
            self.trouble = str(error).partition(" about ")[0].rstrip(".")

    def _watched(self, folders: frozenset[str]) -> list[str]:
        """A folder whose name is no UTF-8 cannot be named to the library."""
        chosen = frozenset({""}) if _WATCHES_TREES else folders
        return [self._prefix + folder for folder in sorted(chosen) if _is_text(self._prefix + folder)]

    def wait(self, seconds: float) -> Hint:
        """Wait so long for something to happen, then until it is quiet. Raises KeyboardInterrupt on a signal."""
        heard = self._hear(seconds)
        if not heard:
            return Hint(is_all=heard is not None)
        started = time.monotonic()
        paths = set(heard)
        while time.monotonic() - started < (_LONGEST_BUSY_SECONDS if is_git_busy(self._root) else _LONGEST_SECONDS):
            heard = self._hear(self._quiet_seconds - 2 * _STEP_SECONDS)  # What was heard is up to two steps old.
            if heard is None:
                return Hint(is_all=False)
            paths |= heard
            if not any(self._wants(os.path.basename(path)) for path in heard) and not is_git_busy(self._root):
                break
        return Hint(frozenset(paths))

    def _hear(self, seconds: float) -> set[str] | None:
        """The paths that something happened to; None if we could not hear which."""
        if self._notify is None:
            time.sleep(max(seconds, _STEP_SECONDS))
            return set()
        step = int(_STEP_SECONDS * 1000)
        try:
            heard = self._notify.watch(step, step, max(step, int(seconds * 1000)), None)
        except WatchfilesRustInternalError:  # A name that is no UTF-8 is enough; from then on nothing else comes.
            self.close()
            return None
        if heard == "signal":
            raise KeyboardInterrupt
        return (
            set() if isinstance(heard, str) else {path for _, name in heard if (path := self._below(name)) is not None}
        )

    def _below(self, name: str) -> str | None:
        """The path below the root, if it stands in a folder that we listen in."""
        path = name.removeprefix(self._prefix).replace(os.sep, "/")
        is_ours = name.startswith(self._prefix) and os.path.dirname(path) in self.folders
        return path if is_ours else None


def is_git_busy(root: Path) -> bool:
    """Whether git is changing the worktree: it holds its lock, which is not one that a killed git has left behind."""
    folders = find_git_folders(root)
    if folders is None:
        return False
    with suppress(OSError):
        return time.time() - os.stat(folders.own + b"/index.lock").st_mtime < _LONGEST_BUSY_SECONDS
    return False


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True
