"""The packages of a repository follow its manifests, whatever these say, on both stores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from birthmark.app.workspace.stores import reading, updating
from birthmark.ledger.update import forget_packages, keep_packages
from worlds import World

NAMES = ["shop", "nul\0", "lone \ud800", "x" * 3000, "it's; DROP TABLE packages", ""]


@pytest.fixture
def world(tmp_path: Path, chosen_store: str) -> World:
    return World(tmp_path / "w", {"a.js": "f()\n", "package.json": '{"name": "shop"}'})


def packages_in(world: World) -> list[tuple[str, tuple[str, ...]]]:
    with reading(world.workspace) as store:
        return [(one.name, one.dependencies) for one in store.packages()]


def test_packages_follow_their_manifests(world: World) -> None:
    world.index()
    assert packages_in(world) == [("shop", ())]
    world.write("package.json", '{"name": "shop", "dependencies": {"dates": "1"}}')
    world.write("sub/package.json", '{"name": "part"}')
    world.index()
    assert packages_in(world) == [("shop", ("dates",)), ("part", ())]
    (world.root / "package.json").unlink()
    world.index()
    assert packages_in(world) == [("part", ())]
    world.write("a.js", "g()\n")
    world.index()
    assert packages_in(world) == [("part", ())]


def test_names_that_cannot_be_stored_are_left_out(world: World) -> None:
    for number, name in enumerate(NAMES):
        world.write(f"{number}/package.json", json.dumps({"name": name, "dependencies": {"dates": "1"}}))
        world.write(f"{number}/sub/package.json", json.dumps({"name": "part", "dependencies": {name: "1", "x": "1"}}))
    world.index()
    found, sound = packages_in(world), {"shop", "it's; DROP TABLE packages"}
    assert {name for name, used in found if "dates" in used} == sound
    assert {name for one, used in found if one == "part" for name in used} == sound | {"x"}


def test_an_update_that_was_interrupted_is_made_up_for(world: World) -> None:
    world.index()
    with updating(world.workspace) as store:
        forget_packages(store)
        store.put_packages([])
    world.index()
    assert packages_in(world) == [("shop", ())]
    with updating(world.workspace) as store:
        store.put_packages([])
        keep_packages(store, world.workspace.worktree)  # Nothing has changed, so nothing is read.
    assert packages_in(world) == []
