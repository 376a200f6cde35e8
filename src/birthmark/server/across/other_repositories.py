"""The other repositories of the database in which an index is, each opened as it was last indexed, and closed again.

A repository that the asker may not see is neither opened nor named nor counted, whatever leads to it. A repository that
cannot be asked is named, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cached_property
from pathlib import Path

from birthmark.app.across import Visible, is_visible
from birthmark.app.workspace.commits import make_extractor
from birthmark.app.workspace.edges import open_other_network
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import has_index_at, location_of, open_at, open_directory, open_other_index
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.graph.network import Network
from birthmark.model import Problem
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.server.fleet.catalog import default_mirrors, mirror_of
from birthmark.store.port import Store


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


class OtherRepositories:
    """Opens the others by their names: those that are visible to who asks."""

    def __init__(self, session: Session, visible: Visible) -> None:
        directory = open_directory(session.workspace, visible)
        assert directory is not None, "the session is of a database"
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


@contextmanager
def open_elsewhere(own: OpenRepository, name: str, mirrors: Path | None = None) -> Iterator[OpenRepository]:
    """Open another repository of the database as it was last indexed, for questions about states.

    Where this machine has a fleet's mirror of it, its commits can be read as well; else there is what the index has.
    Contents that subscriptions keep are those of the repository from which it is asked.
    """
    workspace = own.workspace
    location = location_of(workspace)._replace(repository=name)
    if not has_index_at(location):
        raise NotFoundError(f"{name}: the database has no index of this repository")
    with closing(open_at(location)) as store, store.reading():
        mirror = mirror_of(name, mirrors or default_mirrors())
        root = mirror if mirror.is_dir() else workspace.home  # which is no repository
        snapshots = store.snapshots()
        if not snapshots:
            raise NotFoundError(f"{name}: nothing of this repository is indexed yet")
        repository = OpenRepository(Workspace(root, workspace.home, snapshots[0].worktree), store, own.settings)
        with closing(repository):
            yield repository
