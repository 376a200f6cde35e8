"""`search` and `clones`: definitions by what is known of them, and those that are nearly the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import click

from birthmark.app.answers.clones import read_words
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import LedgerEventDocument
from birthmark.documents.listings import (
    CloneDocument,
    CloneGroupDocument,
    ClonesDocument,
    DeletedNameDocument,
    FormerNameDocument,
    SearchDocument,
    SearchResultDocument,
)
from birthmark.documents.wording import plain
from birthmark.questions.definitions import Clones, Search
from birthmark.questions.question import make_question
from birthmark.surfaces.cli.completion import COMPLETED
from birthmark.surfaces.cli.question_command import question_command, values_of
from birthmark.surfaces.cli.terminal.lives import declaration, place_of
from birthmark.surfaces.cli.terminal.output import LEFT_OUT, say
from birthmark.surfaces.cli.terminal.tables import (
    Cell,
    RowLimit,
    TableRow,
    column_widths,
    echo_wrapped,
    print_groups,
    table_lines,
)
from birthmark.surfaces.formats.event_words import write_day
from birthmark.surfaces.text import fit, paint, screen
from birthmark.vocabulary import SearchMatch
from birthmark.words import count, lines_of, place_elsewhere, short

_MOST_CLONES = 12  # that are shown of a group
# What was found, in words; the summary counts them in this order.
_WORDS = {
    SearchMatch.NAME: "by name",
    SearchMatch.FORMER: "by a former name",
    SearchMatch.PART: "by a part of a name",
    SearchMatch.SLIP: "with a slip in a name",
    SearchMatch.SIGNATURE: "in signatures",
    SearchMatch.DOC: "in docs",
    SearchMatch.CODE: "in code",
}
_REASONS = {
    SearchMatch.NAME: "name",
    SearchMatch.FORMER: "former name",
    SearchMatch.PART: "part of its name",
    SearchMatch.SLIP: "nearly its name",
    SearchMatch.SIGNATURE: "signature",
    SearchMatch.DOC: "doc",
    SearchMatch.CODE: "code",
}


def _print_results(asked: Search, found: SearchDocument) -> None:
    rows = [_row(result) for result in found.results]
    lines = table_lines(rows, "  ", column_widths(rows))
    for result, line in zip(found.results, lines, strict=True):
        click.echo(paint(fit(declaration(result.entity), screen().columns), "bold"))
        click.echo(line)
        for detail in _details(result):
            click.echo(fit(f"    {detail}", screen().columns))
    for deleted in found.deleted:
        click.echo(fit(_describe_deleted(deleted), screen().columns))
    if found.results or found.deleted:
        click.echo()
    others = f" and {count(found.asked, 'other repository')}" if asked.everywhere else ""
    echo_wrapped(_summary(found, asked, f"{count(found.searched_files, 'file')}{others}"))


search = question_command(
    Search, _print_results, finds=lambda found: not found.results, finds_help="Exit with 1 if nothing is found."
)


def _row(result: SearchResultDocument) -> TableRow:
    place = place_elsewhere(result.repository and plain(result.repository), place_of(result.entity))
    return place, Cell(result.entity.mark, "yellow"), Cell(_reason(result), "dim")


def _reason(result: SearchResultDocument) -> str:
    found = result.found
    where = f", line {found.line}" if found is not None and result.match is not SearchMatch.SIGNATURE else ""
    return f"{_REASONS[_counted(result)]}{where}"


def _details(result: SearchResultDocument) -> Iterator[str]:
    """Until when a former name was used; the line with what was found, unless it is in the signature."""
    if result.former_name is not None:
        yield _describe_former(result.former_name)
    elif result.found is not None and result.match is not SearchMatch.SIGNATURE:
        yield plain(result.found.text)


def _describe_deleted(deleted: DeletedNameDocument) -> str:
    name = f"{plain(deleted.path)}::{plain(deleted.qualified_name)}  {deleted.mark}"
    return f"{name}  deleted {_describe_event(deleted.deletion)}"


def _describe_former(former: FormerNameDocument) -> str:
    """`was called cart.old_total until 2024-05-01, 3f2a1b9c0d1e (Rename the total)`."""
    said = f"was called {plain(former.qualified_name)}"
    return said if former.until is None else f"{said} until {_describe_event(former.until)}"


def _describe_event(until: LedgerEventDocument) -> str:
    subject = f" ({plain(until.subject)})" if until.subject is not None and until.by_commit else ""
    revision = f", {short(until.revision)}" if until.revision is not None else ""
    return f"{write_day(until.at)}{revision}{subject}"


def _summary(found: SearchDocument, asked: Search, where: str) -> str:
    text, is_cut = plain(found.text), not found.complete and found.next is None
    cut = "; not all files that may have the words were searched, --path chooses some" if is_cut else ""
    if not found.results:
        more = "more " if asked.offset else ""
        narrowed = ", with these options" if asked.kind or asked.language or asked.path else ""
        present = "that is still there " if found.deleted else ""
        near = f"; try {', '.join(map(plain, found.nearest))}" if found.nearest else ""
        return f"nothing {more}found {present}for `{text}` in {where}{narrowed}{cut}{near}"
    counts = Counter(_counted(result) for result in found.results)
    matches = ", ".join(f"{counts[match]:,} {words}" for match, words in _WORDS.items() if counts[match])
    return f"{count(len(found.results), 'result')} for `{text}` in {where}: {matches}{cut}"


def _counted(result: SearchResultDocument) -> SearchMatch:
    return SearchMatch.FORMER if result.former_name is not None else result.match


def _make_clones(session: Session, given: dict[str, Any]) -> Clones:
    ref, paths = read_words(session, given["names"])
    return make_question(Clones, values_of(Clones, given | {"ref": ref, "path": paths}))


def _print_clones(asked: Clones, found: ClonesDocument, *, names: Sequence[str], limit: RowLimit) -> None:
    print_groups((_heading(group), _clone_rows(group)) for group in limit.take(found.groups))
    echo_wrapped(_clones_summary(found))
    if not asked.path and not asked.all:
        say(LEFT_OUT)


_NAMES = click.Argument(["names"], nargs=-1, metavar="[REF] [PATH]...", type=COMPLETED["ref"])
clones = question_command(Clones, _print_clones, options=[_NAMES], build=_make_clones, cuts=True)


def _heading(group: CloneGroupDocument) -> str:
    least = min(one.share for one in group.clones)
    alike = "the same" if least == 1 else f"{least:.0%} or more the same".replace("%", " %")
    return f"{count(len(group.clones), 'definition')} of {count(group.tokens, 'token')}, {alike}"


def _clone_rows(group: CloneGroupDocument) -> list[TableRow]:
    n_shown = len(group.clones) if screen().columns is None else _MOST_CLONES
    first = min((one.born for one in group.clones if one.born is not None), default=None)
    rows = [_clone_row(one, is_first=one.born == first is not None) for one in group.clones[:n_shown]]
    n_more = len(group.clones) - n_shown
    return [*rows, ("", f"and {n_more} more", "")] if n_more > 0 else rows


def _clone_row(one: CloneDocument, *, is_first: bool) -> TableRow:
    entity = one.entity
    lines = lines_of(entity.start_line, entity.end_line)
    place = plain(place_elsewhere(one.repository, f"{entity.path}:{lines}"))
    born = "" if one.born is None else f"  since {write_day(one.born)}{', the first' if is_first else ''}"
    return Cell(f"{one.share:.0%}".replace("%", " %").rjust(5), "dim"), place, plain(entity.qualified_name) + born


def _clones_summary(found: ClonesDocument) -> str:
    searched = f"{count(found.searched_entities, 'definition')} of 30 tokens or more"
    searched = f"{searched} in {count(found.searched_files, 'file')}"
    if found.entity is not None and not found.groups:
        return f"nothing is nearly the same as `{plain(found.entity.qualified_name)}`, of {searched}"
    if not found.groups:
        return f"nothing is nearly the same, of {searched}"
    n_clones = sum(len(group.clones) for group in found.groups)
    return f"{count(n_clones, 'definition')} in {count(len(found.groups), 'group')}, of {searched}"
