"""Receive file system events, as hints of changed files.

Takes the folders to watch; returns Hints, the paths below the root of files and folders that may have changed.
Events may be lost: a caller that must be sure rescans regularly, and whenever a Hint is None.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

from birthmark.sources.git.refs import find_git_folders

# Linux watches single folders, so that ignored ones cost nothing; other systems watch whole trees.
_WATCHES_TREES = not sys.platform.startswith("linux")
_STEP_SECONDS = 0.01
_LONGEST_SECONDS = 2.0  # of waiting for a pause
_LONGEST_BUSY_SECONDS = 10.0


Hint = frozenset[str] | None  # None: events were missed, and any file may have changed


class Listener:
    """Watch some folders of a root; use it as a context manager.

    Changes within `quiet_seconds` of each other, or while git is running, become one Hint. Files whose names `wants`
    rejects are reported, but do not prolong the wait.
    """

    def __init__(self, root: Path, quiet_seconds: float, wants: Callable[[str], bool] = lambda name: True) -> None:
        self.folders: frozenset[str] = frozenset()
        self.error: str | None = None  # the reason that no events can be received
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

    def watch(self, folders: frozenset[str]) -> None:
        """Watch these folders from now on; if one was removed meanwhile, `folders` is empty: rescan."""
        self.close()
        self.folders, self.error = folders, None
        try:
            # The last argument would hide all errors, even the lack of watches.
            self._notify = RustNotify(self._watched(folders), False, False, 0, _WATCHES_TREES, False)
        except (FileNotFoundError, PermissionError):
            self.folders = frozenset()
        except (OSError, WatchfilesRustInternalError) as error:
            self.error = str(error).partition(" about ")[0].rstrip(".")

    def _watched(self, folders: frozenset[str]) -> list[str]:
        """Return the paths to watch; the library accepts only UTF-8."""
        chosen = frozenset({""}) if _WATCHES_TREES else folders
        paths = [self._prefix + folder for folder in sorted(chosen)]
        return [path for path in paths if path == path.encode("utf-8", "ignore").decode()]

    def wait(self, seconds: float) -> Hint:
        """Wait for an event, then for a pause; raise KeyboardInterrupt on a signal."""
        changed = self._read_events(seconds)
        if not changed:
            return None if changed is None else frozenset()
        started = time.monotonic()
        paths = set(changed)
        while time.monotonic() - started < (_LONGEST_BUSY_SECONDS if is_git_busy(self._root) else _LONGEST_SECONDS):
            changed = self._read_events(self._quiet_seconds - 2 * _STEP_SECONDS)  # Events are up to two steps old.
            if changed is None:
                return None
            paths |= changed
            if not any(self._wants(os.path.basename(path)) for path in changed) and not is_git_busy(self._root):
                break
        return frozenset(paths)

    def _read_events(self, seconds: float) -> set[str] | None:
        """Return the paths with events; None if events were lost."""
        if self._notify is None:
            time.sleep(max(seconds, _STEP_SECONDS))
            return set()
        step = int(_STEP_SECONDS * 1000)
        try:
            changed = self._notify.watch(step, step, max(step, int(seconds * 1000)), None)
        except WatchfilesRustInternalError:  # A name that is not UTF-8; no further events follow.
            self.close()
            return None
        if changed == "signal":
            raise KeyboardInterrupt
        return (
            set()
            if isinstance(changed, str)
            else {path for _, name in changed if (path := self._below(name)) is not None}
        )

    def _below(self, name: str) -> str | None:
        """Return the path below the root, if it is in a watched folder."""
        path = name.removeprefix(self._prefix).replace(os.sep, "/")
        is_watched = name.startswith(self._prefix) and os.path.dirname(path) in self.folders
        return path if is_watched else None


def is_git_busy(root: Path) -> bool:
    """Return True while git changes the worktree: its lock exists and is recent."""
    folders = find_git_folders(root)
    if folders is None:
        return False
    with suppress(OSError):
        return time.time() - os.stat(folders.own + b"/index.lock").st_mtime < _LONGEST_BUSY_SECONDS
    return False
