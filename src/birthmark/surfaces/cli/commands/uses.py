"""`users`, `callers`, `callees`, `tests` and `affected`: uses by file, and tests with the path to what they reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import click

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import AffectedDocument, EdgeDocument, EdgesDocument, ReachingTestDocument, TestsDocument
from birthmark.documents.wording import plain
from birthmark.questions.tests import AffectedTests, ReachingTests
from birthmark.questions.users import Callees, Callers, Users
from birthmark.surfaces.cli.question_command import question_command
from birthmark.surfaces.cli.terminal.lives import place_of
from birthmark.surfaces.cli.terminal.output import say
from birthmark.surfaces.cli.terminal.tables import Cell, RowLimit, TableRow, echo_wrapped, print_groups, print_table
from birthmark.surfaces.cli.terminal.trees import (
    LEGEND,
    NAMING,
    SURE,
    SURENESS,
    UNSEEN,
    UNSEEN_ANYWHERE,
    USE_NOUNS,
)
from birthmark.surfaces.text import paint, screen
from birthmark.vocabulary import EdgeKind, ReachWord, Resolution
from birthmark.words import BORDER, count, lines_of, place_elsewhere, plural, short

_NOUNS = {"calls": "call", "references": "reference", "subclasses": "subclass"}
_SEVERAL = "one of several definitions of the name"
_MOST_LINES = 4  # that are shown of calls which share a row
_SHOWN_FILES = 5


class EdgeRow(NamedTuple):
    """The key by which calls share a row, and the heading of that row."""

    heading: str
    name: str
    where: str  # the lines of what is called
    kind: EdgeKind
    resolution: Resolution
    n_candidates: int


def _print_users(asked: Users, found: EdgesDocument, *, limit: RowLimit) -> None:
    noun = _NOUNS.get(" ".join(asked.uses), "use")
    if not found.results:
        of, unseen = "to" if noun == "reference" else "of", UNSEEN_ANYWHERE if asked.everywhere else UNSEEN
        name, files = plain(found.entity.qualified_name), count(found.searched_files, "file")
        echo_wrapped(f"no {noun} {of} `{name}` found in {files}; {unseen}")
    else:
        _print_title(f"{plural(noun)} {'to' if noun == 'reference' else 'of'}", found.entity)
        rows = [(edge, _user_row(edge)) for edge in found.results]
        print_groups(_grouped(rows), limit=limit)
        _print_summary(found.results, {row.heading for _, row in rows}, noun)
    if asked.everywhere:
        echo_wrapped(_describe_others(found))


def _describe_others(found: EdgesDocument) -> str:
    """Describe the other repositories that were asked, and the reason."""
    if not found.packages:
        return "no manifest says in which package it is, so that no other repository can be asked"
    packages = ", ".join(f"{plain(one.name)} ({one.ecosystem})" for one in found.packages)
    n_users = len({edge.repository for edge in found.results if edge.repository})
    return f"other repositories that may depend on {packages}: {found.asked:,}, that use it: {n_users:,}"


def _print_callees(asked: Callees, found: EdgesDocument, *, limit: RowLimit) -> None:
    if not found.results:
        name, where = plain(found.entity.qualified_name), place_of(found.entity)
        echo_wrapped(f"`{name}` calls nothing: there is no call in {where}")
        return
    _print_title("calls in", found.entity)
    rows = [(edge, _callee_row(edge)) for edge in found.results]
    print_groups(_grouped(rows), limit=limit)
    _print_summary(found.results, {row.heading for edge, row in rows if edge.entity is not None})


_CALLS = click.Option(["--calls"], is_flag=True, hidden=True, expose_value=False)  # needless, and once documented
users = question_command(Users, _print_users, cuts=True)
callers = question_command(Callers, _print_users, options=[_CALLS], cuts=True)
callees = question_command(Callees, _print_callees, cuts=True)


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


def _print_tests(asked: ReachingTests, found: TestsDocument, *, ids: bool, limit: RowLimit) -> None:
    name = plain(found.entity.qualified_name)
    if ids:
        _print_ids(found.results)
    elif not found.results:
        echo_wrapped(f"none of {count(found.all_tests, 'test')} is known to reach `{name}`")
    else:
        _print_ranked(found.results, limit)
        echo_wrapped(f"{len(found.results):,} of {count(found.all_tests, 'test')} reach `{name}`")


def _print_affected(asked: AffectedTests, found: AffectedDocument, *, ids: bool, limit: RowLimit) -> None:
    if found.unseen_files:
        them = "it" if len(found.unseen_files) == 1 else "them"
        say(f"not analysed: {_some(found.unseen_files)}; tests that read {them} may not be listed")
    if ids:
        _print_ids(found.results)
    else:
        _print_ranked(found.results, limit)
        echo_wrapped(_affected_summary(found))


def _ids() -> click.Option:
    return click.Option(["--ids"], is_flag=True, help="Print only the tests, as their runner takes them.")


tests = question_command(ReachingTests, _print_tests, options=[_ids()], cuts=True)
affected = question_command(AffectedTests, _print_affected, options=[_ids()], cuts=True)


def _print_ids(found: Iterable[ReachingTestDocument]) -> None:
    for test in found:
        click.echo(test.id)


def _print_ranked(found: Iterable[ReachingTestDocument], limit: RowLimit) -> None:
    rows = [(_score(test), plain(test.id), Cell(_way(test), "dim")) for test in found]
    print_table(limit.take(rows))
    if rows:
        click.echo()


def _score(test: ReachingTestDocument) -> str:
    return f"{test.score:.2f}" if test.distance else "changed"


def _way(test: ReachingTestDocument) -> str:
    """`calls f, which calls C.g`; where a type contains what is reached, that is named by itself."""
    steps = [f"{step.word} {plain(step.qualified_name or step.path)}" for step in test.way]
    return ", which ".join(steps).replace(f", which {ReachWord.CONTAINS} ", " with ")


def _affected_summary(found: AffectedDocument) -> str:
    changes = [count(len(found.changes), "definition")] if found.changes else []
    files = [f"the top level of {count(len(found.changed_files), 'file')}"] if found.changed_files else []
    changed = " and ".join([*changes, *files]) or "no code"
    target = "now" if found.target.startswith("the ") else short(found.target)
    n_tests = f"{len(found.results):,} of {count(found.all_tests, 'test')}"
    return f"{n_tests} to run: {changed} changed from {short(found.base)} to {target}"


def _some(paths: Sequence[str]) -> str:
    return ", ".join(map(plain, paths[:_SHOWN_FILES])) + (", …" if len(paths) > _SHOWN_FILES else "")
