"""An index that is open for questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from birthmark.app.freshness import Freshness, find_freshness, refresh_before_asking
from birthmark.app.repository import OpenRepository
from birthmark.app.states import WorktreeState
from birthmark.app.stores import reading
from birthmark.app.workspace import Workspace, find_workspace
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import FileNodes, Interior
from birthmark.extraction.placement import place_nodes
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.sources.discover import Discovery
from birthmark.store.port import Store


class Session:
    """The snapshot of a worktree, and what is needed to answer from it."""

    def __init__(
        self,
        workspace: Workspace,
        store: Store,
        *,
        is_fresh: bool = False,
        repository: OpenRepository | None = None,
        problem: str | None = None,
    ) -> None:
        """`is_fresh` is for those who have just indexed; a repository that is already open is used.

        `problem` says why the index could not be brought up to date.
        """
        self.workspace, self.store, self._is_fresh = workspace, store, is_fresh
        self._problem = problem
        self.repository = repository or OpenRepository(workspace, store)
        self.view = SnapshotView(store, workspace.worktree, self.repository.extractor)

    def close(self) -> None:
        self.repository.close()

    @cached_property
    def discovery(self) -> Discovery:
        """What is in the worktree now; nothing in a bare repository."""
        return Discovery([], []) if self.workspace.is_bare else self.repository.discover()

    @cached_property
    def worktree(self) -> WorktreeState:
        return self.repository.worktree(self.discovery)

    @cached_property
    def changes(self) -> StateComparison:
        """What has changed in the worktree since it was indexed."""
        return StateComparison(self.repository.index(), self.worktree, self.repository.family_of)

    @cached_property
    def freshness(self) -> Freshness:
        worktree = None if self._is_fresh or self.workspace.is_bare else self.worktree
        rows, revision = self.store.files(self.view.number), self.view.snapshot.revision
        return find_freshness(self.workspace.head, revision, worktree, rows)._replace(problem=self._problem)

    def read_nodes(self, file: IndexedFile) -> FileNodes | None:
        """A file with its nodes: as they are kept, or read again from the source; None where neither is kept."""
        blob = self.view.blob(file)
        for _, file_nodes in self.repository.extractor.nodes([blob] if blob is not None else []):
            if isinstance(file_nodes, FileNodes):
                return place_nodes(file_nodes, file.path)
            raise BirthmarkError(f"{file.path}: {file_nodes.problem}")
        return None

    def read_interior(self, file: IndexedFile) -> Interior | None:
        """What is inside of the definitions of a file, read again from the source."""
        blob = self.view.blob(file)
        for _, interior in self.repository.extractor.interiors([blob] if blob is not None else []):
            if isinstance(interior, Interior):
                return interior
            raise BirthmarkError(f"{file.path}: {interior.problem}")
        return None

    def entities_of(self, identities: Iterable[int | None]) -> list[IndexedEntity | None]:
        return [None if identity is None else self.view.entity(identity) for identity in identities]

    @cached_property
    def graph(self) -> SnapshotGraph:
        return SnapshotGraph(self.store, self.view.number)

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.graph, load_registry().resolution_of)

    def definition(self, indexed: IndexedEntity) -> Definition:
        row = self.store.entities_of(self.view.number, [indexed.identity])[0]
        return definition_of(row)


@contextmanager
def asking(folder: Path | None = None, *, refreshes: bool = True) -> Iterator[Session]:
    """The index around a folder; brought up to date first where a surface wants that, unless `refreshes` is false."""
    workspace, problem = find_workspace(folder or Path.cwd()), None
    refresh = refresh_before_asking.get() if refreshes else None
    if refresh is not None:
        with _opened(workspace) as session:
            if not session.repository.settings.index.refresh or not session.freshness.can_refresh:
                yield session
                return
            freshness = session.freshness
        problem = refresh(workspace, freshness)
    with _opened(workspace, problem) as session:
        yield session


@contextmanager
def _opened(workspace: Workspace, problem: str | None = None) -> Iterator[Session]:
    with reading(workspace) as store:
        session = Session(workspace, store, problem=problem)
        try:
            yield session
        finally:
            session.close()
