"""Commits, branches and tags to choose from, and what a commit says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.workspace.session import open_session
from birthmark.documents.changes import RevisionsDocument
from birthmark.errors import NotFoundError
from birthmark.questions.history import CommitMessage, Revisions
from worlds import World


def test_newest_commits_branches_and_tags(tmp_path: Path) -> None:
    world = World(tmp_path, with_git=True)
    commits = [world.commit() for _ in range(3)]
    world.git("tag", "v1")
    world.git("branch", "side")
    with open_session(tmp_path) as session:
        found = Revisions(limit=2).answer(session)
    assert (found.head, found.branch, found.names) == (commits[2], "main", ["main", "side", "v1"])
    assert [commit.commit for commit in found.commits] == [commits[2], commits[1]]


@pytest.mark.parametrize(("with_git", "branch"), [(True, "main"), (False, None)])
def test_where_there_is_no_commit(tmp_path: Path, with_git: bool, branch: str | None) -> None:
    World(tmp_path, {"a.py": "A = 1\n"}, with_git=with_git)
    with open_session(tmp_path) as session:
        assert Revisions().answer(session) == RevisionsDocument(None, branch, [], [])


def test_the_message_is_what_is_below_the_subject(tmp_path: Path) -> None:
    world = World(tmp_path, with_git=True)
    world.git("commit", "-q", "--allow-empty", "-m", "One\nsubject\n\nFirst line.\n\n  Second \xe9 line.\n")
    first = world.git("rev-parse", "HEAD")
    world.git("-c", "i18n.commitEncoding=latin-1", "commit", "-q", "--allow-empty", "-m", "Two")
    with open_session(tmp_path) as session:
        one, two = (CommitMessage(revision=revision).answer(session) for revision in ("HEAD^", "HEAD"))
        with pytest.raises(NotFoundError):
            CommitMessage(revision="nowhere").answer(session)
    assert (one.subject, one.message, one.parents) == ("One subject", "First line.\n\n  Second \xe9 line.", [])
    assert (two.message, two.parents) == ("", [first])
