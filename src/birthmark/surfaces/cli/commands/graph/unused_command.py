"""`unused`: definitions without known users, and why each may be used all the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby

import click

from birthmark.app.answers.uses.graph_nodes import hold_entities
from birthmark.app.answers.uses.name_evidence import DoubtSite
from birthmark.app.answers.uses.unused import UNUSED_SECONDS, UnusedAnswer, UnusedDefinition, UnusedQuery, find_unused
from birthmark.documents.whole_graph import unused_document
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.graph_options import limit_option, tests_option, time_option
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import json_option, print_json, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.surfaces.text import fit, fit_middle, screen
from birthmark.vocabulary import UnusedDoubt
from birthmark.words import count

_MOST = 200
_NO_DOUBT = "private, and named nowhere else"
# What the strongest doubt about the definitions under a heading is.
_HEADINGS = {
    UnusedDoubt.PUBLIC: "named nowhere else, but public for other repositories",
    UnusedDoubt.GENERATED: "in generated code",
    UnusedDoubt.DOCUMENTATION: "in documentation or an example",
    UnusedDoubt.BASE_OUTSIDE: "in a class with a base outside, which may use it",
    UnusedDoubt.OTHER_FILE: "named in a file of another language",
    UnusedDoubt.QUOTED: "named in a string",
    UnusedDoubt.NAMED: "named in code, where something else may be meant",
    UnusedDoubt.IMPORTED: "imported, perhaps for others to import",
    UnusedDoubt.DECORATED: "decorated, and perhaps registered by that",
    UnusedDoubt.ENTRY_POINT: "where a program starts",
    UnusedDoubt.SPECIAL: "used by the language itself, by its name",
    UnusedDoubt.TEST: "tests, which a test runner finds",
}
_NOUNS = {
    UnusedDoubt.TEST: "test",
    UnusedDoubt.SPECIAL: "special name",
    UnusedDoubt.ENTRY_POINT: "entry point",
    UnusedDoubt.DECORATED: "decorated definition",
}


@click.command()
@click.option("--all", "with_all", is_flag=True, help="List also tests, special names, entry points and the decorated.")
@limit_option(_MOST, "definitions")
@tests_option
@time_option(UNUSED_SECONDS)
@json_option
def unused(with_all: bool, limit: int, no_tests: bool, seconds: float, as_json: bool) -> None:
    """List definitions without known users, the most likely to be unused first, with why they may be used yet.

    A use by what is inside of the definition itself is none. What is inside of a definition that is listed is not
    listed beside it. With --no-tests, what only tests use is listed as well.

    \b
    Examples:
      birthmark unused
      birthmark unused --no-tests
      birthmark unused --all --json
    """
    with asking() as session:
        found = find_unused(session, UnusedQuery(not no_tests, seconds))
        listed = [one for one in found.unused if with_all or not one.is_explained]
        if as_json:
            entities = hold_entities(session, (one.node for one in listed[:limit]))
            print_json(unused_document(found._replace(unused=listed[:limit]), entities, session.freshness))
            return
        warn_if_stale(session.freshness)
    with paging():
        print_groups(_groups(listed[:limit]))
        echo_wrapped(_summary(found, len(listed), limit))
        hidden = Counter(_strongest(one) for one in found.unused if one.is_explained)
        if hidden and not with_all:
            words = ", ".join(count(number, _NOUNS[doubt]) for doubt, number in hidden.most_common() if doubt)
            echo_wrapped(f"not listed, as they are likely used: {words}; --all lists them")
        if not found.is_in_time:
            echo_wrapped(f"not all were looked at within {seconds:g} s; --timeout allows more")


def _groups(listed: list[UnusedDefinition]) -> Iterator[tuple[str, list[TableRow]]]:
    for doubt, group in groupby(listed, key=_strongest):
        yield _HEADINGS[doubt] if doubt is not None else _NO_DOUBT, [_row(one) for one in group]


def _strongest(one: UnusedDefinition) -> UnusedDoubt | None:
    return one.doubts[0].doubt if one.doubts else None


def _row(one: UnusedDefinition) -> TableRow:
    entity = one.node.entity
    assert entity is not None, "only definitions are candidates"
    columns = screen().columns
    width = None if columns is None else columns // 3
    place = fit_middle(plain(f"{one.node.path}:{entity.start_line}"), width)
    inside = f", {one.n_inside:,} inside" if one.n_inside else ""
    name = fit(plain(f"{entity.qualified_name}{inside}"), width)
    return place, Cell(entity.kind, "cyan"), name, Cell(_evidence(one.doubts[0]) if one.doubts else "", "dim")


def _evidence(found: DoubtSite) -> str:
    """What is not in the heading: the place or the name."""
    return plain(f"{found.path}:{found.line}" if found.path is not None else found.detail)


def _summary(found: UnusedAnswer, n_listed: int, limit: int) -> str:
    among = f"among {count(found.n_definitions, 'definition')}"
    if not n_listed:
        return f"all is used, or may be, {among}"
    more = f"; {limit:,} listed, --limit lists more" if n_listed > limit else ""
    return f"{count(n_listed, 'definition')} without known users, {among}{more}"
