"""The edges of a whole index: kept, brought up to date, and the same as those that are resolved when asked."""

from __future__ import annotations

import stat
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.app.answers.neighbours import find_users
from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.workspace import edges
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import locked, writing
from birthmark.errors import BirthmarkError
from birthmark.graph.edges import ALL_USES, users
from birthmark.graph.network import EdgeList, Network, NetworkEdge, resolve_file
from birthmark.graph.resolve import Resolver
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.stored_network import ChangedNetwork, Outdated, StoredNetwork, find_outdated
from birthmark.store.model import Snapshot
from birthmark.store.port import Store
from examples import n_examples
from random_sources import MODULES, random_source
from worlds import World

PATHS = (*(f"{module}.py" for module in MODULES), "d/__init__.py", "d/a.py")
SHOP = "class Shop:\n    def open(self): pass\n    def close(self): pass\n"
FILES = {
    "shop.py": SHOP,
    "use.py": "from shop import Shop\n\ndef go(x):\n    Shop().open()\n    x.close()\n",
    "sub.py": "import shop\n\nclass Kiosk(shop.Shop):\n    def open(self): pass\n",
}

Names = dict[int | str, str]


def edges_of(network: Network, names: Names) -> set[tuple[object, ...]]:
    return {(names[edge.user], names[edge.used], *edge[2:6]) for edge in network.all_edges() if edge.used in names}


def resolved_anew(graph: SnapshotGraph, resolver: Resolver) -> EdgeList:
    """Every file by itself, nothing kept."""
    found = [resolve_file(graph, resolver, path) for path in sorted(graph.paths())]
    unsure = [one for file in found for one in file.open_references]
    return EdgeList((edge for file in found for edge in file.edges), unsure)


def names_of(session: Session) -> Names:
    names: Names = {
        held.identity: f"{held.entity.path}::{held.entity.qualified_name}" for held in session.view.entities()
    }
    return names | {path: path for path in session.graph.paths()}


def possible(network: Network, session: Session) -> list[NetworkEdge]:
    identities = [held.identity for held in session.view.entities()]
    return sorted(network.possible_users_of(identities), key=str)


def test_who_uses_it_is_the_same_from_the_network_and_when_asked(tmp_path: Path) -> None:
    world = World(tmp_path, FILES)
    world.index()
    for ref in ("Shop", "Shop.open", "shop.py::Shop.close"):
        with world.session() as session:
            definition = session.definition(world.entity(ref))
            asked = users(session.graph, session.resolver, definition, ALL_USES)
            assert sorted(map(str, find_users(session, ref).edges)) == sorted(map(str, asked))


def test_an_index_without_any_file_has_no_edges(tmp_path: Path) -> None:
    world = World(tmp_path, {"notes.unknown": "no code\n"})
    world.index()
    with world.session() as session:
        assert [*session.network.all_edges()] == []


def test_only_what_may_lead_elsewhere_is_resolved_again(tmp_path: Path) -> None:
    world = World(tmp_path, FILES | {"other.py": "def f(): pass\nf()\n"})
    world.index()
    with world.session() as session:
        assert isinstance(session.network, StoredNetwork)
    world.replace("shop.py", "def open(self)", "def start(self)")
    world.index()
    with world.session() as session:
        outdated = find_outdated(session.store, session.view.snapshot, session.graph)
        assert (outdated.changed, outdated.dependents) == (["shop.py"], ["sub.py", "use.py"])
    world.replace("other.py", "f()\n", "f()\nf()\n")
    world.index()
    with world.session() as session:
        assert len(list(session.network.users_of([world.entity("other.py::f").identity]))) == 2


def test_after_a_change_of_many_files_the_network_is_that_of_a_fresh_resolution(tmp_path: Path) -> None:
    many = range(60)  # more than are resolved without reading all definitions at once
    world = World(tmp_path, {f"m{number}.py": "def f(): pass\n" for number in many})
    world.index()
    with world.session() as session:
        assert [*session.network.all_edges()] == []
    for number in many:
        world.write(f"m{number}.py", "LIMIT = 1\ndef f(): return LIMIT\ndef g(): return f()\n")
    world.index()
    with world.session() as session:
        names = names_of(session)
        found = edges_of(session.network, names)
        assert found == edges_of(resolved_anew(session.graph, session.resolver), names)
        assert len(found) == 2 * len(many)


def test_what_is_out_of_date_is_found_once_for_all_who_read_the_same_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, n_found = World(tmp_path, FILES), 0

    def count(store: Store, snapshot: Snapshot, graph: SnapshotGraph) -> Outdated:
        nonlocal n_found
        n_found += 1
        return find_outdated(store, snapshot, graph)

    monkeypatch.setattr(edges, "find_outdated", count)
    for number in range(2):
        world.write("other.py", f"def f(): return {number}\n")
        world.index()
        counts = []
        for _ in range(3):
            with world.session() as session:
                assert isinstance(session.network, StoredNetwork)
            counts.append(n_found)
        assert counts[1] == counts[2]  # The first one has written what it resolved, so that the second looks again.
    assert n_found == 4


def test_readers_find_a_new_snapshot_only_with_its_edges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world, update, seen = World(tmp_path, FILES), edges.update_network, list[tuple[bool, int]]()
    update_worktree(world)

    def look(changed: str) -> None:
        with world.session() as session:
            graph = session.graph
            is_outdated = bool(find_outdated(session.store, session.view.snapshot, graph))
            seen.append((is_outdated, len(graph.named(changed))))

    def update_and_look(*arguments: Any) -> None:
        look("shut")
        update(*arguments)

    monkeypatch.setattr(edges, "update_network", update_and_look)
    world.replace("shop.py", "close", "shut")
    update_worktree(world)
    look("shut")
    assert seen == [(False, 0), (False, 1)]


def test_an_update_is_kept_though_its_edges_cannot_be_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, FILES)
    update_worktree(world)

    def fail(*arguments: object) -> None:
        raise BirthmarkError("references could not be resolved")

    monkeypatch.setattr(edges, "update_network", fail)
    world.replace("shop.py", "close", "shut")
    with pytest.raises(BirthmarkError, match="could not be resolved"):
        update_worktree(world)
    with world.session() as session:
        assert len(session.graph.named("shut")) == 1


def update_worktree(world: World) -> None:
    with writing(world.workspace, 5) as store:
        index_worktree(store, world.workspace, IndexOptions(1))


def test_an_index_that_cannot_be_written_is_resolved_for_the_question(tmp_path: Path) -> None:
    world = World(tmp_path, FILES)
    world.index()
    lock = world.workspace.home / "lock"
    lock.unlink()
    lock.mkdir(mode=stat.S_IRWXU)  # No process can hold it.
    with world.session() as session:
        network = session.network
        assert isinstance(network, ChangedNetwork)
        assert len(list(network.users_of([world.entity("Shop").identity]))) == 3


def test_what_another_process_resolved_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    world = World(tmp_path, FILES)
    world.index()
    with world.session() as first:
        outdated = find_outdated(first.store, first.view.snapshot, first.graph)
        with world.session() as second:
            assert isinstance(second.network, StoredNetwork)
        assert outdated.generation == 0
        assert find_outdated(first.store, first.view.snapshot, first.graph).generation == 1
        assert isinstance(first.network, StoredNetwork)


files = st.dictionaries(st.sampled_from(PATHS), random_source, min_size=1, max_size=4)


@settings(max_examples=n_examples(12), deadline=None)
@given(st.lists(files, min_size=2, max_size=4))
def test_after_any_edits_the_network_is_that_of_a_fresh_resolution(steps: list[dict[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        for number, step in enumerate(steps):
            for path in PATHS if number % 2 else ():
                if path not in step and (world.root / path).exists():
                    world.remove(path)
            for path, source in step.items():
                world.write(path, source)
            world.index()
            for is_writable in (False, True):
                with world.session() as session:
                    with nullcontext() if is_writable else locked(world.workspace, 1.0):
                        network = session.network
                    assert isinstance(network, StoredNetwork if is_writable else StoredNetwork | ChangedNetwork)
                    check_network(session)


def check_network(session: Session) -> None:
    names, fresh = names_of(session), resolved_anew(session.graph, session.resolver)
    assert edges_of(session.network, names) == edges_of(fresh, names)
    assert possible(session.network, session) == possible(fresh, session)
    for held in session.view.entities():
        definition = session.definition(held)
        assert sorted(fresh.used_by([held.identity]), key=str) == sorted(
            session.network.used_by([held.identity]), key=str
        )
        assert fresh.calls_of(definition) == [*session.network.calls_of(definition)]
