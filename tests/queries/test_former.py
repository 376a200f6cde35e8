"""Whatever once had a name or a path is found by it, in the ledger of an index or of a replayed history."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.answers.indexed_refs import find_former
from small_repositories import make_repository, replay
from worlds import World

ALPHA = "def alpha(basket):\n    return sum(item.price for item in basket) + 7\n"
BETA = ALPHA.replace("alpha", "beta")
OTHER = "class Shop:\n    def alpha(self):\n        return self.name.upper().strip()\n"
# The name, then the file is changed; another of the first name comes and goes.
COMMITS = [
    {"a.py": ALPHA},
    {"a.py": BETA, "shop.py": OTHER},
    {"lib/b.py": BETA, "shop.py": OTHER},
    {"lib/b.py": BETA, "shop.py": "class Shop:\n    pass\n"},
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = make_repository(tmp_path / "w", COMMITS)
    replay(world.root)
    return world


def found(world: World, ref: str) -> list[str]:
    """What each is now, or its deletion; and what it was."""
    with world.session() as session:
        return [
            f"{one.was.event.path}::{one.was.event.qualified_name} "
            + (f"{one.shown.path}::{one.shown.qualified_name}" if one.shown else one.last.event.change)
            for one in find_former(session, ref)
        ]


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        ("alpha", ["a.py::alpha lib/b.py::beta"]),  # A qualified name comes before a simple one.
        ("a.py::alpha", ["a.py::alpha lib/b.py::beta"]),
        ("a.py::beta", ["a.py::beta lib/b.py::beta"]),
        ("lib/b.py::alpha", ["a.py::alpha lib/b.py::beta"]),
        ("a.py:2", ["a.py::beta lib/b.py::beta"]),
        ("Shop.alpha", ["shop.py::Shop.alpha deleted"]),
        ("shop.py::alpha", ["shop.py::Shop.alpha deleted"]),
        ("shop.py::beta", []),
        ("gamma", []),
        ("", []),
        (".", []),
        ("a.py:99", []),
    ],
)
def test_former_names_and_paths(world: World, ref: str, expected: list[str]) -> None:
    assert found(world, ref) == expected


def test_those_that_are_present_come_first(tmp_path: Path) -> None:
    files = {"a.py": ALPHA, "b.py": ALPHA.replace("7", "str(8)").replace("basket", "goods")}
    world = make_repository(tmp_path / "w", [files, {"a.py": ALPHA.replace("alpha", "x"), "b.py": "y = 1\n"}])
    replay(world.root)
    assert found(world, "alpha") == ["a.py::alpha a.py::x", "b.py::alpha deleted"]


def test_names_that_keys_spell_otherwise(tmp_path: Path) -> None:
    world = World(tmp_path / "w", {"v.cpp": "int operator%(V a, V b) { return a.size % b.size; }\n"})
    world.index()
    world.write("v.cpp", "int rest(V a, V b) { return a.size % b.size; }\n")
    world.index()
    assert found(world, "operator%") == ["v.cpp::operator% v.cpp::rest"]
