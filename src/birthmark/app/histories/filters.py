"""Choose the events of a history by time or revision and by author, and list the revisions to choose from.

A time is that of the commit, as in `git log --since`. Authors are matched by git itself, so that no pattern can keep
this process busy for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from birthmark.app.workspace.repository import OpenRepository
from birthmark.sources.git.log import Commit, by_author, log_newest, not_reachable, read_message
from birthmark.sources.git.revisions import is_date, parse_date, resolve_revision

Times = dict[str, int]  # of commits


class HistoryFilter(NamedTuple):
    """Dates or revisions between which a commit is, and a pattern for its author; None is any."""

    since: str | None = None
    until: str | None = None
    author: str | None = None


class CommitEvent(Protocol):
    """What a commit did."""

    @property
    def commit(self) -> Commit: ...


EventType = TypeVar("EventType", bound=CommitEvent)


def select_events(repository: OpenRepository, events: Sequence[EventType], wanted: HistoryFilter) -> list[EventType]:
    """Those that are wanted, in their order."""
    times = {event.commit.id: event.commit.committed_at for event in events}
    kept = set(times)
    if wanted.since is not None:
        kept &= later_commits(repository, times, wanted.since, from_=0)
    if wanted.until is not None:
        kept -= later_commits(repository, times, wanted.until, from_=1)
    if wanted.author is not None:
        kept &= by_author(repository.git, kept, wanted.author)
    return [event for event in events if event.commit.id in kept]


def later_commits(repository: OpenRepository, times: Times, text: str, *, from_: int = 0) -> set[str]:
    """The commits that are not in the history of a revision, or some seconds or more later than a date."""
    if repository.git.find(text) is None and is_date(text):
        least = parse_date(repository.git, text) + from_
        return {commit for commit, at in times.items() if at >= least}
    return not_reachable(repository.git, times, repository.revision(text).commit)


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
