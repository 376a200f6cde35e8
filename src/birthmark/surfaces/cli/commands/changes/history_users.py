"""`history --users`: when users of an entity came and went, commit by commit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from birthmark.app.histories.filters import HistoryFilter, select_events
from birthmark.app.histories.histories import find_subject
from birthmark.app.histories.user_histories import PastUser, UserEvent, UserHistory, read_user_history
from birthmark.documents.changes import user_history_document
from birthmark.surfaces.cli.refresh_option import open_repository
from birthmark.surfaces.cli.terminal.commits import author_width, commit_line, day_of
from birthmark.surfaces.cli.terminal.output import print_json, say
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.progress import progress_bar
from birthmark.surfaces.text import cells, fit_middle, paint, screen
from birthmark.vocabulary import EdgeKind
from birthmark.words import count, lines_of, visible

_INDENT = " " * 14  # under the date
_DELAY = 1.0  # seconds before progress is shown


class UsersShown(NamedTuple):
    """How many commits at most are shown, in which order, and whether as JSON."""

    max_count: int | None
    oldest_first: bool
    as_json: bool


def show_users(ref: str, revision: str | None, wanted: HistoryFilter, shown: UsersShown) -> None:
    with open_repository() as past, progress_bar(_DELAY) as progress:
        found = read_user_history(past, find_subject(past, ref, revision), revision, progress)
        events = select_events(past, found.events, wanted)[: shown.max_count]
        problems = list(past.problems)
    n_all = len(found.events)
    found = found._replace(events=events[::-1] if shown.oldest_first else events)
    for problem in problems:
        say(f"{problem.path}: {problem.problem}")
    if shown.as_json:
        print_json(user_history_document(found))
        return
    if found.n_missing:
        missing = count(found.n_missing, "commit")
        say(f"without {missing} since the last replay; run `birthmark index --from-history`")
    with paging():
        for line in _lines(found, n_all):
            click.echo(line)


def _lines(found: UserHistory, n_all: int) -> Iterator[str]:
    entity = found.target.entity
    place = f"{found.target.path}:{lines_of(entity.start_line, entity.end_line)}"
    yield f"users of {entity.kind} {paint(visible(entity.qualified_name), 'cyan')}  {visible(place)}"
    yield ""
    width = author_width(event.commit for event in found.events)
    for event in found.events:
        yield commit_line(event.commit, width)
        yield from (_user_line("+", user, "green") for user in event.came)
        yield from (_user_line("-", user, "red") for user in event.went)
    yield ("\n" if found.events else "") + _summary(found, n_all)


def _user_line(sign: str, user: PastUser, color: str) -> str:
    """`+ Basket.total  shop/basket.py:12-20  read`; what is done is not said of calls."""
    one = user.definition
    name = visible(one.qualified_name) if one is not None else "top level"
    place = visible(user.path) + (f":{lines_of(one.start_line, one.end_line)}" if one is not None else "")
    kind = "" if user.edge is EdgeKind.CALLS else f"  {user.edge}"
    columns = screen().columns
    used = cells(f"{_INDENT}{sign} {name}  {kind}")
    where = place if columns is None else fit_middle(place, max(columns - used, 8))
    return f"{_INDENT}{paint(f'{sign} {name}', color)}  {where}{paint(kind, 'dim')}"


def _summary(found: UserHistory, n_all: int) -> str:
    now = f"{count(found.n_users, 'user')} now"
    events: list[UserEvent] = found.events
    if not events:
        return (
            f"none of {count(n_all, 'change')} of its users is as asked for; {now}"
            if n_all
            else f"no user is known; {now}"
        )
    came, went = sum(len(event.came) for event in events), sum(len(event.went) for event in events)
    first = min(day_of(event.commit) for event in events)
    return f"{count(len(events), 'commit')} since {first}: {came:,} came, {went:,} went; {now}"
