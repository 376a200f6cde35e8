"""The commits and names there are to choose from, and what a commit says of itself."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.workspace.repository import OpenRepository
from birthmark.sources.git.log import Commit, log_newest, read_message
from birthmark.sources.git.revisions import resolve_revision


class KnownRevisions(NamedTuple):
    """The newest commits of HEAD, branches and tags; nothing, where there is no commit."""

    head: str | None
    branch: str | None
    commits: list[Commit]
    names: list[str]


class CommitMessage(NamedTuple):
    """A commit with its whole message; `parents` are those that this clone has."""

    commit: Commit
    parents: tuple[str, ...]
    message: str


def read_revisions(repository: OpenRepository, most: int) -> KnownRevisions:
    """So many commits and so many names at most."""
    git = repository.git_or_none
    head = git.head() if git is not None else None
    if git is None or head is None:
        return KnownRevisions(None, git.branch() if git is not None else None, [], [])
    commits = [repository.commit(commit) for commit in log_newest(git, head, most)]
    return KnownRevisions(head, git.branch(), commits, sorted(set(git.ref_names())))


def read_commit_message(repository: OpenRepository, revision: str) -> CommitMessage:
    commit = resolve_revision(repository.git, revision)
    message = read_message(repository.git, commit)
    return CommitMessage(repository.commit(commit), repository.parents(commit), message)
