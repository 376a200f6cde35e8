"""`history`: what happened to an entity, commit by commit."""

from __future__ import annotations

import time

import click

from birthmark.app.histories import (
    History,
    find_subject,
    is_cosmetic,
    read_history,
    read_inner_history,
    read_members,
)
from birthmark.app.repository import open_repository
from birthmark.history.follow import Step
from birthmark.sources.log import Commit
from birthmark.surfaces.cli.output import json_option, print_json, say
from birthmark.surfaces.text import count, lines_of, paint
from birthmark.surfaces.wire.changes import history_document


@click.command()
@click.argument("ref")
@click.option("--at", "revision", metavar="REV", help="Start at this revision, which has REF; else at HEAD.")
@click.option("--all", "with_cosmetic", is_flag=True, help="Also list changes of only comments or formatting.")
@click.option("--members", "with_members", is_flag=True, help="Also follow the members of REF.")
@click.option("--variable", metavar="NAME", help="Follow a local variable or parameter of REF.")
@click.option("--block", "is_block", is_flag=True, help="Follow the block (a loop, a conditional, …) at path:line.")
@json_option
def history(
    ref: str,
    revision: str | None,
    with_cosmetic: bool,
    with_members: bool,
    variable: str | None,
    is_block: bool,
    as_json: bool,
) -> None:
    """Show what each commit did to REF, across renames and moves.

    REF is path::Qualified.name or path:line; with an index also a mark, key, semantic id or unique name.

    \b
    Examples:
      birthmark history src/app.py::Flask.url_for
      birthmark history src/app.py:120 --at v2.0
      birthmark history src/app.py:120 --block
      birthmark history src/app.py::Flask.url_for --variable endpoint
      birthmark history bm-7k3q9w2m4x8p --json
    """
    if [bool(variable), is_block, with_members].count(True) > 1:
        raise click.UsageError("--variable, --block and --members cannot be combined")
    with open_repository() as past:
        subject = find_subject(past, ref, revision)
        if variable is not None or is_block:
            found = read_inner_history(past, subject, variable)
        else:
            found = (read_members if with_members else read_history)(past, subject)
        problems = list(past.problems)
    for problem in problems:
        say(f"{problem.path}: {problem.problem}")
    if as_json:
        print_json(history_document(found))
        return
    _print_history(found, with_cosmetic)


def _print_history(found: History, with_cosmetic: bool) -> None:
    entity = found.entity
    click.echo(f"{paint(entity.kind, 'cyan')} {entity.qualified_name}  {found.target.path}:{entity.start_line}")
    hidden = 0
    members = found.members or (None,) * len(found.steps)
    for (step, commit), member in zip(found.steps, members, strict=True):
        if not with_cosmetic and is_cosmetic(step):
            hidden += 1
            continue
        click.echo(f"  {_describe(step, commit)}{f'  of {member}' if member else ''}")
    if hidden:
        say(f"{count(hidden, 'step')} changed comments or formatting only; --all lists them")


def _describe(step: Step, commit: Commit) -> str:
    day = time.strftime("%Y-%m-%d", time.gmtime(commit.at))
    what = ", ".join(step.changes)
    where = f"  from {step.before.path}::{step.before.qualified_name}" if step.before and _has_moved(step) else ""
    location = (
        f"{step.after.path}:{lines_of(step.after.start_line, step.after.end_line)}" if step.before is None else ""
    )
    source = f"  {step.evidence}" if step.before is None and step.evidence else ""
    return f"{commit.id[:12]}  {day}  {commit.author}  {paint(what, 'yellow')}{where}  {location}{source}".rstrip()


def _has_moved(step: Step) -> bool:
    before, after = step.before, step.after
    return before is not None and (before.path, before.qualified_name) != (after.path, after.qualified_name)
