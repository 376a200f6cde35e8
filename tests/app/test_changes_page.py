"""A page of changes: its order, what is quiet, and comparisons that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.changes import diffing
from birthmark.app.changes.diff_arguments import DiffArguments, read_arguments, read_filter
from birthmark.app.changes.diffing import ChangesPage, keep_comparison, read_changes
from birthmark.app.workspace.repository import open_repository
from birthmark.errors import NotFoundError
from worlds import World

F = "def f(items):\n    return sum(item.price * item.number for item in items)\n"
G = "def g(items):\n    return [item.name.strip().lower() for item in items]\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """In the second commit one file is renamed, in another a function is moved down and one is edited."""
    world = World(tmp_path, {"tests/test_a.py": F, "old.py": G, "b.py": f"{F}\n\n{G}"}, with_git=True)
    world.commit()
    world.move("old.py", "new.py")
    world.write("tests/test_a.py", F.replace("price", "cost"))
    world.write("b.py", f"X = 1\n\n\n{F.replace('price', 'cost')}\n\n{G}")
    world.commit()
    return world


def page(world: World, *changes: str, first: int = 0, most: int = 10) -> ChangesPage:
    with open_repository(world.root) as repository:
        asked = read_arguments(repository, ["HEAD^", "HEAD"], ())
        return read_changes(repository, asked, read_filter((), (), (), changes), first, most)


def places(found: ChangesPage) -> list[str]:
    locations = [change.after or change.before for change in found.described.changes]
    return [f"{one.path}::{one.qualified_name}" for one in locations if one]


def test_sources_come_before_tests(world: World) -> None:
    assert places(page(world)) == ["b.py::X", "b.py::f", "tests/test_a.py::f"]


def test_a_page_is_a_part_of_the_list(world: World) -> None:
    found = page(world, first=1, most=1)
    assert places(found) == ["b.py::f"]
    assert len(found.listed) == 3
    assert found.described.counts["modified"] == 2


def test_what_merely_moved_is_quiet_unless_it_is_asked_for(world: World) -> None:
    found = page(world)
    assert [one.after.path for one in found.quiet if one.after] == ["b.py", "new.py"]
    assert places(page(world, "moved", "relocated")) == ["b.py::g", "new.py::g"]


def test_values_of_filters_are_counted_among_what_passes_the_others(world: World) -> None:
    found = page(world, "added")
    assert found.counts["change"] == {"added": 1, "modified": 2, "moved": 1, "relocated": 1}
    assert sum(found.counts["kind"].values()) == 1


def test_a_comparison_of_commits_is_kept(world: World) -> None:
    with open_repository(world.root) as repository:
        asked = read_arguments(repository, ["HEAD^", "HEAD"], ())
        once = keep_comparison(repository, asked.base, asked.target)
        assert keep_comparison(repository, asked.base, asked.target) is once
        other = keep_comparison(repository, asked.target, asked.base)
        assert other is not once
    world.index()
    with open_repository(world.root) as repository:
        marked = keep_comparison(repository, asked.base, asked.target)
        assert marked is not once  # There are identities now.
        assert marked.identities[1]


def test_only_some_comparisons_are_kept(world: World) -> None:
    commits = [world.commit() for _ in range(6)]
    with open_repository(world.root) as repository:
        for commit in commits:
            keep_comparison(repository, commits[0], commit)
    assert len([key for key in diffing._kept if key[0] == world.root]) <= 4


def test_the_worktree_is_compared_anew(world: World) -> None:
    with open_repository(world.root) as repository:
        head = read_arguments(repository, ["HEAD"], ()).base
        assert keep_comparison(repository, head, None).comparison.changes == []
    world.write("b.py", F)
    with open_repository(world.root) as repository:
        assert keep_comparison(repository, head, None).comparison.changes != []


@pytest.mark.parametrize("words", [["HEAD~1^", "HEAD~1"], ["HEAD~1~", "HEAD~1"], ["HEAD^^!"], ["HEAD~1^..HEAD~1"]])
def test_the_first_commit_is_compared_with_nothing(world: World, words: list[str]) -> None:
    with open_repository(world.root) as repository:
        asked = read_arguments(repository, words, ())
        found = keep_comparison(repository, asked.base, asked.target)
    assert asked.commits[0] is None
    assert found.names[0] == "nothing"
    assert {change.change for change in found.comparison.changes} == {"added"}


@pytest.mark.parametrize("word", ["HEAD~2^", "HEAD~9", "HEAD^^^^"])
def test_what_is_before_that_is_unknown(world: World, word: str) -> None:
    with open_repository(world.root) as repository, pytest.raises(NotFoundError):
        read_arguments(repository, [word, "HEAD"], ())


def test_all_changes_may_go_back_to_nothing(world: World) -> None:
    with open_repository(world.root) as repository:
        asked = read_arguments(repository, ["HEAD", "HEAD~1^"], ())
        found = keep_comparison(repository, asked.base, asked.target)
    assert asked == DiffArguments(asked.base, "nothing")
    assert {change.change for change in found.comparison.changes} == {"deleted"}
