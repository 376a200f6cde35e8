"""Choose the events of a history by time or revision and by author.

A time is that of the commit, as in `git log --since`. Authors are matched by git itself, so that no pattern can keep
this process busy for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from birthmark.app.workspace.repository import OpenRepository
from birthmark.sources.git.log import by_author, not_reachable
from birthmark.sources.git.revisions import is_date, parse_date

if TYPE_CHECKING:  # Only histories with users need it.
    from birthmark.app.histories.histories import HistoryEvent
    from birthmark.app.histories.user_histories import UserEvent

EventType = TypeVar("EventType", "HistoryEvent", "UserEvent")
Times = dict[str, int]  # of commits


def select_events(
    repository: OpenRepository, events: Sequence[EventType], since: str | None, until: str | None, author: str | None
) -> list[EventType]:
    """Return the events between two dates or revisions, by authors that match a pattern, in their order."""
    times = {event.commit.id: event.commit.committed_at for event in events}
    kept = set(times)
    if since is not None:
        kept &= later_commits(repository, times, since, from_=0)
    if until is not None:
        kept -= later_commits(repository, times, until, from_=1)
    if author is not None:
        kept &= by_author(repository.git, kept, author)
    return [event for event in events if event.commit.id in kept]


def later_commits(repository: OpenRepository, times: Times, text: str, *, from_: int = 0) -> set[str]:
    """Return the commits that are not in the history of a revision, or some seconds or more later than a date."""
    if repository.git.find(text) is None and is_date(text):
        least = parse_date(repository.git, text) + from_
        return {commit for commit, at in times.items() if at >= least}
    return not_reachable(repository.git, times, repository.revision(text).commit)
