"""`users`, `callers` and `callees`: what uses a REF, and what it calls, by file and in plain words how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import click

from birthmark.app.across import ALL_VISIBLE, BORDER, place_elsewhere
from birthmark.app.answers.listing.listing import count_files
from birthmark.app.answers.uses.neighbours import find_callees, find_users, with_ends
from birthmark.app.workspace.session import asking
from birthmark.documents.answers import edges_document
from birthmark.documents.wording import plain
from birthmark.graph.edges import Edge
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.server.across.callees import CalleesEverywhere, find_callees_everywhere
from birthmark.server.across.users import UsersEverywhere, find_users_everywhere
from birthmark.surfaces.cli.everywhere_option import everywhere_option, say_problems
from birthmark.surfaces.cli.terminal.edge_words import (
    LEGEND,
    NAMING,
    SURE,
    SURENESS,
    UNSEEN,
    UNSEEN_ANYWHERE,
    USE_NOUNS,
)
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import json_option, print_json, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.surfaces.text import paint, screen
from birthmark.vocabulary import EdgeKind, Resolution
from birthmark.words import count, lines_of, plural

_NOUNS = {"calls": "call", "references": "reference", "subclasses": "subclass"}
_SEVERAL = "one of several definitions of the name"
_MOST_LINES = 4  # that are shown of calls which share a row


class EdgeRow(NamedTuple):
    """What calls have in common that share a row, and the heading it is under."""

    heading: str
    name: str
    where: str  # the lines of what is called
    kind: EdgeKind
    resolution: Resolution
    n_candidates: int


def _narrowing(command: Callable[..., None]) -> Callable[..., None]:
    """Options that narrow which uses are listed."""
    options = [
        click.option("--calls", is_flag=True, help="Only calls."),
        click.option("--references", is_flag=True, help="Only where it is imported, read, written, a type and so on."),
        click.option("--subclasses", is_flag=True, help="Only what inherits from it, implements or overrides it."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@click.command()
@click.argument("ref")
@_narrowing
@everywhere_option
@json_option
def users(ref: str, as_json: bool, everywhere: bool, **narrowed: bool) -> None:
    """List what uses REF by file, and how sure each is.

    Uses are calls, subclasses and overriding methods, and where its name is imported, exported, read, written, a type
    or a decorator. Uses other than calls are labelled. `birthmark callers` lists calls only.

    \b
    certain    it is in the same file, and nothing else can be meant
    by import  the file imports it
    inherited  it is a member of a base of what it is used on
    by name    the name is the same; of several definitions of it, any may be meant

    \b
    Examples:
      birthmark users Flask.url_for
      birthmark users Blueprint --subclasses
      birthmark users src/app.py:120 --json
      birthmark users Flask.url_for --everywhere --store postgresql://host/birthmark
    """
    _list_users(ref, [word for word, is_wanted in narrowed.items() if is_wanted], as_json, everywhere)


@click.command()
@click.argument("ref")
@click.option("--calls", is_flag=True, hidden=True, expose_value=False)  # needless, and once documented
@everywhere_option
@json_option
def callers(ref: str, as_json: bool, everywhere: bool) -> None:
    """List the calls of REF by file, and how sure each is.

    This is `birthmark users --calls`. A function that calls itself is among its callers.

    \b
    Examples:
      birthmark callers Flask.url_for
      birthmark callers src/app.py:120 --json
    """
    _list_users(ref, ["calls"], as_json, everywhere)


def _list_users(ref: str, words: Collection[str], as_json: bool, everywhere: bool) -> None:
    with asking() as session:
        found = (
            find_users_everywhere(session, ref, ALL_VISIBLE, words)
            if everywhere
            else UsersEverywhere(find_users(session, ref, words))
        )
        indexed, edges = found.own
        n_files = count_files(session)
        say_problems(found.problems)
        if as_json:
            ends = with_ends(session, edges, "source")
            print_json(edges_document(indexed, ends, n_files, session.freshness, found.others, found.problems))
            return
        warn_if_stale(session.freshness)
    rows = [_user_row(edge) for edge in edges]
    for other in found.others:
        edges = [*edges, *(edge for edge, _ in other.edges)]
        rows += [_user_row(edge, other.repository) for edge, _ in other.edges]
    noun, unseen = _NOUNS.get(" ".join(words), "use"), UNSEEN_ANYWHERE if everywhere else UNSEEN
    _print_users(indexed, edges, rows, noun, n_files, unseen)
    if everywhere:
        echo_wrapped(_asked(found))


def _print_users(
    indexed: IndexedEntity, edges: list[Edge], rows: list[EdgeRow], noun: str, n_files: int, unseen: str
) -> None:
    of = "to" if noun == "reference" else "of"
    if not edges:
        name, files = plain(indexed.entity.qualified_name), count(n_files, "file")
        echo_wrapped(f"no {noun} {of} `{name}` found in {files}; {unseen}")
        return
    with paging():
        _print_title(f"{plural(noun)} {of}", indexed)
        print_groups(_grouped(edges, rows))
        _print_summary(edges, {row.heading for row in rows}, noun)


def _asked(found: UsersEverywhere) -> str:
    """Which other repositories were looked at, and why those."""
    if not found.packages:
        return "no manifest says in which package it is, so that no other repository can be asked"
    packages = ", ".join(f"{plain(one.name)} ({one.ecosystem})" for one in found.packages)
    return f"other repositories that may depend on {packages}: {found.n_asked:,}, that use it: {len(found.others):,}"


@click.command()
@click.argument("ref")
@everywhere_option
@json_option
def callees(ref: str, everywhere: bool, as_json: bool) -> None:
    """List what REF calls by the file in which that is defined, and how sure each is.

    \b
    Examples:
      birthmark callees Flask.url_for
      birthmark callees src/app.py:120 --json
      birthmark callees create_app --everywhere --store postgresql://host/birthmark
    """
    with asking() as session:
        found = (
            find_callees_everywhere(session, ref, ALL_VISIBLE)
            if everywhere
            else CalleesEverywhere(find_callees(session, ref))
        )
        indexed, edges = found.own
        say_problems(found.problems)
        if as_json:
            ends, n_files = with_ends(session, edges, "target"), count_files(session)
            print_json(edges_document(indexed, ends, n_files, session.freshness, found.others, found.problems))
            return
        warn_if_stale(session.freshness)
    rows = [_callee_row(edge) for edge in edges]
    for other in found.others:
        edges = [*edges, *(edge for edge, _ in other.edges)]
        rows += [_callee_row(edge, other.repository) for edge, _ in other.edges]
    if not edges:
        echo_wrapped(f"`{plain(indexed.entity.qualified_name)}` calls nothing: there is no call in {_where(indexed)}")
        return
    with paging():
        _print_title("calls in", indexed)
        print_groups(_grouped(edges, rows))
        _print_summary(edges, {row.heading for edge, row in zip(edges, rows, strict=True) if edge.target is not None})


def _print_title(title: str, indexed: IndexedEntity) -> None:
    name = paint(plain(indexed.entity.qualified_name), "cyan")
    click.echo(f"{title} {indexed.entity.kind} {name}  {_where(indexed)}")
    click.echo()


def _where(indexed: IndexedEntity) -> str:
    return plain(f"{indexed.entity.path}:{lines_of(indexed.entity.start_line, indexed.entity.end_line)}")


def _user_row(edge: Edge, repository: str | None = None) -> EdgeRow:
    name = edge.source.qualified_name if edge.source is not None else f"top level of {edge.source_path}"
    heading = place_elsewhere(repository, edge.source_path)
    return EdgeRow(heading, name, "", edge.edge, edge.resolution, edge.n_candidates)


def _callee_row(edge: Edge, repository: str | None = None) -> EdgeRow:
    callee = edge.target
    if callee is None:
        heading = _SEVERAL if edge.n_candidates > 1 else SURENESS[edge.resolution]
        return EdgeRow(heading, edge.name, "", edge.edge, edge.resolution, edge.n_candidates)
    where = lines_of(callee.start_line, callee.end_line)
    heading = place_elsewhere(repository, callee.path)
    return EdgeRow(heading, callee.qualified_name, where, edge.edge, edge.resolution, edge.n_candidates)


def _grouped(edges: list[Edge], rows: list[EdgeRow]) -> Iterable[tuple[str, list[TableRow]]]:
    """Under each heading a row for the calls that differ in nothing but their lines, in the order of these."""
    lines: dict[EdgeRow, list[int]] = {}
    for edge, row in zip(edges, rows, strict=True):
        lines.setdefault(row, []).append(edge.line)
    for heading in dict.fromkeys(sorted((row.heading for row in rows), key=_files_first)):
        inside = sorted((sorted(at), row) for row, at in lines.items() if row.heading == heading)
        yield heading, [_cells(at, row) for at, row in inside]


def _files_first(heading: str) -> tuple[int, str]:
    """Those of the repository first, then those of others."""
    others = (_SEVERAL, *SURENESS.values())
    return others.index(heading) + 2 if heading in others else int(BORDER in heading), heading


def _cells(lines: list[int], row: EdgeRow) -> TableRow:
    several = f"one of {row.n_candidates:,}" if row.n_candidates > 1 else ""
    kind = "" if row.kind is EdgeKind.CALLS else USE_NOUNS[row.kind]
    is_said = row.heading in (_SEVERAL, SURENESS[row.resolution]) or (row.kind in NAMING and row.resolution in SURE)
    sure = ", ".join(word for word in (kind, "" if is_said else SURENESS[row.resolution], several) if word)
    name = plain(f"{row.name}  {row.where}".rstrip())
    return [_listed(lines), *([Cell(sure, "dim")] if sure else []), name]


def _listed(lines: list[int]) -> str:
    """The first of many, where lines of the screen are cut."""
    numbers = [str(line) for line in dict.fromkeys(lines)]
    n_more = 0 if screen().columns is None else max(len(numbers) - _MOST_LINES, 0)
    return ", ".join([*numbers[: len(numbers) - n_more], *([f"+{n_more}"] if n_more else [])])


def _print_summary(edges: list[Edge], files: set[str], noun: str = "use") -> None:
    counts = Counter(edge.resolution for edge in edges)
    kinds = Counter(edge.edge for edge in edges)
    words = ", ".join(f"{counts[resolution]:,} {SURENESS[resolution]}" for resolution in SURENESS if counts[resolution])
    if len(kinds) == 1:
        noun = USE_NOUNS[edges[0].edge]
    else:
        words = ", ".join(count(kinds[kind], word) for kind, word in USE_NOUNS.items() if kinds[kind]) + f"; {words}"
    where = f" in {count(len(files), 'file')}" if files else ""
    echo_wrapped(f"{count(len(edges), noun)}{where}: {words}")
    for resolution, meaning in LEGEND.items():
        if counts[resolution]:
            click.echo(paint(meaning, "dim"))
