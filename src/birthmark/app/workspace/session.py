"""An index that is open for questions.

What resolves references is imported when it is first asked for: most questions that open an index do not need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from birthmark.app.across import ALL_VISIBLE, NoOthers, Others, Visible
from birthmark.app.workspace.freshness import Freshness, find_freshness
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.app.workspace.states import WorktreeState
from birthmark.app.workspace.stores import location_of, no_index
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import FileNodes, Interior
from birthmark.extraction.placement import place_nodes
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.store.port import Store

if TYPE_CHECKING:  # What is asked of the graph is imported when it is asked, for an update of the index asks nothing.
    from birthmark.comparison.state_comparison import StateComparison
    from birthmark.graph.network import Network
    from birthmark.graph.resolve import Resolver
    from birthmark.graph.symbols import Definition
    from birthmark.queries.reach_rules import ReachRules
    from birthmark.queries.snapshot_graph import SnapshotGraph


_NO_DATABASE = "everywhere is in all repositories of a database: name it with --store, and index into it"


class Session:
    """A repository at one moment, and who asks it. What needs the index says so when there is none."""

    def __init__(self, repository: OpenRepository, *, is_fresh: bool = False) -> None:
        """`is_fresh` is for those who have just indexed."""
        self.repository, self.workspace, self._is_fresh = repository, repository.workspace, is_fresh
        self.visible: Visible = ALL_VISIBLE

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

    @property
    def store(self) -> Store:
        if self.repository.store is None:
            raise no_index(self.workspace)
        return self.repository.store

    @cached_property
    def view(self) -> SnapshotView:
        return SnapshotView(self.store, self.workspace.worktree, self.repository.extractor)

    @cached_property
    def worktree(self) -> WorktreeState:
        return self.repository.worktree()

    @cached_property
    def changes(self) -> StateComparison:
        """What has changed in the worktree since it was indexed."""
        from birthmark.comparison.state_comparison import StateComparison

        return StateComparison(self.repository.index(), self.worktree, self.repository.family_of)

    @cached_property
    def freshness(self) -> Freshness:
        known = None if self._is_fresh else self.repository.freshness
        if known is not None:
            return known
        rows = self.store.files_with_problems(self.view.number)
        return find_freshness(self.workspace.head, self.view.snapshot.revision, None, rows)

    def forget_worktree(self) -> None:
        """After another look at the worktree; what was answered from the snapshot stays.

        A network that was too far from being up to date may be so now.
        """
        for name in ("worktree", "changes", "freshness"):
            self.__dict__.pop(name, None)
        if self.__dict__.get("network_at_hand", self) is None:
            del self.network_at_hand

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

    @cached_property
    def graph(self) -> SnapshotGraph:
        from birthmark.queries.snapshot_graph import SnapshotGraph

        return SnapshotGraph(self.store, self.view.number)

    @cached_property
    def resolver(self) -> Resolver:
        from birthmark.graph.resolve import Resolver

        return Resolver(self.graph, load_registry().resolution_of)

    @cached_property
    def network(self) -> Network:
        """All edges of the snapshot, brought up to date."""
        from birthmark.app.workspace.edges import open_network

        return open_network(self.workspace, self.store, self.view.snapshot)

    @cached_property
    def network_at_hand(self) -> Network | None:
        """The same if that takes no time; None where most of it would have to be resolved first."""
        from birthmark.app.workspace.edges import FEW, open_network

        return open_network(self.workspace, self.store, self.view.snapshot, most=FEW)

    @cached_property
    def reach_rules(self) -> ReachRules:
        """By which tests are reached; what they have read is kept."""
        from birthmark.queries.reach_rules import Fixtures, ReachIndex, ReachRules
        from birthmark.queries.test_code import TestFiles

        tests = TestFiles(self.graph)
        fixtures = Fixtures(self.graph, self.resolver, self.network, tests, self._decorators)
        return ReachRules(ReachIndex(self.store, self.view.number, self.network), tests, fixtures)

    def _decorators(self, path: str) -> Mapping[int, tuple[str, ...]]:
        file = self.view.file(path)
        if file is None:
            return {}
        pairs = zip(file.version.identities, file.outline.entities, strict=True)
        return {identity: entity.decorators for identity, entity in pairs}

    def definition(self, indexed: IndexedEntity) -> Definition:
        from birthmark.queries.snapshot_graph import definition_of

        row = self.store.entities_of(self.view.number, [indexed.identity])[0]
        return definition_of(row)


@contextmanager
def open_session(
    folder: Path | None = None, *, refreshes: bool = True, visible: Visible = ALL_VISIBLE
) -> Iterator[Session]:
    """Open the repository around a folder for questions of someone who sees some of the other repositories.

    Its index is brought up to date first where a surface wants that, unless `refreshes` is false.
    """
    with open_repository(folder, refreshes=refreshes) as repository:
        if repository.session is None:
            repository.session = Session(repository)
        session, before = repository.session, repository.session.visible
        session.visible = visible
        try:
            yield session
        finally:
            session.visible = before


@contextmanager
def asking(folder: Path | None = None, *, refreshes: bool = True) -> Iterator[Session]:
    """Open a session for questions that need the index."""
    with open_session(folder, refreshes=refreshes) as session:
        if session.repository.store is None:
            raise no_index(session.workspace)
        yield session
