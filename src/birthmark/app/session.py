"""An index that is open for questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from birthmark.app.files import name_file
from birthmark.app.freshness import Freshness, find_freshness, refresh_before_asking
from birthmark.app.repository import OpenRepository
from birthmark.app.states import WorktreeState
from birthmark.app.stores import has_index, reading
from birthmark.app.workspace import Workspace, find_workspace
from birthmark.comparison.state_comparison import StateComparison
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import FileNodes, Interior
from birthmark.extraction.placement import place_nodes
from birthmark.extraction.state import content_id_of
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.sources.discover import Discovery
from birthmark.sources.worktree import read_file
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
        return next(self._read_nodes([file]), None)

    def read_interior(self, file: IndexedFile) -> Interior | None:
        """What is inside of the definitions of a file, read again from the source."""
        blob = self.view.blob(file)
        for _, interior in self.repository.extractor.interiors([blob] if blob is not None else []):
            if isinstance(interior, Interior):
                return interior
            raise BirthmarkError(f"{file.path}: {interior.problem}")
        return None

    def read_all_nodes(self) -> Iterator[FileNodes]:
        """Every indexed file with its nodes; those that are kept come first."""
        return self._read_nodes(self.view.files(), passes_over=True)

    def _read_nodes(self, files: Iterable[IndexedFile], *, passes_over: bool = False) -> Iterator[FileNodes]:
        blobs = (blob for file in files if (blob := self.view.blob(file)) is not None)
        for blob, file_nodes in self.repository.extractor.nodes(blobs):
            if isinstance(file_nodes, FileNodes):
                yield place_nodes(file_nodes, blob.path)
            elif not passes_over:
                raise BirthmarkError(f"{blob.path}: {file_nodes.problem}")

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


def indexed_entities(path: Path) -> list[IndexedEntity] | None:
    """The indexed entities of a file, if there is an index that has the file as it is."""
    if not has_index(find_workspace(path.parent)):
        return None
    with asking(path.parent, refreshes=False) as session:
        found = _entities_in(session, path)
    if found is None and refresh_before_asking.get() is not None:
        with asking(path.parent) as session:
            return _entities_in(session, path)
    return found


def _entities_in(session: Session, path: Path) -> list[IndexedEntity] | None:
    name = name_file(path)
    row = session.view.row(name)
    if row is None or row.version is None or row.problem:
        return None
    content = read_file(path, session.repository.settings.limits.max_bytes)
    return session.view.entities_in(name) if content_id_of(content) == row.content else None


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
