"""`clones`: definitions that are nearly the same, by group."""

from __future__ import annotations

from collections.abc import Sequence

import click

from birthmark.app.across import place_elsewhere
from birthmark.app.answers.clones import (
    ClonesQuery,
    SimilarEntities,
    SimilarEntity,
    SimilarGroup,
    find_similar,
    read_words,
)
from birthmark.documents.listings import clones_document
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.everywhere_option import everywhere_option, say_problems
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import LEFT_OUT, json_option, print_json, say, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.surfaces.formats.event_words import write_day
from birthmark.surfaces.text import screen
from birthmark.words import count, lines_of

_MOST_ROWS = 12  # of a group, on a terminal


@click.command()
@click.argument("names", nargs=-1, metavar="[REF] [PATH]...")
@click.option(
    "--share",
    type=click.IntRange(50, 100),
    default=70,
    show_default=True,
    metavar="PERCENT",
    help="Of the code that two must share.",
)
@click.option("--all", "with_all", is_flag=True, help="Also in tests, documentation and generated files.")
@everywhere_option
@json_option
def clones(names: Sequence[str], share: int, with_all: bool, everywhere: bool, as_json: bool) -> None:
    """List definitions that are nearly the same, those with most code first; with REF only those like it.

    They are compared by their tokens, without names, parameters and comments above them; what has fewer than 30 is
    left out. Without PATH, a file or a folder, all source files of the index are searched.

    \b
    Examples:
      birthmark clones
      birthmark clones src/shop src/web --share 90
      birthmark clones Cart.total
      birthmark clones src/cart.py:120 --all --json
      birthmark clones Cart.total --everywhere --store postgresql://host/birthmark
    """
    with asking() as session:
        ref, paths = read_words(session, names)
        query = ClonesQuery(ref, paths, share / 100, with_all)
        if everywhere and ref is None:
            raise click.UsageError("--everywhere needs a REF: what is copied")
        others = session.others(everywhere)
        found = others.add_copies(find_similar(session, query), query)
        say_problems(others.problems)
        if as_json:
            print_json(clones_document(found, session.freshness, others.problems))
            return
        warn_if_stale(session.freshness)
    with paging():
        print_groups((_heading(group), _rows(group)) for group in found.groups)
        echo_wrapped(_summary(found))
    if not query.paths and not with_all:
        say(LEFT_OUT)


def _heading(group: SimilarGroup) -> str:
    least = min(one.share for one in group.entities)
    alike = "the same" if least == 1 else f"{least:.0%} or more the same".replace("%", " %")
    return f"{count(len(group.entities), 'definition')} of {count(group.n_tokens, 'token')}, {alike}"


def _rows(group: SimilarGroup) -> list[TableRow]:
    n_shown = len(group.entities) if screen().columns is None else _MOST_ROWS
    first = min((one.born for one in group.entities if one.born is not None), default=None)
    rows = [_row(one, is_first=one.born == first is not None) for one in group.entities[:n_shown]]
    n_more = len(group.entities) - n_shown
    return [*rows, ("", f"and {n_more} more", "")] if n_more > 0 else rows


def _row(one: SimilarEntity, *, is_first: bool) -> TableRow:
    entity = one.indexed.entity
    lines = lines_of(entity.start_line, entity.end_line)
    place = plain(place_elsewhere(one.repository, f"{entity.path}:{lines}"))
    born = "" if one.born is None else f"  since {write_day(one.born)}{', the first' if is_first else ''}"
    return Cell(f"{one.share:.0%}".replace("%", " %").rjust(5), "dim"), place, plain(entity.qualified_name) + born


def _summary(found: SimilarEntities) -> str:
    searched = f"{count(found.n_searched, 'definition')} of 30 tokens or more in {count(found.n_files, 'file')}"
    if found.subject is not None and not found.groups:
        return f"nothing is nearly the same as `{plain(found.subject.entity.qualified_name)}`, of {searched}"
    if not found.groups:
        return f"nothing is nearly the same, of {searched}"
    n_clones = sum(len(group.entities) for group in found.groups)
    return f"{count(n_clones, 'definition')} in {count(len(found.groups), 'group')}, of {searched}"
