"""What `resolve` tells of a life: what `history` tells, and what only the worktree has, as one event at the end."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from running import birthmark, document
from small_repositories import make_repository
from worlds import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")

ONE = "def total(prices):\n    return sum(price for price in prices if price)\n"
TWO = ONE.replace("sum(", "max(")
THREE = ONE.replace("sum(", "min(")
OTHER = "def other(value):\n    return [value, value + 1, value + 2, value + 3]\n"


def told(world: World, ref: str = "total") -> list[tuple[str, str | None]]:
    found = document("resolve", ref, cwd=world.root)
    return [(event["change"], event["revision"] and event["subject"]) for event in found["events"]]


def walked(world: World, ref: str = "total") -> list[tuple[str, str]]:
    found: dict[str, Any] = document("history", ref, cwd=world.root)
    return [(event["commit"], event["changes"][0]) for event in reversed(found["events"])]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_repository(tmp_path / "root", [{"a.py": ONE}, {"a.py": TWO}])


def replayed(world: World) -> World:
    birthmark("index", "--from-history", cwd=world.root)
    return world


def test_edits_in_the_worktree_that_are_taken_back_are_no_events(world: World) -> None:
    birthmark("index", cwd=world.root)
    before = told(world)
    for text in (THREE, TWO, THREE, TWO):
        world.write("a.py", text)
        birthmark("index", cwd=world.root)
    assert told(world) == before


def test_several_edits_in_the_worktree_are_one_event_that_no_commit_has(world: World) -> None:
    birthmark("index", cwd=world.root)
    for text in (ONE, THREE, THREE.replace("price", "cost")):
        world.write("a.py", text)
        birthmark("index", cwd=world.root)
    assert [change for change, _ in told(world)] == ["born", "modified"]
    assert told(world)[-1][1] is None
    assert "not committed" in birthmark("resolve", "total", cwd=world.root).stdout


@pytest.mark.parametrize(
    ("edit", "change"),
    [
        ({"a.py": THREE}, "modified"),
        ({"a.py": TWO.replace("total", "sum_up")}, "renamed"),
        ({"b.py": TWO}, "relocated"),
    ],
)
def test_after_a_replay_the_worktree_is_compared_with_head(world: World, edit: dict[str, str], change: str) -> None:
    mark = document("resolve", "total", cwd=replayed(world).root)["mark"]
    for path, text in edit.items():
        world.remove("a.py")
        world.write(path, text)
    assert [one for one, _ in told(world, mark)] == ["born", "modified", change]
    assert told(world, mark)[-1][1] is None


def test_what_the_worktree_deletes_is_deleted_by_no_commit(world: World) -> None:
    replayed(world)
    world.write("a.py", OTHER)
    assert [change for change, _ in told(world)] == ["born", "modified", "deleted"]
    assert told(world)[-1][1] is None


@pytest.mark.parametrize("is_replayed", [True, False])
def test_a_history_goes_on_before_a_deletion(tmp_path: Path, is_replayed: bool) -> None:
    commits = [{"a.py": ONE + OTHER}, {"a.py": TWO + OTHER}, {"a.py": OTHER}, {"a.py": OTHER + TWO}]
    world = make_repository(tmp_path / "root", commits)
    if is_replayed:
        replayed(world)
        changes = [change for change, _ in told(world)]
        assert changes == ["born", "modified", "deleted", "revived"]
    assert [word for _, word in walked(world)] == ["introduced", "body change", "deleted", "came back"]


@pytest.mark.parametrize("is_replayed", [True, False])
def test_a_file_that_is_deleted_comes_back_elsewhere(tmp_path: Path, is_replayed: bool) -> None:
    small = "RATE = 2\n"
    commits = [{"a.py": small + ONE}, {"c.py": OTHER}, {"c.py": OTHER, "d/b.py": small + ONE}]
    world = make_repository(tmp_path / "root", commits)
    if is_replayed:
        replayed(world)
    for ref in ("total", "RATE"):
        assert [word for _, word in walked(world, ref)] == ["introduced", "deleted", "came back"]


def test_resolve_and_history_name_the_same_commits(world: World) -> None:
    replayed(world)
    found = document("resolve", "total", cwd=world.root)
    assert [event["revision"] for event in found["events"]] == [commit for commit, _ in walked(world)]
    dates = [event["date"] for event in document("history", "total", cwd=world.root)["events"]]
    assert [event["date"] for event in found["events"]] == dates[::-1]


def test_commits_since_the_replay_are_told_as_well(world: World) -> None:
    replayed(world)
    world.write("a.py", THREE)
    world.git("commit", "-qam", "third")
    assert told(world)[-1] == ("modified", "third")


@pytest.mark.parametrize("is_replayed", [True, False])
def test_a_shallow_clone_does_not_tell_what_its_first_commit_introduced(world: World, is_replayed: bool) -> None:
    world.write("b.py", OTHER)
    world.git("add", "-A")
    world.git("commit", "-qm", "third")
    world.git("clone", "-q", "--depth", "2", f"file://{world.root}", str(world.root.parent / "shallow"))
    clone = World(world.root.parent / "shallow")
    birthmark("index", *(["--from-history"] if is_replayed else []), cwd=clone.root)
    for ref, is_boundary in (("total", True), ("other", False)):
        (event,) = document("history", ref, cwd=clone.root)["events"]
        assert (event["changes"], event["is_boundary"]) == (["introduced"], is_boundary)
        assert document("resolve", ref, cwd=clone.root)["events"][0]["is_boundary"] == (is_boundary and is_replayed)
        (blamed,) = document("blame", event["after"]["path"], cwd=clone.root)
        assert blamed["is_boundary"] == is_boundary
        commands = [("history", ref), ("blame", event["after"]["path"]), *([("resolve", ref)] if is_replayed else [])]
        for command in commands:
            assert ("history ends here (shallow clone)" in birthmark(*command, cwd=clone.root).stdout) == is_boundary
