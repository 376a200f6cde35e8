"""Decide which files and folders are ignored.

Takes the `.gitignore` and `.birthmarkignore` files from the root down; returns a Verdict on an entry. Every
`.birthmarkignore` has precedence over every `.gitignore`; within each kind the deeper file and the later line win.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple, Self

from birthmark.sources.globs import Glob, literal_start, match_globs, read_glob
from birthmark.sources.worktree import read_start

_MAX_BYTES = 1 << 20
OWN_FILE = b".birthmarkignore"


class Verdict(IntEnum):
    """The decision about an entry, by the kind of file that ignores it."""

    KEPT = 0
    HIDDEN = 1  # by git; a `.birthmarkignore` may still include something inside it
    CLOSED = 2  # by a `.birthmarkignore`


class IgnoreFile:
    """The lines of the ignore file in a folder: patterns, each with True if it includes its matches again.

    The folder is a path below the root that ends with a slash.
    """

    def __init__(self, lines: Sequence[tuple[Glob, bool]], folder: bytes) -> None:
        self._lines = lines
        self._folder = folder
        self._matches = match_globs([glob for glob, _ in lines], folder)

    def ignores(self, name: bytes, path: bytes, is_folder: bool) -> bool | None:
        """Return True if an entry is ignored, None if no line matches it."""
        matches = self._matches(name, path, is_folder)
        return not self._lines[matches[0]][1] if matches else None

    @cached_property
    def inside_hidden(self) -> IgnoreFile:
        """Return the lines that apply inside a folder that git ignores: no negations without a path."""
        return IgnoreFile(
            [(glob, negated) for glob, negated in self._lines if not (negated and glob.is_bare)], self._folder
        )

    def reaches_into(self, path: bytes) -> bool:
        """Return True if a negation may match something inside a folder, by its literal prefix and depth."""
        folder = path[len(self._folder) :] + b"/"
        return any(_reaches(glob.text, folder) for glob in self._negated_paths)

    @cached_property
    def _negated_paths(self) -> list[Glob]:
        return [glob for glob, negated in self._lines if negated and not glob.is_bare]


class Ignores(NamedTuple):
    """The ignore files that apply in a folder, the deepest first."""

    git: tuple[IgnoreFile, ...] = ()
    own: tuple[IgnoreFile, ...] = ()

    def extended(self, folder: bytes, git_lines: Sequence[bytes], own_lines: Sequence[bytes]) -> Self:
        git, own = (_read_ignore_file(lines, folder) for lines in (git_lines, own_lines))
        return self._replace(git=git + self.git, own=own + self.own) if git or own else self

    def judge(self, name: bytes, path: bytes, is_folder: bool, in_hidden: bool) -> Verdict:
        for file in self.own:
            is_ignored = (file.inside_hidden if in_hidden else file).ignores(name, path, is_folder)
            if is_ignored is not None:
                return Verdict.CLOSED if is_ignored else Verdict.KEPT
        if in_hidden:
            return Verdict.HIDDEN
        for file in self.git:
            is_ignored = file.ignores(name, path, is_folder)
            if is_ignored is not None:
                return Verdict.HIDDEN if is_ignored else Verdict.KEPT
        return Verdict.KEPT

    def include(self, name: bytes, path: bytes, is_folder: bool, in_hidden: bool = False) -> bool:
        """Return True if a line of a `.birthmarkignore` includes an entry again."""
        for file in self.own:
            is_ignored = (file.inside_hidden if in_hidden else file).ignores(name, path, is_folder)
            if is_ignored is not None:
                return not is_ignored
        return False

    def reach_into(self, path: bytes) -> bool:
        return any(file.reaches_into(path) for file in self.own)


def own_ignores(root: Path) -> Callable[[bytes], Ignores]:
    """Return a function that finds the `.birthmarkignore` files for a folder of a worktree; it ends with a slash."""

    @cache
    def ignores_in(folder: bytes) -> Ignores:
        above = ignores_in(folder[: folder[:-1].rfind(b"/") + 1]) if folder else Ignores()
        return above.extended(folder, [], read_rules(os.path.join(os.fsencode(root), folder, OWN_FILE)))

    return ignores_in


def read_rules(path: bytes) -> list[bytes]:
    """Read the lines of an ignore or attributes file; none if it is a link or unreadable."""
    return split_rules(read_start(path, _MAX_BYTES, follow_links=False))


def split_rules(text: bytes) -> list[bytes]:
    lines = text[:_MAX_BYTES].removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [line.removesuffix(b"\r").split(b"\0", 1)[0] for line in lines]


def _read_ignore_file(lines: Sequence[bytes], folder: bytes) -> tuple[IgnoreFile, ...]:
    read = [line for line in map(_read_line, lines) if line is not None]
    return (IgnoreFile(read, folder),) if read else ()


def _read_line(line: bytes) -> tuple[Glob, bool] | None:
    if not line or line.startswith(b"#"):
        return None
    line = _trim(line)
    glob = read_glob(line.removeprefix(b"!"))
    return None if glob is None else (glob, line.startswith(b"!"))


def _trim(line: bytes) -> bytes:
    """Remove trailing spaces, except one that is escaped by a backslash."""
    trimmed = line.rstrip(b" ")
    n_backslashes = len(trimmed) - len(trimmed.rstrip(b"\\"))
    return line[: len(trimmed) + n_backslashes % 2]


def _reaches(text: bytes, folder: bytes) -> bool:
    start = literal_start(text)
    start = start[: start.rfind(b"/") + 1]
    is_deep_enough = b"**" in text or folder.count(b"/") <= text.count(b"/")
    return is_deep_enough and (folder.startswith(start) or start.startswith(folder))
