"""`search`: entities by their names, parts and slips of these, former names, signatures, docs and code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

import click

from birthmark.app.across import place_elsewhere
from birthmark.app.answers.listing.listing import count_files
from birthmark.app.answers.searching.searching import (
    DEFAULT_RESULTS,
    MOST_RESULTS,
    FormerName,
    SearchPage,
    SearchQuery,
    SearchResult,
    find_page,
)
from birthmark.documents.listings import search_document
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.everywhere_option import everywhere_option, say_problems
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.groups import echo_wrapped
from birthmark.surfaces.cli.terminal.lives import place_of
from birthmark.surfaces.cli.terminal.output import json_option, print_json, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.progress import progress_bar
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, column_widths, table_lines
from birthmark.surfaces.declarations import declaration
from birthmark.surfaces.formats.event_words import write_day
from birthmark.surfaces.text import fit, paint, screen
from birthmark.vocabulary import SearchMatch
from birthmark.words import count, short

_PROGRESS_SECONDS = 1.0
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


@click.command()
@click.argument("given", nargs=-1, required=True, metavar="TEXT")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only entities of this kind: fn, class, …")
@click.option(
    "--language", "--lang", "languages", multiple=True, metavar="NAME", help="Only entities in this language."
)
@click.option(
    "--path", "paths", multiple=True, metavar="GLOB", help="Only in this file, folder or pattern; !GLOB: not there."
)
@click.option(
    "--limit", type=click.IntRange(1, MOST_RESULTS), default=DEFAULT_RESULTS, show_default=True, help="Results at most."
)
@click.option("--offset", type=click.IntRange(min=0), default=0, help="Results to skip: those of the pages before.")
@everywhere_option
@json_option
def search(
    given: tuple[str, ...],
    kinds: tuple[str, ...],
    languages: tuple[str, ...],
    paths: tuple[str, ...],
    limit: int,
    offset: int,
    everywhere: bool,
    as_json: bool,
) -> None:
    """Find definitions by what you remember of them, the likeliest first.

    TEXT is a name or a part of it, in any case and with any slip: `url_for`, `urlFor`, `absolute url`, `HttpRespose`,
    `Model.save`. What was once called so is found by its former name. Definitions in whose signature, docs or code
    all words of TEXT are come after those with a name like it.

    \b
    Examples:
      birthmark search url_for
      birthmark search absolute url --kind method
      birthmark search 'filter(pk=' --path src --path '!src/old'
      birthmark search HttpRespose --lang python --limit 3 --json
      birthmark search url_for --everywhere --store postgresql://host/birthmark
    """
    query = SearchQuery(" ".join(given), kinds, languages, paths, limit, offset)
    with asking() as session:
        others = session.others(everywhere)
        with progress_bar(_PROGRESS_SECONDS) as progress:
            page = others.find_page(partial(find_page, session, progress=progress), query)
        n_files = count_files(session)
        say_problems(others.problems)
        if as_json:
            print_json(search_document(page, session.freshness, others.problems))
            return
        warn_if_stale(session.freshness)
    with paging():
        _print_results(page.results)
        elsewhere = f" and {count(page.n_others, 'other repository')}" if everywhere else ""
        echo_wrapped(_summary(page, query, f"{count(n_files, 'file')}{elsewhere}"))


def _print_results(results: list[SearchResult]) -> None:
    rows = [_row(result) for result in results]
    lines = table_lines(rows, "  ", column_widths(rows))
    for result, line in zip(results, lines, strict=True):
        click.echo(paint(fit(declaration(result.entity), screen().columns), "bold"))
        click.echo(line)
        for detail in _details(result):
            click.echo(fit(f"    {detail}", screen().columns))
    if results:
        click.echo()


def _row(result: SearchResult) -> TableRow:
    place = place_elsewhere(result.repository and plain(result.repository), place_of(result.entity))
    return place, Cell(result.indexed.mark, "yellow"), Cell(_reason(result), "dim")


def _reason(result: SearchResult) -> str:
    found = result.hit.text
    where = f", line {found.line}" if found is not None and result.hit.match is not SearchMatch.SIGNATURE else ""
    return f"{_REASONS[_counted(result)]}{where}"


def _details(result: SearchResult) -> Iterator[str]:
    """Until when a former name was used; the line with what was found, unless it is in the signature."""
    if result.former is not None:
        yield _describe_former(result.former)
    elif result.hit.text is not None and result.hit.match is not SearchMatch.SIGNATURE:
        yield plain(result.hit.text.text)


def _describe_former(former: FormerName) -> str:
    """`was called cart.old_total until 2024-05-01, 3f2a1b9c0d1e (Rename the total)`."""
    said = f"was called {plain(former.qualified_name)}"
    if former.until is None:
        return said
    run, commit = former.until.run, former.commit
    subject = f" ({plain(commit.subject)})" if commit is not None and former.until.is_replayed else ""
    revision = f", {short(run.revision)}" if run.revision is not None else ""
    return f"{said} until {write_day(run.at)}{revision}{subject}"


def _summary(page: SearchPage, query: SearchQuery, where: str) -> str:
    text = plain(page.text)
    if not page.results:
        more = "more " if query.offset else ""
        narrowed = ", with these options" if query.kinds or query.languages or query.paths else ""
        return f"nothing {more}found for `{text}` in {where}{narrowed}{_cut(page)}"
    counts = Counter(_counted(result) for result in page.results)
    found = ", ".join(f"{counts[match]:,} {words}" for match, words in _WORDS.items() if counts[match])
    more = f"; there is more: --offset {page.next}" if page.next is not None else _cut(page)
    return f"{count(len(page.results), 'result')} for `{text}` in {where}: {found}{more}"


def _cut(page: SearchPage) -> str:
    return "" if page.is_complete else "; not all files that may have the words were looked into, --path chooses some"


def _counted(result: SearchResult) -> SearchMatch:
    return SearchMatch.FORMER if result.former is not None else result.hit.match
