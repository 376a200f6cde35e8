"""What a history walks and what a replay has written into the ledger are the same, event for event."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.history.commit_pairings import CommitPairings
from examples import n_examples
from random_commits import TREES, A, Edits
from small_repositories import Commit, Files, make_repository, replay
from walked_and_replayed import compare

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="repositories are made with git")


def check_all(root: Path) -> None:
    """Every entity at HEAD."""
    with open_session(root) as session, open_repository(root) as past:
        commit, pairings = past.git.resolve("HEAD"), CommitPairings(past)
        for held in session.view.entities():
            assert compare(past, session, commit, held, pairings) == [], held.entity.qualified_name


def check_commits(root: Path, commits: list[Commit]) -> None:
    make_repository(root, commits)
    replay(root)
    check_all(root)


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
