"""`tests` and `affected`: the tests that reach a REF, and those to run after a change, each with the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import click

from birthmark.app.answers.uses.affected_tests import AffectedTests, find_affected
from birthmark.app.answers.uses.reaching_tests import ReachingTest, find_tests
from birthmark.documents.uses import affected_document, tests_document
from birthmark.documents.wording import plain
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.groups import echo_wrapped, print_groups
from birthmark.surfaces.cli.terminal.output import json_option, print_json, say, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.vocabulary import ReachWord
from birthmark.words import count, short

_WORKTREE = "worktree"
_SHOWN_FILES = 5
ids_option = click.option("--ids", "as_ids", is_flag=True, help="Print only the tests, as their runner takes them.")


@click.command()
@click.argument("ref")
@ids_option
@json_option
def tests(ref: str, as_ids: bool, as_json: bool) -> None:
    """List the tests that reach REF, nearest first, each with the way from the test to REF.

    A way goes through calls and other uses, from a method to what uses its class, from a fixture to what takes it by
    name, and from the top level of a file to what imports it.

    \b
    Examples:
      birthmark tests Flask.url_for
      pytest $(birthmark tests Flask.url_for --ids)
      birthmark tests src/app.py:120 --json
    """
    with asking() as session:
        found = find_tests(session, ref)
        freshness = session.freshness
    if as_json:
        print_json(tests_document(found, freshness))
        return
    warn_if_stale(freshness)
    name = plain(found.indexed.entity.qualified_name)
    if as_ids:
        _print_ids(found.tests)
    elif not found.tests:
        echo_wrapped(f"none of {count(found.n_all, 'test')} is known to reach `{name}`")
    else:
        with paging():
            print_groups(_by_distance(found.tests))
            echo_wrapped(f"{len(found.tests):,} of {count(found.n_all, 'test')} reach `{name}`")


@click.command()
@click.option("--since", metavar="REV", default="HEAD", show_default=True, help="The revision before the change.")
@click.option("--until", metavar="REV", default=_WORKTREE, show_default=True, help="The revision after the change.")
@ids_option
@json_option
def affected(since: str, until: str, as_ids: bool, as_json: bool) -> None:
    """List the tests to run after a change, nearest first, each with the way from the test to what changed.

    All tests are listed that may reach a definition which was edited, added, renamed or deleted, or the top level of a
    file that changed; what changed in layout and comments only does not count. The tests are those of the worktree.

    \b
    Examples:
      birthmark affected                         what is not committed
      birthmark affected --since main            what a branch did
      pytest $(birthmark affected --since main --ids)
      birthmark affected --since v1.0 --until v1.1 --json
    """
    with asking() as session:
        found = find_affected(session, since, None if until == _WORKTREE else until)
        freshness = session.freshness
    if as_json:
        print_json(affected_document(found, freshness))
        return
    warn_if_stale(freshness)
    if found.unseen:
        say(f"not looked into: {_listed(found.unseen)}; tests that read {_them(found.unseen)} may not be listed")
    if as_ids:
        _print_ids(found.tests)
        return
    with paging():
        print_groups(_by_distance(found.tests))
        echo_wrapped(_summary(found))


def _print_ids(found: Iterable[ReachingTest]) -> None:
    for test in found:
        click.echo(test.id)


def _by_distance(found: Iterable[ReachingTest]) -> Iterable[tuple[str, list[TableRow]]]:
    for distance, group in groupby(found, lambda test: test.distance):
        yield (count(distance, "step") + " away" if distance else "changed"), [_row(test) for test in group]


def _row(test: ReachingTest) -> TableRow:
    return plain(test.id), Cell(_way(test), "dim")


def _way(test: ReachingTest) -> str:
    """`calls f, which calls C.g`; where a type contains what is reached, that is named by itself."""
    steps = [f"{step.step.word} {plain(step.row.qualified_name if step.row else step.path)}" for step in test.way]
    return ", which ".join(steps).replace(f", which {ReachWord.CONTAINS} ", " with ")


def _summary(found: AffectedTests) -> str:
    changes = [count(len(found.changes), "definition")] if found.changes else []
    files = [f"the top level of {count(len(found.top_levels), 'file')}"] if found.top_levels else []
    changed = " and ".join([*changes, *files]) or "no code"
    target = "now" if found.target.startswith("the ") else short(found.target)
    tests_ = f"{len(found.tests):,} of {count(found.n_all, 'test')}"
    return f"{tests_} to run: {changed} changed from {short(found.base)} to {target}"


def _listed(paths: Sequence[str]) -> str:
    return ", ".join(map(plain, paths[:_SHOWN_FILES])) + (", …" if len(paths) > _SHOWN_FILES else "")


def _them(paths: Sequence[str]) -> str:
    return "it" if len(paths) == 1 else "them"
