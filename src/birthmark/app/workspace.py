"""Where an index is, and how it is opened.

The index lies in `.birthmark/` at the root of the repository, or of the folder that was indexed. Linked worktrees
share the one of their main worktree; each has its own snapshot in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.refs import current_branch, current_head, main_root
from birthmark.store.lock import writer_lock
from birthmark.store.log import LedgerLog
from birthmark.store.sqlite import SqliteStore

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
    def database(self) -> Path:
        return self.home / "index.db"

    @property
    def log(self) -> LedgerLog:
        return LedgerLog(self.home / "ledger.log")

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


@contextmanager
def reading(workspace: Workspace) -> Iterator[SqliteStore]:
    """The index, for asking."""
    if not workspace.database.exists():
        advice = "run `birthmark doctor`" if workspace.log.size() else "run `birthmark index` first"
        raise BirthmarkError(f"{workspace.root}: there is no index; {advice}")
    store = SqliteStore(workspace.database)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def writing(workspace: Workspace, wait_seconds: float) -> Iterator[SqliteStore]:
    """The index, for bringing it up to date; made if there is none."""
    make_home(workspace.home)
    with writer_lock(workspace.home / "lock", wait_seconds):
        if not workspace.database.exists() and workspace.log.size():
            raise BirthmarkError(f"{workspace.database} is missing, its ledger is not; run `birthmark doctor`")
        store = SqliteStore(workspace.database, workspace.log, writable=True)
        try:
            yield store
        finally:
            store.close()


def make_home(home: Path) -> None:
    """The index's folder, which git is told to ignore."""
    try:
        home.mkdir(exist_ok=True)
        ignore = home / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", "utf-8")
    except OSError as error:
        raise BirthmarkError(f"{home}: {error.strerror}; the index needs a folder it may write in") from error
