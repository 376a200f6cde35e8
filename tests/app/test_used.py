"""What something uses, and how neighbours are grouped."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.answers.neighbours import find_used, find_users, group_by_end, is_test_edge
from birthmark.app.answers.structure import choose_depth
from worlds import World

BASE = "class Base:\n    pass\n\n\ndef helper():\n    return 1\n"
USER = (
    "from base import Base, helper\n\n\n"
    "class Child(Base):\n    pass\n\n\n"
    "def use():\n    helper()\n    return [helper, Child, helper()]\n"
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"base.py": BASE, "user.py": USER, "tests/test_use.py": USER.replace("use()", "test_it()")})
    world.index()
    return world


def used(world: World, ref: str, *words: str) -> set[tuple[str, str]]:
    with world.session() as session:
        edges = find_used(session, ref, words).edges
    return {(str(edge.edge), edge.target.qualified_name) for edge in edges if edge.target}


def test_calls_and_other_uses_are_what_it_uses(world: World) -> None:
    assert used(world, "user.py::Child") == {("inherits", "Base")}
    assert ("calls", "helper") in used(world, "user.py::use")


def test_words_narrow_what_it_uses(world: World) -> None:
    assert used(world, "user.py::use", "calls") == {("calls", "helper")}
    assert used(world, "user.py::Child", "calls") == set()
    assert used(world, "user.py::Child", "subclasses") == {("inherits", "Base")}


def test_uses_of_one_neighbour_are_together(world: World) -> None:
    with world.session() as session:
        edges = find_users(session, "base.py::helper").edges
    groups = group_by_end(edges, "source")
    assert sorted(map(len, groups)) == sorted(
        len([edge for edge in edges if (edge.source, edge.source_path) == end])
        for end in {(edge.source, edge.source_path) for edge in edges}
    )
    assert {is_test_edge(group[0]) for group in groups if group[0].source_path == "user.py"} == {False}
    assert {is_test_edge(group[0]) for group in groups if group[0].source_path == "tests/test_use.py"} == {True}


@pytest.mark.parametrize(("most", "depth"), [(100, 3), (4, 2), (2, 1), (1, 1)])
def test_folders_are_as_deep_as_leaves_few(tmp_path: Path, most: int, depth: int) -> None:
    paths = ["a/b/c/x.py", "a/b/d/x.py", "a/e/x.py", "f/g/x.py", "f/h/i/x.py"]
    world = World(tmp_path, dict.fromkeys(paths, "X = 1\n"))
    world.index()
    with world.session() as session:
        assert choose_depth(session, None, most) == depth
