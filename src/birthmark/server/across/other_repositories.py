"""The other repositories of the database in which an index is, each opened as it was last indexed, and closed again.

What who asks may not see is not there: neither opened nor named nor counted, whatever leads to it. A repository that
cannot be asked is named, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from birthmark.app.across import Visible, is_visible
from birthmark.app.workspace.edges import open_other_network
from birthmark.app.workspace.repository import make_extractor
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import location_of, open_directory, open_other_index
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.graph.edges import Edge
from birthmark.graph.network import Network
from birthmark.model import Problem
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.store.port import Store

_NO_DATABASE = "everywhere is in all repositories of a database: name it with --store, and index into it"


class RepositoryEdges(NamedTuple):
    """Edges to or from another repository, each with the entity there in full; None for the top level of a file."""

    repository: str
    edges: list[tuple[Edge, IndexedEntity | None]]


class OtherRepository:
    """The newest snapshot of a repository."""

    def __init__(self, name: str, store: Store, view: SnapshotView) -> None:
        self.name, self.store, self.view = name, store, view

    @cached_property
    def graph(self) -> SnapshotGraph:
        return SnapshotGraph(self.store, self.view.number)

    @cached_property
    def network(self) -> Network:
        return open_other_network(self.store, self.view.snapshot)

    def hold(self, identities: Iterable[int]) -> dict[int, IndexedEntity]:
        return self.view.hold_all(self.store.entities_of(self.view.number, set(identities)))


def has_others(folder: Path) -> bool:
    """Whether there are other repositories to ask: the index is in a database."""
    return bool(location_of(find_workspace(folder)).url)


class OtherRepositories:
    """Opens the others by their names: those that are visible to who asks."""

    def __init__(self, session: Session, visible: Visible) -> None:
        directory = open_directory(session.workspace, visible)
        if directory is None:
            raise BirthmarkError(_NO_DATABASE)
        self.session, self.directory, self.visible = session, directory, visible
        self.own = location_of(session.workspace).repository
        self.problems: list[Problem] = []

    @contextmanager
    def opened(self, names: Iterable[str]) -> Iterator[list[OtherRepository]]:
        """Several at once."""
        with ExitStack() as stack:
            found = [stack.enter_context(self._opened(name)) for name in names if self._is_other(name)]
            yield [other for other in found if other is not None]

    def each(self, names: Iterable[str]) -> Iterator[OtherRepository]:
        """One after the other, so that few connections are open; the own one is left out."""
        for name in names:
            if self._is_other(name):
                with self._opened(name) as found:
                    if found is not None:
                        yield found

    def each_with(self, identities: Iterable[tuple[str, int]]) -> Iterator[tuple[OtherRepository, list[int]]]:
        """With those of some identities that each has."""
        by_name: dict[str, list[int]] = {}
        for name, identity in identities:
            by_name.setdefault(name, []).append(identity)
        for other in self.each(by_name):
            yield other, by_name[other.name]

    def _is_other(self, name: str) -> bool:
        return name != self.own and is_visible(name, self.visible)

    @contextmanager
    def _opened(self, name: str) -> Iterator[OtherRepository | None]:
        with closing(open_other_index(self.session.workspace, name)) as store, store.reading():
            try:
                found = self._view(name, store)
            except BirthmarkError as error:
                self.problems.append(Problem(name, str(error)))
                found = None
            yield found

    def _view(self, name: str, store: Store) -> OtherRepository | None:
        snapshots = store.snapshots()
        if not snapshots:
            return None
        extractor = make_extractor(self.session.repository.settings, store=store)
        return OtherRepository(name, store, SnapshotView(store, snapshots[0].worktree, extractor))
