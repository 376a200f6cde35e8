"""`history` and `blame`: what each commit did to a definition, and who last changed those of a file or folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import click

from birthmark.app.workspace.session import Session
from birthmark.documents.changes import (
    BlameDocument,
    HistoryDocument,
    HistoryEventDocument,
    PastUserDocument,
    UserHistoryDocument,
)
from birthmark.documents.parts import LocationDocument, PatchDocument
from birthmark.questions.history import Blame, History
from birthmark.questions.question import make_question
from birthmark.surfaces.cli.question_command import Values, question_command, values_of
from birthmark.surfaces.cli.terminal.commits import (
    author_width,
    commit_line,
    day_of,
    patch_lines,
    stat,
)
from birthmark.surfaces.cli.terminal.derivation_words import describe_sources
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.formats.event_words import ENDS_HERE, describe_former, describe_step, list_changes
from birthmark.surfaces.text import cells, fit, fit_middle, paint, screen, wrap_clauses
from birthmark.vocabulary import EdgeKind, HistoryChange
from birthmark.words import count, lines_of, short, visible

_INDENT = " " * 14  # under the date
_PATCH_INDENT = " " * 4
_ALL = click.Option(["--all"], is_flag=True, help="Also list changes of only comments or formatting.")


def _build_history(session: Session, given: Values) -> History:
    """JSON has changes of only comments or formatting in any case."""
    is_all = given["all"] or given["form"] is not None
    return make_question(History, values_of(History, given) | {"cosmetic": is_all})


def _show_history(asked: History, found: HistoryDocument | UserHistoryDocument, *, all: bool) -> None:  # noqa: A002
    if isinstance(found, UserHistoryDocument):
        _show_users(found)
        return
    for line in _header(asked, found):
        click.echo(line)
    width = author_width(found.events)
    patches = [event.patch for event in found.events if isinstance(event.patch, PatchDocument)]
    longest = max((patch.added + patch.removed for patch in patches), default=0)
    for event in found.events:
        click.echo(commit_line(event, width))
        for line in _describe(event, found.entity.qualified_name if asked.members else None):
            click.echo(line)
        if isinstance(event.patch, PatchDocument):
            for line in _changed_lines(asked, event.patch, longest):
                click.echo(line)
    click.echo(("" if asked.patch and found.events else "\n") + _summary(found))
    first = next((event for event in reversed(found.events) if event.before is None), None)
    if first is not None and first.derived_from and not asked.derivation:
        source = visible(first.derived_from[0].place.qualified_name)
        say(f"--derivation goes on into {source}, where its code comes from")
    if found.left_out:
        say(f"{count(found.left_out, 'step')} changed comments or formatting only; --all lists them")


def _header(asked: History, found: HistoryDocument) -> Iterator[str]:
    entity = found.entity
    place = f"{visible(entity.path)}:{lines_of(entity.start_line, entity.end_line)}"
    name = visible(entity.qualified_name)
    yield from _beside(f"{paint(entity.kind, 'cyan')} {paint(name, 'bold')}", place, cells(f"{entity.kind} {name}  "))
    if found.was is not None:
        inner = f".{entity.name}" if asked.variable is not None or asked.block else ""
        around = entity.qualified_name.removesuffix(inner)
        now = LocationDocument(entity.path, around, entity.start_line, entity.end_line)
        old, became = describe_former(found.was, now)
        yield from _beside(old, became, cells(old) + 1, " ")
    if found.deletion is not None:
        text = f"deleted in {short(found.deletion.commit)} ({visible(found.deletion.subject or '')})"
        yield paint(fit(text, screen().columns), "red")
    yield ""


def _beside(left: str, right: str, used: int, gap: str = "  ") -> list[str]:
    """Return two texts in one line, or in two where the screen is too narrow; `used` counts the first and the gap."""
    columns = screen().columns
    if columns is None or used + cells(right) <= columns:
        return [left + gap + right]
    return [left, f"  {fit_middle(right, columns - 2)}"]


def _describe(event: HistoryEventDocument, name: str | None) -> Iterator[str]:
    """Yield what was done, and to which member where several are followed, in as many lines as it takes."""
    color = "green" if event.before is None else "cyan"
    clauses = [
        *describe_step(event, is_boundary=event.is_boundary),
        *describe_sources(event.derived_from, event.after.path),
    ]
    name = event.source_name or event.member or name
    if name is not None:
        clauses[0] = f"{visible(name)}: {clauses[0]}"
    for line in wrap_clauses(clauses, len(_INDENT)):
        yield _INDENT + paint(line, color)


def _changed_lines(asked: History, patch: PatchDocument, longest: int) -> Iterator[str]:
    if asked.stat:
        yield _INDENT + stat(patch, longest)
    if asked.patch:
        yield from patch_lines(patch, _PATCH_INDENT)
        yield ""


def _summary(found: HistoryDocument) -> str:
    if not found.events:
        return f"none of {count(found.known, 'change')} is as asked for" if found.known else "no change is known"
    authors = {event.author for event in found.events}
    first = min(map(day_of, found.events))
    return f"{count(len(found.events), 'change')} by {count(len(authors), 'author')} since {first}"


# Users


def _show_users(found: UserHistoryDocument) -> None:
    if found.not_replayed:
        missing = count(found.not_replayed, "commit")
        say(f"without {missing} since the last replay; run `birthmark index --from-history`")
    entity = found.entity
    place = f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}"
    click.echo(f"users of {entity.kind} {paint(visible(entity.qualified_name), 'cyan')}  {visible(place)}\n")
    width = author_width(found.events)
    for event in found.events:
        click.echo(commit_line(event, width))
        for user in event.came:
            click.echo(_user_line("+", user, "green"))
        for user in event.went:
            click.echo(_user_line("-", user, "red"))
    click.echo(("\n" if found.events else "") + _users_summary(found))


def _user_line(sign: str, user: PastUserDocument, color: str) -> str:
    """Return `+ Basket.total  shop/basket.py:12-20  read`; calls are not labelled."""
    name, place = visible(user.qualified_name or "top level"), visible(user.path)
    if user.start_line is not None and user.end_line is not None:
        place += f":{lines_of(user.start_line, user.end_line)}"
    kind = "" if user.edge is EdgeKind.CALLS else f"  {user.edge}"
    columns = screen().columns
    used = cells(f"{_INDENT}{sign} {name}  {kind}")
    where = place if columns is None else fit_middle(place, max(columns - used, 8))
    return f"{_INDENT}{paint(f'{sign} {name}', color)}  {where}{paint(kind, 'dim')}"


def _users_summary(found: UserHistoryDocument) -> str:
    now = f"{count(found.users, 'user')} now"
    if not found.events:
        some = f"none of {count(found.known, 'change')} of its users is as asked for; {now}"
        return some if found.known else f"no user is known; {now}"
    came, went = sum(len(event.came) for event in found.events), sum(len(event.went) for event in found.events)
    first = min(map(day_of, found.events))
    return f"{count(len(found.events), 'commit')} since {first}: {came:,} came, {went:,} went; {now}"


# Blame


def _show_blame(asked: Blame, rows: Iterable[BlameDocument]) -> None:
    """Print one file after the other, as they are read."""
    n_files = n_entities = 0
    for path, found in groupby(rows, lambda row: row.entity.path):
        in_file = [*found]
        click.echo(("\n" if n_files else "") + paint(visible(path), "bold"))
        for line in _blame_lines(in_file):
            click.echo(line)
        n_files, n_entities = n_files + 1, n_entities + len(in_file)
    click.echo(f"\n{count(n_entities, 'entity')} in {count(n_files, 'file')}")


def _blame_lines(found: Sequence[BlameDocument]) -> Iterator[str]:
    """Yield of each definition what was done to it last, by which commit, and who introduced it."""
    places = [lines_of(row.entity.start_line, row.entity.end_line) for row in found]
    left = max(map(len, places), default=0)
    width = author_width(row.last for row in found)
    indent = " " * (left + 4)
    for place, row in zip(places, found, strict=True):
        headline, rest = _headline(row, len(indent))
        yield f"  {paint(place.ljust(left), 'dim')}  {headline}".rstrip()
        yield commit_line(row.last, width, indent)
        if rest:
            yield indent + rest


def _headline(row: BlameDocument, used: int) -> tuple[str, str]:
    """Return what fits into a line; and who introduced it, if that does not."""
    entity, what, first = row.entity, list_changes(row.last.changes), row.introduced
    name, columns = visible(entity.qualified_name), screen().columns
    room = None if columns is None else columns - used - cells(f"{entity.kind} {name}  ")
    named = f"{paint(entity.kind, 'cyan')} {paint(name, 'bold')}  "
    if HistoryChange.INTRODUCED in row.last.changes:
        return named + fit(ENDS_HERE if row.is_boundary else what, room), ""
    introduced = f"introduced {day_of(first)} by {visible(first.author)}"
    introduced = f"history ends {day_of(first)} (shallow clone)" if row.is_boundary else introduced
    together = f"{what}, {introduced}"
    if room is None or cells(together) <= room:
        return named + together, ""
    return named + fit(what, room), fit(introduced, None if columns is None else columns - used)


history = question_command(History, _show_history, options=[_ALL], build=_build_history)
blame = question_command(Blame, _show_blame, defaults={"at": "HEAD"})
