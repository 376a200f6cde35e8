"""`users`, `callers` and `callees`: what uses a REF, and what it calls, by file and in plain words how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import click

from birthmark.app.across import BORDER, place_elsewhere
from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import EdgeDocument, EdgesDocument
from birthmark.documents.wording import plain
from birthmark.questions.users import Callees, Callers, Users
from birthmark.surfaces.cli.question_command import question_command
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
from birthmark.surfaces.cli.terminal.lives import place_of
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


def _print_users(asked: Users, found: EdgesDocument) -> None:
    noun = _NOUNS.get(" ".join(asked.uses), "use")
    if not found.results:
        of, unseen = "to" if noun == "reference" else "of", UNSEEN_ANYWHERE if asked.everywhere else UNSEEN
        name, files = plain(found.entity.qualified_name), count(found.searched_files, "file")
        echo_wrapped(f"no {noun} {of} `{name}` found in {files}; {unseen}")
    else:
        _print_title(f"{plural(noun)} {'to' if noun == 'reference' else 'of'}", found.entity)
        rows = [(edge, _user_row(edge)) for edge in found.results]
        print_groups(_grouped(rows))
        _print_summary(found.results, {row.heading for _, row in rows}, noun)
    if asked.everywhere:
        echo_wrapped(_describe_others(found))


def _describe_others(found: EdgesDocument) -> str:
    """Which other repositories were asked, and why those."""
    if not found.packages:
        return "no manifest says in which package it is, so that no other repository can be asked"
    packages = ", ".join(f"{plain(one.name)} ({one.ecosystem})" for one in found.packages)
    n_users = len({edge.repository for edge in found.results if edge.repository})
    return f"other repositories that may depend on {packages}: {found.asked:,}, that use it: {n_users:,}"


def _print_callees(asked: Callees, found: EdgesDocument) -> None:
    if not found.results:
        name, where = plain(found.entity.qualified_name), place_of(found.entity)
        echo_wrapped(f"`{name}` calls nothing: there is no call in {where}")
        return
    _print_title("calls in", found.entity)
    rows = [(edge, _callee_row(edge)) for edge in found.results]
    print_groups(_grouped(rows))
    _print_summary(found.results, {row.heading for edge, row in rows if edge.entity is not None})


_CALLS = click.Option(["--calls"], is_flag=True, hidden=True, expose_value=False)  # needless, and once documented
users = question_command(Users, _print_users)
callers = question_command(Callers, _print_users, options=[_CALLS])
callees = question_command(Callees, _print_callees)


def _print_title(title: str, entity: EntityDocument) -> None:
    click.echo(f"{title} {entity.kind} {paint(plain(entity.qualified_name), 'cyan')}  {place_of(entity)}")
    click.echo()


def _user_row(edge: EdgeDocument) -> EdgeRow:
    site = edge.site.path
    name = edge.entity.qualified_name if edge.entity is not None else f"top level of {site}"
    return EdgeRow(place_elsewhere(edge.repository, site), name, "", edge.edge, edge.resolution, _n_candidates(edge))


def _callee_row(edge: EdgeDocument) -> EdgeRow:
    callee, kind = edge.entity, (edge.edge, edge.resolution, _n_candidates(edge))
    if callee is None:
        return EdgeRow(_SEVERAL if _n_candidates(edge) > 1 else SURENESS[edge.resolution], edge.name, "", *kind)
    where = lines_of(callee.start_line, callee.end_line)
    return EdgeRow(place_elsewhere(edge.repository, callee.path), callee.qualified_name, where, *kind)


def _n_candidates(edge: EdgeDocument) -> int:
    """Return how many definitions of the repository may be meant."""
    return edge.candidates - edge.may_be_outside


def _grouped(rows: Sequence[tuple[EdgeDocument, EdgeRow]]) -> Iterable[tuple[str, list[TableRow]]]:
    """Under each heading a row for the calls that differ in nothing but their lines, in the order of these."""
    lines: dict[EdgeRow, list[int]] = {}
    for edge, row in rows:
        lines.setdefault(row, []).append(edge.site.line)
    for heading in dict.fromkeys(sorted((row.heading for row in lines), key=_files_first)):
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


def _print_summary(edges: Sequence[EdgeDocument], files: set[str], noun: str = "use") -> None:
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
