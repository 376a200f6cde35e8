"""The repositories of a fleet as a server has them: each in its folder on this machine, a few of them open.

Nothing is indexed: `birthmark fleet` does that. Each process looks at a mirror for itself; as long as refs, settings
and index are the same, that takes a few small files and queries, and gives what was found before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Annotated, Generic, NamedTuple, TypeVar

from birthmark.app.serving.shared_repositories import check_worktree
from birthmark.app.workspace.freshness import CheckedWorktree
from birthmark.app.workspace.stores import index_identity, open_index
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.documents.document import Document, doc
from birthmark.server.fleet.catalog import CatalogReader, folder_of, write_name
from birthmark.sources.config import load_settings
from birthmark.sources.git.refs import read_git_state
from birthmark.store.model import Snapshot

Opened = TypeVar("Opened")


class ServedRepository(NamedTuple):
    """By its name in the store; the folder is that of its bare repository, which need not be there yet."""

    name: str
    folder: Path
    indexed: str  # the commit
    ref: str = ""  # that is indexed; empty: that of HEAD


def served_repositories(catalog: CatalogReader, mirrors: Path) -> list[ServedRepository]:
    """All of the catalog, by name."""
    return [ServedRepository(one.name, folder_of(one, mirrors), one.indexed, one.ref) for one in catalog.read()]


class FewOpen(Generic[Opened]):
    """A cache that keeps the `most` recently used repositories open."""

    def __init__(
        self, open_: Callable[[ServedRepository], Opened], close: Callable[[Opened], object], most: int
    ) -> None:
        self._open, self._close, self._most = open_, close, most
        self._opened: OrderedDict[str, Opened] = OrderedDict()
        self._lock = Lock()

    def get(self, repository: ServedRepository) -> Opened:
        with self._lock:
            if repository.name not in self._opened:
                write_name(repository.folder, repository.name, repository.ref)
                self._opened[repository.name] = self._open(repository)
            self._opened.move_to_end(repository.name)
            closed = self._opened.popitem(last=False)[1] if len(self._opened) > self._most else None
            found = self._opened[repository.name]
        if closed is not None:
            self._close(closed)
        return found

    def close(self) -> None:
        with self._lock:
            while self._opened:
                self._close(self._opened.popitem()[1])


class MirrorCheck:
    """The counterpart of `check_worktree` for one mirror."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: tuple[object, CheckedWorktree] | None = None

    def __call__(self, folder: Path, refreshes: bool) -> CheckedWorktree:
        with self._lock:
            state = _read_state(folder)
            if self._known is None or self._known[0] != state:
                self._known = state, check_worktree(folder, refreshes=False)
            return self._known[1]


def _read_state(folder: Path) -> object:
    """Return everything that the result of the check depends on."""
    workspace = find_workspace(folder)
    root = workspace.root
    return workspace, read_git_state(root), load_settings(root), index_identity(workspace), _find_snapshot(workspace)


def _find_snapshot(workspace: Workspace) -> Snapshot | None:
    store = open_index(workspace)
    if store is None:
        return None
    with closing(store):
        return store.snapshot(workspace.worktree)


# Documents


class ServedRepositoryDocument(Document, frozen=True):
    """A repository that a server has."""

    name: str
    address: Annotated[str, doc("the path below which its routes and pages are")]
    indexed: Annotated[str | None, doc("the commit that is indexed; null: none yet")]
    available: Annotated[bool, doc("whether this machine has its mirror; else it cannot be asked here")]


class RepositoriesDocument(Document, frozen=True):
    """All repositories that the token may see, by name."""

    items: list[ServedRepositoryDocument]


def repositories_document(found: list[tuple[ServedRepository, str]]) -> RepositoriesDocument:
    """Each with its address."""
    return RepositoriesDocument(
        [
            ServedRepositoryDocument(one.name, address, one.indexed or None, one.folder.is_dir())
            for one, address in found
        ]
    )
