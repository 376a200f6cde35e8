"""A REF names the same entity for every command: paths from the current folder, lines of the state asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

SOURCE = '''import os


def first(path):
    """Read it."""
    return os.stat(path).st_size + 1


def second(path):
    return first(path) * 2
'''
ABOVE = "def added(count):\n    for number in range(count):\n        print(number)\n\n\n"
HOSTILE = ["", ":", "::", ":::", ":3", "a.py:", "a.py::", f"a.py:{'9' * 5000}", "a.py:999999999", "a.py:0", "a.py:9-3"]
HOSTILE += [
    "a\nb",
    "a.py:1\n",
    "a.py::x\ny",
    "../a.py:3",
    "/a.py:3",
    ".:1",
    "\udce9.py:3",
    f"{'a' * 5000}:3",
    "*::?",
    "->",
    "\udce9",
    "\udce9::f",
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "w", {"a.py": SOURCE, "sub/b.py": SOURCE.replace("path", "name")}, with_git=True)
    world.commit()
    world.index()
    return world


def names(world: World, ref: str, cwd: Path | None = None) -> list[str]:
    """What each command says that a REF names."""
    cwd = cwd or world.root
    shown, resolved = document("show", ref, cwd=cwd), document("resolve", ref, cwd=cwd)["entity"]
    subscribed = document("subscribe", ref, "--entity", cwd=cwd)
    history = document("history", ref, cwd=cwd)["entity"]
    return [
        shown["qualified_name"],
        resolved["qualified_name"],
        subscribed["semantic"]["qualname"],
        history["qualified_name"],
    ]


@pytest.mark.parametrize("ref", ["a.py:2-8", "a.py:4", "a.py:5-6", "a.py::first"])
def test_every_command_finds_the_same(world: World, ref: str) -> None:
    assert names(world, ref) == ["first"] * 4


@pytest.mark.parametrize("ref", ["b.py:4", "b.py::first", "../sub/b.py:4", ":/sub/b.py:4", "./b.py:4"])
def test_paths_are_relative_to_the_current_folder(world: World, ref: str) -> None:
    assert names(world, ref, world.root / "sub") == ["first"] * 4
    shown = document("-C", "sub", "show", ref, cwd=world.root)
    assert (shown["path"], shown["qualified_name"]) == ("sub/b.py", "first")
    (edge,) = document("callers", ref, cwd=world.root / "sub")["results"]
    assert edge["entity"]["qualified_name"] == "second"


def test_what_is_stored_is_named_from_the_root(world: World) -> None:
    """A scan may be started in any folder."""
    folder = world.root / "sub"
    stored = [document("subscribe", ref, cwd=folder)["ref"] for ref in ("b.py:4", "b.py::first", "*.py::f*")]
    assert stored == ["sub/b.py:4", "sub/b.py::first", "sub/**/*.py::f*"]


@pytest.mark.parametrize("is_indexed", [True, False])
def test_lines_are_those_of_the_worktree(world: World, is_indexed: bool) -> None:
    world.write("a.py", ABOVE + SOURCE)
    if is_indexed:
        world.index()
    assert names(world, "a.py:10") == ["first"] * 4
    assert document("history", "a.py:10", "--at", "HEAD", cwd=world.root)["entity"]["qualified_name"] == "second"


def test_a_name_of_the_worktree_is_found_before_it_is_indexed(world: World) -> None:
    mark = world.mark("a.py::first")
    world.replace("a.py", "first", "renamed")
    assert document("show", "a.py::renamed", "--no-refresh", cwd=world.root)["mark"] == mark
    assert document("show", "a.py::first", "--no-refresh", cwd=world.root)["mark"] == mark
    for name in ("first", "renamed"):
        assert (
            document("history", f"a.py::{name}", "--no-refresh", cwd=world.root)["entity"]["qualified_name"] == "first"
        )


def test_what_is_not_committed_or_indexed_yet(world: World) -> None:
    world.write("a.py", ABOVE + SOURCE)
    for command, message in (("history", "is not committed yet"), ("show", "is not indexed yet")):
        result = birthmark(command, "a.py:1", "--no-refresh", cwd=world.root)
        assert (result.returncode, result.stdout) == (2, "")
        assert message in result.stderr


def test_a_block_at_a_line_of_the_worktree(world: World) -> None:
    world.write("c.py", ABOVE)
    world.commit()
    world.write("c.py", "import os\n\n\n" + ABOVE)
    found = document("history", "c.py:5", "--block", cwd=world.root)["entity"]
    assert (found["kind"], found["start_line"]) == ("block", 2)


@pytest.mark.parametrize("ref", ["second", "a.py::second"])
def test_several_of_a_name_are_listed_with_their_lines(world: World, ref: str) -> None:
    world.write(
        "a.py", SOURCE + "\n\nclass Other:\n    def second(self):\n        return 3\n\n\ndef second():\n    return 4\n"
    )
    world.index()
    for command in ("show", "callers", "history", "subscribe"):
        result = birthmark(command, ref, cwd=world.root)
        assert result.returncode == 2
        assert "a.py:9" in result.stderr


def test_names_with_colons_and_stars(world: World) -> None:
    world.write("v.cpp", "namespace ns {\nint operator*(int a, V b) { return a * b.size; }\nint f() { return 1; }\n}\n")
    world.index()
    found = [document("show", f"v.cpp::{name}", cwd=world.root)["start_line"] for name in ("f", "operator*")]
    assert found == [3, 2]


@pytest.mark.parametrize("ref", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("command", ["show", "callers", "history", "subscribe"])
def test_hostile_refs_get_one_line(world: World, command: str, ref: str) -> None:
    result = birthmark(command, "--", ref, cwd=world.root)
    if command == "subscribe" and (result.returncode, ref) == (0, "*::?"):
        return  # which is a pattern that matches nothing yet
    assert (result.returncode, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
