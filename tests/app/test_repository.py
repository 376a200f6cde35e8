"""Every command detects languages alike, and a bare repository has states like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.changes.chunk_changes import chunks_since
from birthmark.app.histories.blames import read_blames
from birthmark.app.histories.histories import find_subject, read_history
from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.scans.subscriptions import SubscriptionRequest, subscribe
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.stores import writing
from birthmark.errors import BirthmarkError
from scanning import in_session
from worlds import World, run_git

ODD = "def f(a):\n    return a + 1\n"
TOOL = "#!/usr/bin/env python3\ndef g(a):\n    return a + 1\n"
REFS = ["odd.txt::f", "tool::g"]


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Two commits of a file that is Python by an attribute, and of one that is by its first line."""
    world = World(tmp_path / "world", {"odd.txt": ODD, "tool": TOOL}, with_git=True)
    world.write(".gitattributes", "*.txt linguist-language=Python\n")
    world.commit()
    for path in ("odd.txt", "tool"):
        world.replace(path, "+ 1", "+ 2")
    world.commit()
    return world


@pytest.fixture
def bare(world: World) -> Path:
    run_git(world.root.parent, "clone", "-q", "--bare", str(world.root), "bare.git")
    return world.root.parent / "bare.git"


def test_nothing_differs_on_a_clean_tree(world: World) -> None:
    assert world.diff("HEAD").changes == []
    assert [change.change for change in world.diff("HEAD~1").changes] == ["modified", "modified"]


@pytest.mark.parametrize("ref", REFS)
def test_history_and_blame_know_the_language(world: World, ref: str) -> None:
    with open_repository(world.root) as repository:
        found = read_history(repository, find_subject(repository, ref, "HEAD"))
        blamed = [*read_blames(repository, ref.partition("::")[0], "HEAD")]
    assert [", ".join(event.step.changes) for event in found.events] == ["body change", "introduced"]
    assert len(blamed) == 1


@pytest.mark.parametrize("ref", REFS)
def test_subscribe_knows_the_language_of_a_commit(world: World, ref: str) -> None:
    assert in_session(world.root, subscribe, SubscriptionRequest(ref, at="HEAD~1")).start_line


def test_replay_knows_the_languages_of_each_commit(world: World) -> None:
    world.write(".gitattributes", "")
    world.commit()
    world.write(".gitattributes", "*.txt linguist-language=Python\n")
    world.commit()
    with writing(world.workspace, 0) as store:
        replay_worktree(store, world.workspace, IndexOptions(1))
        index_worktree(store, world.workspace, IndexOptions(1))
    assert world.events("odd.txt::f") == ["born", "modified", "deleted", "revived"]
    assert world.events("tool::g") == ["born", "modified"]


def test_what_a_commit_calls_vendored_is_no_part_of_it(world: World) -> None:
    world.write(".gitattributes", "lib/** linguist-vendored\n")
    world.write("lib/a.py", ODD)
    world.commit()
    with open_repository(world.root) as repository:
        assert "lib/a.py" not in repository.revision("HEAD").paths()
        assert sorted(repository.revision("HEAD").paths()) == sorted(repository.worktree().paths())
    assert world.diff("HEAD").changes == []


def test_a_commit_is_not_listed_for_one_file(world: World) -> None:
    with open_repository(world.root) as repository:
        state = repository.revision("HEAD")
        assert state.file("odd.txt") is not None
        assert state.language("tool") == "python"
        assert "tree" not in vars(state)


def test_a_bare_repository_has_a_past(bare: Path) -> None:
    with open_repository(bare) as repository:
        assert len(read_history(repository, find_subject(repository, "tool::g", "HEAD")).events) == 2
        assert len([*read_blames(repository, "odd.txt", "HEAD")]) == 1
        with pytest.raises(BirthmarkError, match="bare repository, which has no worktree"):
            chunks_since(repository, "HEAD~1")


def test_a_bare_repository_is_replayed(bare: Path) -> None:
    world = World(bare)
    with writing(world.workspace, 0) as store:
        replay_worktree(store, world.workspace, IndexOptions(1))
        assert index_worktree(store, world.workspace).n_files == 2
    assert world.events("odd.txt::f") == ["born", "modified"]
    with world.session() as session:
        assert session.freshness.is_fresh
    assert len(world.diff("HEAD~1", "HEAD").changes) == 2
