"""What a history walks, what a replay has written into the ledger, and what surfaces tell are the same events."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.history.commit_pairings import CommitPairings
from examples import n_examples
from random_commits import TREES, WORKTREE_EDITS, A, B, C, Edits
from small_repositories import Commit, Files, make_repository, replay
from told_stories import check_stories
from walked_and_replayed import compare
from worlds import World

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")


def check_all(root: Path) -> None:
    """Every entity at HEAD."""
    with open_session(root) as session, open_repository(root) as past:
        commit, pairings = past.git.resolve("HEAD"), CommitPairings(past)
        for held in session.view.entities():
            assert compare(past, session, commit, held, pairings) == [], held.entity.qualified_name


def check_commits(root: Path, commits: Sequence[Commit | Files]) -> World:
    world = make_repository(root, commits)
    replay(root)
    check_all(root)
    return world


def check_surfaces(root: Path, commits: Sequence[Commit | Files], worktree: Files | None = None) -> None:
    """At HEAD, and with uncommitted edits that lead to the files of a worktree."""
    world = check_commits(root, commits)
    if worktree is not None:
        for path in root.rglob("*.py"):
            path.unlink()
        for name, text in worktree.items():
            world.write(name, text)
        world.index()
    check_stories(root)


@given(st.lists(TREES, min_size=2, max_size=7))
@settings(max_examples=n_examples(15), deadline=None, suppress_health_check=list(HealthCheck))
def test_any_line_of_commits(tmp_path_factory: pytest.TempPathFactory, trees: list[Files]) -> None:
    check_commits(tmp_path_factory.mktemp("line") / "root", [Commit(files) for files in trees])


@pytest.mark.parametrize("seed", range(6))
def test_edits_as_people_make_them(tmp_path: Path, seed: int) -> None:
    check_commits(tmp_path / "root", Edits(seed).grow(24))


def test_a_type_around_functions_is_removed(tmp_path: Path) -> None:
    body = "def check(self):\n    def inner(value):\n        return value\n    return inner(A, B)\n"
    indented = "class Checks:\n" + "".join(f"    {line}\n" for line in body.splitlines())
    check_commits(tmp_path / "root", [Commit({"a.py": A + indented}), Commit({"a.py": A + body})])


@given(st.integers(0, 1 << 16), st.dictionaries(st.integers(0, 3), st.sampled_from([*WORKTREE_EDITS]), max_size=2))
@settings(
    max_examples=n_examples(6),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],  # A seed cannot be shrunk.
)
def test_every_surface_tells_the_same_story(
    tmp_path_factory: pytest.TempPathFactory, seed: int, edits: dict[int, str]
) -> None:
    commits = Edits(seed).grow(12)
    worktree: dict[str, str] = {}
    for number, (path, text) in enumerate(commits[-1].files.items()):
        worktree |= WORKTREE_EDITS[edits[number]](path, text) if number in edits else {path: text}
    check_surfaces(tmp_path_factory.mktemp("story") / "root", commits, worktree)


STORIES: dict[str, tuple[Sequence[Commit | Files], Files | None]] = {
    "a comment that is not committed": ([{"a.py": A}], {"a.py": f"# Edited.\n{A}"}),
    "another definition has the name of one that is gone": (
        [{"a.py": A}, {"a.py": B}, {"a.py": B.replace("beta", "alpha")}],
        None,
    ),
    "a merge deletes what one side has added": (
        [
            Commit({"x.py": C}),
            Commit({"x.py": C, "a.py": A}, (0,)),
            Commit({"x.py": C, "b.py": B}, (0,)),
            Commit({"x.py": C, "b.py": B}, (1, 2)),
        ],
        None,
    ),
    "edited in the worktree": ([{"a.py": A}], {"a.py": A.replace("* 2", "* 3")}),
    "renamed and moved in the worktree": ([{"a.py": A + B}], {"a.py": A, "b.py": B.replace("beta", "gamma")}),
    "deleted in the worktree": ([{"a.py": A + B}], {"a.py": A}),
    "new in the worktree": ([{"a.py": A}], {"a.py": A, "b.py": B}),
    "split": ([{"a.py": A + B}, {"a.py": A, "b.py": A.replace("alpha", "omega") + B}], None),
    "deleted and back": ([{"a.py": A + B}, {"a.py": B}, {"a.py": B, "pkg/c.py": A}], None),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_story(tmp_path: Path, story: str) -> None:
    check_surfaces(tmp_path / "root", *STORIES[story])
