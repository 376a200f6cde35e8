"""A session: a repository, one snapshot of its index, how fresh that is, who asks, and how progress is shown.

A session is opened in one place, passed as an argument, and closed at the end of the request. `FolderSessions` opens a
repository anew for each; `SharedRepositories` keeps several open. What resolves references is imported when it is first
needed: most questions do without.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from birthmark.app.across import ALL_VISIBLE, NoOthers, Others, Visible
from birthmark.app.workspace.freshness import Freshness, RefreshOptions, ShowProgress, find_freshness, show_nothing
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.app.workspace.states import WorktreeState
from birthmark.app.workspace.stores import location_of, no_index
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import BirthmarkError
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import FileNodes, Interior
from birthmark.extraction.placement import place_nodes
from birthmark.extraction.state import RepositoryState
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.store.port import Store

if TYPE_CHECKING:  # An update of the index does not need the graph.
    from birthmark.comparison.state_comparison import StateComparison
    from birthmark.graph.network import Network
    from birthmark.graph.resolve import Resolver
    from birthmark.graph.symbols import Definition
    from birthmark.queries.reach_rules import ReachRules
    from birthmark.queries.snapshot_graph import SnapshotGraph


_NO_DATABASE = "everywhere is in all repositories of a database: name it with --store, and index into it"


class OpenSnapshot:
    """A snapshot of an index with all that was read of it; used by several sessions, one after the other."""

    def __init__(self, workspace: Workspace, store: Store, extractor: Extractor) -> None:
        self.workspace, self.store, self.extractor = workspace, store, extractor
        self._network: Network | None = None
        self._reach_rules: ReachRules | None = None

    @cached_property
    def view(self) -> SnapshotView:
        return SnapshotView(self.store, self.workspace.worktree, self.extractor)

    @cached_property
    def graph(self) -> SnapshotGraph:
        from birthmark.queries.snapshot_graph import SnapshotGraph

        return SnapshotGraph(self.store, self.view.number)

    @cached_property
    def resolver(self) -> Resolver:
        from birthmark.graph.resolve import Resolver

        return Resolver(self.graph, load_registry().resolution_of)

    def network(self, show_progress: ShowProgress) -> Network:
        """Return all edges, brought up to date."""
        from birthmark.app.workspace.edges import open_network

        if self._network is None:
            self._network = open_network(self.workspace, self.store, self.view.snapshot, show_progress)
        return self._network

    def reach_rules(self, show_progress: ShowProgress) -> ReachRules:
        """Return the rules by which tests reach definitions; what they have read is kept."""
        from birthmark.queries.reach_rules import Fixtures, ReachIndex, ReachRules
        from birthmark.queries.test_code import TestFiles

        if self._reach_rules is None:
            network, tests = self.network(show_progress), TestFiles(self.graph)
            fixtures = Fixtures(self.graph, self.resolver, network, tests, self._decorators)
            self._reach_rules = ReachRules(ReachIndex(self.store, self.view.number, network), tests, fixtures)
        return self._reach_rules

    def _decorators(self, path: str) -> Mapping[int, tuple[str, ...]]:
        file = self.view.file(path)
        if file is None:
            return {}
        pairs = zip(file.version.identities, file.outline.entities, strict=True)
        return {identity: entity.decorators for identity, entity in pairs}


class Session:
    """A repository at one moment, and who asks it. What needs the index raises an error if there is none.

    With `prepares`, answers may write to the index what makes the next ones faster.
    """

    def __init__(
        self,
        repository: OpenRepository,
        snapshot: OpenSnapshot | None = None,
        *,
        visible: Visible = ALL_VISIBLE,
        show_progress: ShowProgress = show_nothing,
        prepares: bool = False,
        is_fresh: bool = False,
    ) -> None:
        """`is_fresh` is for those who have just indexed: the worktree is not looked at."""
        self.repository, self.workspace, self._is_fresh = repository, repository.workspace, is_fresh
        self.visible, self.show_progress, self.prepares = visible, show_progress, prepares
        store = repository.store
        fresh = OpenSnapshot(self.workspace, store, repository.extractor) if store is not None else None
        self._snapshot = snapshot or fresh

    @property
    def snapshot(self) -> OpenSnapshot:
        if self._snapshot is None:
            raise no_index(self.workspace)
        return self._snapshot

    @property
    def has_others(self) -> bool:
        """Return whether the index is in a database, which may have other repositories."""
        return bool(location_of(self.workspace).url)

    def others(self, everywhere: bool) -> Others:
        """Return the other repositories to ask: those of the database that are visible, or none."""
        if not everywhere:
            return NoOthers()
        if not self.has_others:
            raise BirthmarkError(_NO_DATABASE)
        from birthmark.app.server_part import across

        return across().ask_others(self, self.visible)

    def require_index(self) -> None:
        """Raise an error if there is no index."""
        assert self.snapshot is not None

    @property
    def store(self) -> Store:
        return self.snapshot.store

    @property
    def view(self) -> SnapshotView:
        return self.snapshot.view

    @property
    def graph(self) -> SnapshotGraph:
        return self.snapshot.graph

    @property
    def resolver(self) -> Resolver:
        return self.snapshot.resolver

    @property
    def network(self) -> Network:
        """All edges of the snapshot, brought up to date."""
        return self.snapshot.network(self.show_progress)

    @property
    def reach_rules(self) -> ReachRules:
        return self.snapshot.reach_rules(self.show_progress)

    @property
    def worktree(self) -> WorktreeState:
        return self.repository.worktree()

    @property
    def state(self) -> RepositoryState:
        """Return the state in which to look up paths."""
        return self.worktree if self.workspace.has_worktree else self.repository.index()

    @property
    def changes(self) -> StateComparison:
        """The changes of the worktree since it was indexed."""
        return self.repository.look.changes

    @property
    def freshness(self) -> Freshness:
        known = None if self._is_fresh else self.repository.freshness
        if known is not None:
            return known
        if self._snapshot is None:
            return Freshness(self.workspace.head if self.workspace.has_git else None, None, [])
        rows = self.store.files_with_problems(self.view.number)
        return find_freshness(self.workspace.head, self.view.snapshot.revision, None, rows)

    def read_nodes(self, file: IndexedFile) -> FileNodes | None:
        """Return a file with its nodes: as they are kept, or read again from the source; None if neither is kept."""
        blob = self.view.blob(file)
        for _, file_nodes in self.repository.extractor.nodes([blob] if blob is not None else []):
            if isinstance(file_nodes, FileNodes):
                return place_nodes(file_nodes, file.path)
            raise BirthmarkError(f"{file.path}: {file_nodes.problem}")
        return None

    def read_interior(self, file: IndexedFile) -> Interior | None:
        """Return what is inside of the definitions of a file, read again from the source."""
        blob = self.view.blob(file)
        for _, interior in self.repository.extractor.interiors([blob] if blob is not None else []):
            if isinstance(interior, Interior):
                return interior
            raise BirthmarkError(f"{file.path}: {interior.problem}")
        return None

    def definition(self, indexed: IndexedEntity) -> Definition:
        from birthmark.queries.snapshot_graph import definition_of

        row = self.store.entities_of(self.view.number, [indexed.identity])[0]
        return definition_of(row)


class Sessions(Protocol):
    """Opens the repository around a folder for a request.

    The index is brought up to date first, unless `refreshes` is false.
    """

    @property
    def folder(self) -> Path: ...

    def open(
        self, *, refreshes: bool = True, visible: Visible = ALL_VISIBLE, show_progress: ShowProgress = show_nothing
    ) -> AbstractContextManager[Session]: ...


@contextmanager
def unopened_session(folder: Path) -> Iterator[Session]:
    """Yield a session without an index, for what writes the index itself."""
    with closing(OpenRepository(find_workspace(folder))) as repository:
        yield Session(repository)


class FolderSessions(NamedTuple):
    """Opens a repository anew for each session, as commands do. Without RefreshOptions nothing is written."""

    folder: Path
    refresh: RefreshOptions | None = None

    @contextmanager
    def open(
        self, *, refreshes: bool = True, visible: Visible = ALL_VISIBLE, show_progress: ShowProgress = show_nothing
    ) -> Iterator[Session]:
        if self.refresh is not None and show_progress is show_nothing:
            show_progress = self.refresh.progress
        with open_repository(self.folder, self.refresh if refreshes else None) as repository:
            yield Session(repository, visible=visible, show_progress=show_progress, prepares=self.refresh is not None)


def open_session(
    folder: Path | None = None,
    refresh: RefreshOptions | None = None,
    *,
    refreshes: bool = True,
    visible: Visible = ALL_VISIBLE,
) -> AbstractContextManager[Session]:
    """Open a session of the repository around a folder: the working folder if none is named."""
    return FolderSessions(folder or Path.cwd(), refresh).open(refreshes=refreshes, visible=visible)
