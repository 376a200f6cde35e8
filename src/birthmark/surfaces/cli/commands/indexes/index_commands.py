"""`index`, `validate` and `doctor`."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from birthmark.app.indexing.index import IndexOptions
from birthmark.app.indexing.index_update import IndexUpdate, update_folder
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.index import RepairDocument, ValidationDocument, index_update_document
from birthmark.surfaces.cli.commands.indexes.status_command import describe_contents, describe_left_out
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.shared_options import wait_option
from birthmark.surfaces.cli.terminal.output import json_option, print_json, progress_bar, say
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.vocabulary import Change, Detail
from birthmark.words import count

if TYPE_CHECKING:
    from birthmark.ledger.replay import Replayed

_CHANGES = {Change.BORN: "new"}  # other words than those in JSON
_SHOWN_PROBLEMS = 5
_WAIT_SECONDS = 30.0


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of worker processes.  [default: one per core]"
)
@click.option(
    "--detail",
    type=click.Choice([str(detail) for detail in Detail]),
    help="Store every node in the index (full), or extract nodes again when needed.  [default: unchanged]",
)
@wait_option
@click.option(
    "--from-history",
    is_flag=True,
    help="Replay the history of HEAD first; entities are born at the time of their commit.",
)
@click.option("--suggest", is_flag=True, help="End with questions to try, as the first index of a repository does.")
@json_option
def index(
    path: Path, jobs: int | None, detail: str | None, wait: float, from_history: bool, suggest: bool, as_json: bool
) -> None:
    """Index a repository, or bring its index up to date.

    The index is in .birthmark/ at the root of the repository, which git ignores. It holds entities (definitions), the
    references between them and chunks; nodes (calls, parameters and so on) are extracted again when they are needed,
    unless --detail full stores them. The detail of an index stays until it is changed. Of a bare repository the commit
    of its branch is indexed.

    With --from-history the commits that led to HEAD are replayed first, so that births and marks are the same in every
    clone, and `history` and `blame` need not walk git. After an interruption it continues where it stopped; later runs
    replay the new commits.

    \b
    Examples:
      birthmark index
      birthmark index ~/src/project --jobs 2
      birthmark index --detail full
      birthmark index --from-history
    """
    with progress_bar() as progress:
        options = IndexOptions(jobs, Detail(detail) if detail else None, progress)
        update = update_folder(path, wait, options, from_history=from_history)
    for line in update.mended:
        say(line)
    if as_json:
        print_json(index_update_document(update))
        return
    if update.replayed is not None:
        _print_replayed(update.replayed)
    _print_update(update)
    if update.is_first or suggest:
        _print_suggestions(update.status.root)


def _print_replayed(replayed: Replayed) -> None:
    rate = f", {replayed.n_new / replayed.seconds:,.0f} commits/s" if replayed.n_new else ""
    click.echo(
        f"replayed {replayed.n_new:,} of {count(replayed.n_commits, 'commit')}, "
        f"parsed {replayed.n_extracted:,} files in {replayed.seconds:.2f} s{rate}"
    )
    click.echo(f"history: {_describe_changes(replayed.changes) or 'nothing new'}")
    for problem in replayed.problems[:_SHOWN_PROBLEMS]:
        click.echo(f"  {problem.path}: {problem.problem}")
    if len(replayed.problems) > _SHOWN_PROBLEMS:
        click.echo(f"  and {len(replayed.problems) - _SHOWN_PROBLEMS:,} more; --json lists them all")


def _print_update(update: IndexUpdate) -> None:
    summary, status = update.summary, update.status
    click.echo(f"{status.root.name}: {describe_contents(status)}")
    if left_out := describe_left_out(status):
        click.echo(f"left out: {left_out}")
    click.echo(f"changes: {_describe_changes(summary.changes) or 'none'}")
    if status.problems:
        click.echo(f"problems: {len(status.problems):,}; `birthmark status` lists them")
    read = f"{count(summary.n_read, 'file')} read" if summary.n_read else "nothing to read"
    click.echo(f"{read} in {update.seconds:.2f} s")


def _describe_changes(changes: dict[str, int]) -> str:
    return ", ".join(
        f"{number:,} {_CHANGES.get(Change(change), change)}"
        for change, number in changes.items()
        if number and change != Change.UNCHANGED
    )


def _print_suggestions(root: Path) -> None:
    """Questions to try, for someone who has just made a first index."""
    from birthmark.app.indexing.suggestions import find_suggestions

    found = find_suggestions(root)
    before = "" if root == Path.cwd() else f"-C {shlex.quote(os.path.relpath(root))} "
    if found:
        click.echo("\nTry next:")
        print_table([(f"birthmark {before}{one.arguments}", one.meaning) for one in found], "  ")


@click.command()
@click.option(
    "--against-rebuild", is_flag=True, help="Index the same files into an empty index and compare row by row."
)
@click.option("--strict", is_flag=True, help="Count problems and pending files as findings, too.")
@json_option
@click.pass_context
def validate(ctx: click.Context, against_rebuild: bool, strict: bool, as_json: bool) -> None:
    """Check that the index is consistent; exit with 1 if it is not.

    \b
    Examples:
      birthmark validate
      birthmark validate --against-rebuild
      birthmark validate --strict --json
    """
    from birthmark.app.indexing.checking import check_index

    with asking() as session:
        findings = check_index(session, against_rebuild=against_rebuild, strict=strict)
    if as_json:
        print_json(ValidationDocument(not findings, findings))
    else:
        for finding in findings:
            click.echo(finding)
        click.echo("valid" if not findings else f"{count(len(findings), 'finding')}; run `birthmark doctor`")
    if findings:
        ctx.exit(1)


@click.command()
@json_option
def doctor(as_json: bool) -> None:
    """Check the index and repair it.

    Identities are kept even if the database is damaged or missing: the ledger's log has them.

    \b
    Examples:
      birthmark doctor
    """
    from birthmark.app.indexing.checking import repair_index

    report = repair_index(find_workspace(Path.cwd()), _WAIT_SECONDS)
    if as_json:
        print_json(RepairDocument(report.repaired, report.n_identities))
        return
    for line in report.repaired:
        click.echo(line)
    click.echo(f"{'repaired' if report.repaired else 'healthy'}: {count(report.n_identities, 'identity')}")
    if report.damaged is not None:
        say(f"the damaged database is kept as {report.damaged}; remove it when it is no longer needed")
