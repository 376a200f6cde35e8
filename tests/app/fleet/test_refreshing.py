"""Bring a fleet up to date: what moved, what failed and when it is tried again; the same rows as single indexes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from postgres_server import fresh_database

from birthmark.app.workspace.stores import reading
from birthmark.app.workspace.workspace import REPOSITORY, STORE, find_workspace
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.stored_network import find_outdated
from birthmark.server.fleet.catalog import FleetRepository, change, folder_of, mark_changed
from birthmark.server.fleet.ray_pool import _ray
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import after_refresh
from birthmark.vocabulary import RefreshResult
from fleets import Fleet, single_rows
from running import birthmark
from worlds import run_git

FILES = {"a.py": "def f():\n    return 1\n"}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    url = fresh_database()
    monkeypatch.setenv(STORE, url)
    monkeypatch.delenv(REPOSITORY, raising=False)
    return Fleet(tmp_path, url)


def test_the_rows_are_those_of_single_indexes(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = [fleet.make(name, seed=number) for number, name in enumerate("abc")]
    assert fleet.run("add", "a", "b", "c").returncode == 0
    assert {one["result"] for one in fleet.refresh("--from-history").values()} == {"indexed"}
    for world in worlds:
        assert fleet.rows(world.root.name) == single_rows(world, fleet.folder, monkeypatch)


def test_only_what_moved_is_indexed(fleet: Fleet) -> None:
    a, _ = fleet.make("a", [FILES]), fleet.make("b", [FILES])
    fleet.run("add", "a", "b")
    first = fleet.refresh("--jobs", "1")
    assert {name: (one["result"], one["read"]) for name, one in first.items()} == {
        "a": ("indexed", 1),
        "b": ("indexed", 1),
    }
    assert sorted(one["extracted"] for one in first.values()) == [0, 1], "the same file is parsed once"
    assert {one["result"] for one in fleet.refresh().values()} == {"unchanged"}
    a.write("a.py", "def f():\n    return 2\n")
    a.git("commit", "-qam", "edit")
    again = fleet.refresh()
    assert {name: one["result"] for name, one in again.items()} == {"a": "indexed", "b": "unchanged"}
    assert again["a"]["commit"] == a.git("rev-parse", "HEAD").strip() == fleet.known("a").indexed


def is_prepared(fleet: Fleet, name: str) -> tuple[bool, bool]:
    """Whether references are resolved, and texts searchable, of what is indexed."""
    workspace = find_workspace(folder_of(fleet.known(name), fleet.mirrors))
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        assert snapshot is not None
        outdated = find_outdated(store, snapshot, SnapshotGraph(store, snapshot.snapshot))
        return not outdated, not store.unsearched_texts(snapshot.snapshot)


def test_answers_are_prepared_unless_that_is_not_wanted(fleet: Fleet) -> None:
    a = fleet.make("a", [FILES])
    fleet.run("add", "a")
    fleet.refresh("--no-prepare")
    assert is_prepared(fleet, "a") == (True, False)
    a.write("b.py", "from a import f\n\n\ndef g():\n    return f()\n")
    a.git("add", ".")
    a.git("commit", "-qm", "add")
    assert fleet.refresh()["a"]["result"] == "indexed"
    assert is_prepared(fleet, "a") == (True, True)


def test_a_replayed_history_goes_on(fleet: Fleet) -> None:
    a = fleet.make("a", [FILES])
    fleet.run("add", "a")
    assert fleet.refresh()["a"]["commits"] == 0
    assert fleet.refresh("--from-history")["a"]["commits"] == 1
    a.write("a.py", "def f():\n    return 2\n")
    a.git("commit", "-qam", "edit")
    assert fleet.refresh()["a"]["commits"] == 1


def test_another_default_branch_is_followed(fleet: Fleet) -> None:
    a = fleet.make("a", [FILES])
    fleet.run("add", "a")
    fleet.refresh()
    a.git("branch", "-qm", "main", "trunk")
    assert fleet.refresh()["a"]["result"] == "indexed"
    assert fleet.known("a").indexed_ref == "refs/heads/trunk"


def test_a_ref_that_was_named_is_indexed(fleet: Fleet) -> None:
    a = fleet.make("a", [FILES, {"b.py": "def g():\n    pass\n"}])
    a.git("branch", "stable", "HEAD~")
    fleet.run("add", "a", "--ref", "refs/heads/stable")
    assert fleet.refresh()["a"]["commit"] == a.git("rev-parse", "stable").strip()
    a.git("branch", "-D", "stable")
    assert "there is no such ref any more" in fleet.refresh()["a"]["problem"]


def test_commands_work_in_a_mirror(fleet: Fleet) -> None:
    fleet.make("a", [FILES])
    fleet.run("add", "a", "--name", "another/name")
    assert fleet.refresh()["name"]["result"] == "indexed"
    (mirror,) = fleet.mirrors.glob("*.git")
    shown = birthmark("-C", str(mirror), "--store", fleet.url, "show", "f", cwd=fleet.folder)
    assert "a.py" in shown.stdout, shown.stderr


def test_a_bare_repository_is_indexed_where_it_is(fleet: Fleet) -> None:
    fleet.make("a", [FILES])
    run_git(fleet.folder, "clone", "-q", "--bare", "a", "bare.git")
    fleet.run("add", "bare.git", "--name", "x/bare")
    assert fleet.refresh()["bare"]["result"] == "indexed"
    assert not fleet.mirrors.exists()


def test_a_failure_holds_up_none_of_the_others_and_is_tried_later(fleet: Fleet) -> None:
    a, _ = fleet.make("a", [FILES]), fleet.make("b", [FILES])
    fleet.run("add", "a", "b")
    shutil.move(a.root, fleet.folder / "away")
    result = fleet.run("refresh", "--mirrors", str(fleet.mirrors), "--exit-code")
    assert result.returncode == 1
    assert "host/team/a: failed: " in result.stdout
    assert "host/team/b: indexed at " in result.stdout
    known = fleet.known("a")
    assert known.failures == 1
    assert known.next_try > 0
    assert known.problem
    assert list(fleet.refresh()) == ["b"], "it is not due"
    assert fleet.refresh("--retry")["a"]["result"] == "failed"
    assert fleet.refresh("host/team/a")["a"]["result"] == "failed"
    assert fleet.known("a").failures == 3
    shutil.move(fleet.folder / "away", a.root)
    mark_changed(fleet.url, "host/team/a")
    assert fleet.refresh("--announced")["a"]["result"] == "indexed"
    assert (fleet.known("a").failures, fleet.known("a").problem, fleet.known("a").changed_at) == (0, "", 0)
    assert fleet.refresh("--announced") == {}


def test_the_state_of_each_is_listed(fleet: Fleet) -> None:
    a, _, _, d = (fleet.make(name, [FILES]) for name in "abcd")
    fleet.run("add", "a", "b", "d")
    run_git(fleet.folder, "clone", "-q", "--bare", "c", "c.git")
    run_git(fleet.folder / "c.git", "remote", "set-url", "origin", "https://host/team/c")
    shutil.rmtree(d.root)
    fleet.refresh()
    fleet.run("add", "c.git")
    assert {name: one["state"] for name, one in fleet.status().items()} == {
        "a": "current",
        "b": "current",
        "c": "new",
        "d": "failed",
    }
    fleet.refresh("host/team/c")
    assert fleet.status()["a"]["commit"] == a.git("rev-parse", "HEAD").strip()
    mark_changed(fleet.url, "host/team/b")
    parent = run_git(fleet.folder / "c.git", "rev-parse", "HEAD").strip()
    tree = run_git(fleet.folder / "c.git", "rev-parse", "HEAD^{tree}").strip()
    commit = run_git(fleet.folder / "c.git", "commit-tree", tree, "-p", parent, "-m", "m").strip()
    run_git(fleet.folder / "c.git", "update-ref", "refs/heads/main", commit)
    states = {name: (one["state"], one["behind"]) for name, one in fleet.status().items()}
    assert states == {"a": ("current", 0), "b": ("behind", 0), "c": ("behind", 1), "d": ("failed", None)}
    table = fleet.run("status", "--mirrors", str(fleet.mirrors))
    assert "host/team/d  failed" in table.stdout
    assert "1 failure, next try 20" in table.stdout
    assert "4 repositories, 1 failed" in table.stderr


def test_an_empty_repository_is_no_failure(fleet: Fleet) -> None:
    (fleet.folder / "a").mkdir()
    run_git(fleet.folder / "a", "init", "-q", "-b", "main")
    run_git(fleet.folder / "a", "remote", "add", "origin", "https://host/team/a")
    fleet.run("add", "a")
    assert fleet.refresh()["a"]["result"] == "empty"
    assert fleet.refresh()["a"]["result"] == "empty"


def test_what_was_removed_is_no_longer_refreshed(fleet: Fleet) -> None:
    fleet.make("a", [FILES])
    fleet.run("add", "a")
    fleet.refresh()
    assert fleet.run("remove", "host/team/nothing").returncode == 2
    assert fleet.run("remove", "host/team/a", "--delete").returncode == 0
    assert fleet.refresh() == {}
    assert fleet.status() == {}
    fleet.run("add", "a")
    assert fleet.refresh()["a"]["result"] == "indexed"


def test_an_index_that_another_program_made_is_made_again(fleet: Fleet) -> None:
    fleet.make("a", [FILES])
    fleet.run("add", "a")
    fleet.refresh()
    change(fleet.url, "host/team/a", lambda known: replace(known, indexed_with="older"))
    assert fleet.refresh()["a"]["result"] == "indexed"


def test_one_name_cannot_be_meant_for_all(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet.make("a", [FILES])
    fleet.run("add", "a")
    monkeypatch.setenv(REPOSITORY, "x")
    result = fleet.run("refresh")
    assert result.returncode == 2
    assert "--repository names one repository" in result.stderr


def test_ray_is_named_where_it_is_missing(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    _ray.cache_clear()
    fleet.make("a", [FILES])
    fleet.run("add", "a")
    result = fleet.run("refresh", "--ray", "auto")
    assert (result.returncode, result.stderr) == (
        2,
        "birthmark: other machines are used through Ray; `pip install 'birthmark[fleet]'`\n",
    )


KNOWN = st.builds(
    FleetRepository,
    name=st.just("n"),
    source=st.just("s"),
    failures=st.integers(0, 20),
    changed_at=st.integers(0, 200),
    problem=st.text(max_size=3),
)


@given(KNOWN, st.lists(st.sampled_from(RefreshResult), min_size=1, max_size=12))
def test_waits_grow_to_a_day_and_end_with_success(known: FleetRepository, results: list[RefreshResult]) -> None:
    waits = [0]
    for result in results:
        known = after_refresh(known, RefreshedRepository(name="n", result=result, problem="p"), 100, 1000)
        is_failed = result is RefreshResult.FAILED
        assert (known.failures > 0, bool(known.problem), known.next_try > 0) == (is_failed,) * 3
        waits = [*waits, known.next_try - 1000] if is_failed else [0]
        assert waits == sorted(waits)
        assert waits[-1] <= 24 * 3600
        assert is_failed or known.changed_at == 0 or known.changed_at > 100
