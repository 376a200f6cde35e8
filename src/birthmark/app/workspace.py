"""Where an index is.

The index lies in `.birthmark/` at the root of the repository, or of the folder that was indexed. Linked worktrees
share the one of their main worktree; each has its own snapshot in it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.refs import current_branch, current_head, main_root

FOLDER = ".birthmark"
_DATABASES = ("index.db", "subscriptions.db")


class Workspace(NamedTuple):
    """A worktree and the folder of its index."""

    root: Path
    home: Path

    @property
    def worktree(self) -> str:
        """The worktree as the index knows it, which survives that all is moved together."""
        return Path(os.path.relpath(self.root, self.home.parent)).as_posix()

    @property
    def branch(self) -> str:
        return current_branch(self.root) or ""

    @property
    def head(self) -> str | None:
        return current_head(self.root)


def find_workspace(folder: Path) -> Workspace:
    """The nearest folder upwards that is a repository, or has an index or subscriptions; else the folder itself."""
    folder = Path(os.path.abspath(folder))
    if not folder.is_dir():
        raise BirthmarkError(f"{folder}: no such folder; name the root of a repository")
    for parent in (folder, *folder.parents):
        if (parent / ".git").exists():
            return Workspace(parent, main_root(parent) / FOLDER)
        if any((parent / FOLDER / name).exists() for name in _DATABASES):
            return Workspace(parent, parent / FOLDER)
    return Workspace(folder, folder / FOLDER)


def make_home(home: Path) -> None:
    """The index's folder, which git is told to ignore."""
    try:
        home.mkdir(exist_ok=True)
        ignore = home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise BirthmarkError(f"{home}: {error.strerror}; the index needs a folder it may write in") from error
