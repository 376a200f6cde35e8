"""Which events of a history are wanted: by time or revision, and by author, as git reads them.

A time is that of the commit, as in `git log --since`. Authors are matched by git itself, so that no pattern can keep
this process busy for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from birthmark.app.workspace.repository import OpenRepository
from birthmark.sources.git.log import Commit, by_author, not_reachable
from birthmark.sources.git.revisions import is_date, parse_date

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
