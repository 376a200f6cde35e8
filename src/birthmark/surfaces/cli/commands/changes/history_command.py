"""`history`: what happened to an entity, commit by commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from birthmark.app.histories.filters import HistoryFilter, select_events
from birthmark.app.histories.histories import (
    History,
    HistoryEvent,
    find_subject,
    read_derived_history,
    read_members,
    with_patches,
)
from birthmark.app.histories.subjects import HistorySubject
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.patch import Patch
from birthmark.documents.changes import history_document
from birthmark.surfaces.cli.refresh_option import open_repository
from birthmark.surfaces.cli.terminal.commits import author_width, commit_line, day_of
from birthmark.surfaces.cli.terminal.derivation_words import describe_sources
from birthmark.surfaces.cli.terminal.history_words import describe_former, describe_step
from birthmark.surfaces.cli.terminal.output import json_option, print_json, say
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.patches import patch_lines, stat
from birthmark.surfaces.text import cells, fit, fit_middle, paint, screen, wrap_clauses
from birthmark.words import count, lines_of, short, visible

_INDENT = " " * 14  # under the date
_PATCH_INDENT = " " * 4


class _Shown(NamedTuple):
    """The events that are shown, how many of comments or formatting only are not, and how many there are in all."""

    events: list[HistoryEvent]
    n_hidden: int
    n_all: int


@click.command()
@click.argument("ref")
@click.option("--at", "revision", metavar="REV", help="Start at this revision, which has REF; else at HEAD.")
@click.option("-p", "--patch", "with_patch", is_flag=True, help="Show the lines that changed, of REF alone.")
@click.option("--stat", "with_stat", is_flag=True, help="Show how many lines each commit added and removed.")
@click.option("--since", metavar="DATE", help="Only commits after a date as git reads it, or after a revision.")
@click.option("--until", metavar="DATE", help="Only commits before a date as git reads it, or up to a revision.")
@click.option("--author", metavar="PATTERN", help="Only authors whose name or e-mail has this, in either case.")
@click.option("-n", "--max-count", type=click.IntRange(0), metavar="N", help="At most N events.")
@click.option("--reverse", "oldest_first", is_flag=True, help="Oldest first.")
@click.option("--all", "with_cosmetic", is_flag=True, help="Also list changes of only comments or formatting.")
@click.option("--members", "with_members", is_flag=True, help="Also follow the members of REF.")
@click.option("--derivation", "with_derivation", is_flag=True, help="Go on into what the code of REF came from.")
@click.option("--users", "is_of_users", is_flag=True, help="Show when users of REF came and went instead.")
@click.option("--variable", metavar="NAME", help="Follow a local variable or parameter of REF.")
@click.option("--block", "is_block", is_flag=True, help="Follow the block (a loop, a conditional, …) at path:line.")
@json_option
def history(
    ref: str,
    revision: str | None,
    with_patch: bool,
    with_stat: bool,
    since: str | None,
    until: str | None,
    author: str | None,
    max_count: int | None,
    oldest_first: bool,
    with_cosmetic: bool,
    with_members: bool,
    with_derivation: bool,
    variable: str | None,
    is_block: bool,
    is_of_users: bool,
    as_json: bool,
) -> None:
    """Show what each commit did to REF, across renames and moves.

    REF is path::Qualified.name, path:line or a unique name; with an index also a mark, key or semantic id. What was
    deleted or renamed is found by the name it had. Where REF was introduced, it is said what it was extracted, copied
    or split from, if it was. With --users each commit is shown that made something begin or cease to use REF, from the
    history that `birthmark index --from-history` has replayed.

    \b
    Examples:
      birthmark history Flask.url_for
      birthmark history src/app.py::Flask.url_for -p --since '1 year ago'
      birthmark history src/app.py:120 --at v2.0
      birthmark history src/app.py::find_price --derivation
      birthmark history src/app.py:120 --block
      birthmark history src/app.py::Flask.url_for --variable endpoint
      birthmark history Flask.url_for --users --since v2.0
      birthmark history bm-7k3q9w2m4x8p --author ada --json
    """
    wanted = HistoryFilter(since, until, author)
    if is_of_users:
        if variable or with_patch or with_stat or True in (is_block, with_members, with_derivation):
            raise click.UsageError("--users shows users alone; leave out the options for lines, members and blocks")
        # Importing it takes as long as all else.
        from birthmark.surfaces.cli.commands.changes.history_users import UsersShown, show_users

        show_users(ref, revision, wanted, UsersShown(max_count, oldest_first, as_json))
        return
    if [bool(variable), is_block, with_members, with_derivation].count(True) > 1:
        raise click.UsageError("--variable, --block, --members and --derivation cannot be combined")
    with open_repository() as past:
        found = _read(past, find_subject(past, ref, revision), (with_members, with_derivation, is_block), variable)
        events = select_events(past, found.events, wanted)
        shown = _choose(events, len(found.events), with_cosmetic or as_json, max_count)
        ordered = shown.events[::-1] if oldest_first else shown.events
        found = found._replace(events=with_patches(past, ordered) if with_patch or with_stat else ordered)
        problems = list(past.problems)
    for problem in problems:
        say(f"{problem.path}: {problem.problem}")
    if as_json:
        print_json(history_document(found))
        return
    with paging():
        _print_history(found, shown, with_members, with_patch, with_stat)
    if shown.n_hidden:
        say(f"{count(shown.n_hidden, 'step')} changed comments or formatting only; --all lists them")


def _read(
    past: OpenRepository, subject: HistorySubject, flags: tuple[bool, bool, bool], variable: str | None
) -> History:
    with_members, with_derivation, is_block = flags
    if variable is not None or is_block:
        from birthmark.app.histories.inner_histories import read_inner_history  # It loads what is for bodies alone.

        return read_inner_history(past, subject, variable)
    return read_members(past, subject) if with_members else read_derived_history(past, subject, with_derivation)


def _choose(events: Sequence[HistoryEvent], n_all: int, with_cosmetic: bool, max_count: int | None) -> _Shown:
    """The newest ones; those of only comments or formatting do not count where they are hidden."""
    chosen = [number for number, event in enumerate(events) if with_cosmetic or not event.is_cosmetic]
    shown = chosen[:max_count]
    end = len(events) if len(shown) == len(chosen) else shown[-1] + 1 if shown else 0
    return _Shown([events[number] for number in shown], end - len(shown), n_all)


def _print_history(found: History, shown: _Shown, with_members: bool, with_patch: bool, with_stat: bool) -> None:
    for line in _header(found):
        click.echo(line)
    width = author_width(event.commit for event in found.events)
    longest = max((event.patch.n_added + event.patch.n_removed for event in found.events if event.patch), default=0)
    for event in found.events:
        click.echo(commit_line(event.commit, width))
        for line in _describe(event, found.entity.qualified_name if with_members else None):
            click.echo(line)
        if event.patch is not None:
            for line in _patch_lines(event.patch, longest if with_stat else None, with_patch):
                click.echo(line)
    click.echo(("" if with_patch and found.events else "\n") + _summary(found.events, shown))


def _header(found: History) -> Iterator[str]:
    entity, target = found.entity, found.target
    place = f"{visible(target.path)}:{lines_of(entity.start_line, entity.end_line)}"
    name = visible(entity.qualified_name)
    yield from _beside(f"{paint(entity.kind, 'cyan')} {paint(name, 'bold')}", place, cells(f"{entity.kind} {name}  "))
    if target.was is not None:
        old, became = describe_former(target.was, target.outlined.location)
        yield from _beside(old, became, cells(old) + 1, " ")
    if target.deletion is not None:
        deletion = target.deletion
        text = f"deleted in {short(deletion.id)} ({visible(deletion.subject)})"
        yield paint(fit(text, screen().columns), "red")
    yield ""


def _beside(left: str, right: str, used: int, gap: str = "  ") -> list[str]:
    """Two texts in one line, of which the first and the gap use some columns; in two where the screen is too narrow."""
    columns = screen().columns
    if columns is None or used + cells(right) <= columns:
        return [left + gap + right]
    return [left, f"  {fit_middle(right, columns - 2)}"]


def _describe(event: HistoryEvent, name: str | None) -> Iterator[str]:
    """What was done, and to which member where several are followed; in as many lines as it takes."""
    color = "green" if event.step.before is None else "cyan"
    sources = [source.end for source in event.derived_from]
    clauses = [*describe_step(event.step), *describe_sources(sources, event.step.after.path)]
    name = event.source_name or event.member or name
    if name is not None:
        clauses[0] = f"{visible(name)}: {clauses[0]}"
    for line in wrap_clauses(clauses, len(_INDENT)):
        yield _INDENT + paint(line, color)


def _patch_lines(patch: Patch, longest: int | None, with_patch: bool) -> Iterator[str]:
    """How many lines changed, if the longest of such numbers is given; the lines; and a blank one after them."""
    if longest is not None:
        yield _INDENT + stat(patch, longest)
    if with_patch:
        yield from patch_lines(patch, _PATCH_INDENT)
        yield ""


def _summary(events: Sequence[HistoryEvent], shown: _Shown) -> str:
    if not events:
        return f"none of {count(shown.n_all, 'change')} is as asked for" if shown.n_all else "no change is known"
    authors = {event.commit.author for event in events}
    first = min(day_of(event.commit) for event in events)
    return f"{count(len(events), 'change')} by {count(len(authors), 'author')} since {first}"
