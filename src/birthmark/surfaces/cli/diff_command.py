"""`diff`: what became of entities between two states."""

from __future__ import annotations

import click

from birthmark.app.diffing import NamedDiff, diff_states
from birthmark.app.repository import open_repository
from birthmark.comparison.entities import EntityChange
from birthmark.model import Location
from birthmark.surfaces.cli.output import json_option, print_json, print_rows, say
from birthmark.surfaces.text import lines_of, short
from birthmark.surfaces.wire.changes import diff_document
from birthmark.vocabulary import Change


@click.command()
@click.argument("base", required=False)
@click.argument("target", required=False)
@click.option("--moved", is_flag=True, help="Also list entities that only moved within their file.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if anything differs.")
@json_option
@click.pass_context
def diff(ctx: click.Context, base: str | None, target: str | None, moved: bool, exit_code: bool, as_json: bool) -> None:
    """Compare entity by entity: added, deleted, modified, moved, renamed, relocated.

    Without arguments, compare the index with the worktree; with BASE alone, compare that revision with the worktree.

    \b
    Examples:
      birthmark diff
      birthmark diff HEAD~3
      birthmark diff v1.0 v2.0 --json
    """
    with open_repository() as repository:
        base_name, target_name, found = diff_states(repository, base, target)
    if as_json:
        print_json(diff_document(base_name, target_name, found))
    else:
        _print_diff(base_name, target_name, found, moved)
    if exit_code and found.changes:
        ctx.exit(1)


def _print_diff(base: str, target: str, found: NamedDiff, with_moved: bool) -> None:
    for problem in found.problems:
        say(f"{problem.path}: {problem.problem}")
    print_rows([_row(change) for change in found.changes if with_moved or change.change != Change.MOVED])
    counts = ", ".join(f"{number:,} {change}" for change, number in found.counts.items() if number)
    click.echo(f"{_name(base)} to {_name(target)}: {counts or 'nothing differs'}")


def _name(state: str) -> str:
    return state if state.startswith("the ") else short(state)


def _row(change: EntityChange) -> tuple[str, str, str]:
    location = change.after or change.before
    assert location is not None
    aspects = f"  ({', '.join(change.aspects)})" if change.aspects else ""
    was = f"  was {_was(change.before, change.after)}" if change.before and change.after and _has_moved(change) else ""
    return (
        f"{location.path}:{lines_of(location.start_line, location.end_line)}",
        change.change,
        location.qualified_name + was + aspects,
    )


def _has_moved(change: EntityChange) -> bool:
    before, after = change.before, change.after
    assert before is not None
    assert after is not None
    return (before.path, before.qualified_name) != (after.path, after.qualified_name)


def _was(before: Location, after: Location) -> str:
    if before.path == after.path:
        return before.qualified_name
    return f"{before.path}::{before.qualified_name}"
