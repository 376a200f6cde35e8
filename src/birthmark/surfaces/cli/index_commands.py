"""`index`, `status`, `validate` and `doctor`."""

from __future__ import annotations

from pathlib import Path

import click

from birthmark.app.index import IndexOptions
from birthmark.app.index_update import IndexUpdate, update_folder
from birthmark.app.session import asking
from birthmark.app.status import Status, read_status
from birthmark.app.workspace import find_workspace
from birthmark.extraction.model import Collisions
from birthmark.ledger.replay import Replayed
from birthmark.ledger.update import Summary
from birthmark.surfaces.cli.output import json_option, print_json, say
from birthmark.surfaces.cli.progress import progress_bar
from birthmark.surfaces.text import count, short
from birthmark.surfaces.wire.index import (
    RepairDocument,
    ValidationDocument,
    index_update_document,
    status_document,
)
from birthmark.vocabulary import Detail

_NOUNS = {
    "files": "file",
    "entities": "entity",
    "nodes": "node",
    "chunks": "chunk",
    "edges": "edge",
    "identities": "identity",
}
_SHOWN_PROBLEMS = 5
_WAIT_SECONDS = 30.0


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option("--jobs", type=click.IntRange(min=1), help="Number of worker processes.  [default: one per core]")
@click.option(
    "--detail",
    type=click.Choice([str(detail) for detail in Detail]),
    help="Store every node in the index (full), or extract nodes again when needed.  [default: unchanged]",
)
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=_WAIT_SECONDS,
    show_default=True,
    help="Seconds to wait while another process writes to the index.",
)
@click.option(
    "--from-history",
    is_flag=True,
    help="Replay the history of HEAD first; entities are born at the time of their commit.",
)
@json_option
def index(path: Path, jobs: int | None, detail: str | None, wait: float, from_history: bool, as_json: bool) -> None:
    """Index a repository, or bring its index up to date.

    The index is in .birthmark/ at the root of the repository, which git ignores.

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
    if as_json:
        print_json(index_update_document(update))
        return
    if update.replayed is not None:
        _print_replayed(update.replayed)
    _print_update(update)


def _print_replayed(replayed: Replayed) -> None:
    rate = f", {replayed.n_new / replayed.seconds:,.0f} commits/s" if replayed.n_new else ""
    click.echo(
        f"replayed {replayed.n_new:,} of {count(replayed.n_commits, 'commit')}, "
        f"extracted {replayed.n_extracted:,} in {replayed.seconds:.2f} s{rate}"
    )
    changes = ", ".join(f"{number:,} {change}" for change, number in _counted(replayed.changes))
    click.echo(f"history: {changes or 'nothing new'}")
    for problem in replayed.problems[:_SHOWN_PROBLEMS]:
        click.echo(f"  {problem.path}: {problem.problem}")
    if len(replayed.problems) > _SHOWN_PROBLEMS:
        click.echo(f"  and {len(replayed.problems) - _SHOWN_PROBLEMS:,} more; --json lists them all")


def _print_update(update: IndexUpdate) -> None:
    summary, status = update.summary, update.status
    counts, collisions = status.counts, status.collisions
    contents = ", ".join(count(counts[name], noun) for name, noun in _NOUNS.items() if name != "identities")
    click.echo(f"{contents} in {status.root.name}")
    _print_left_out(status)
    click.echo(f"{_work_done(summary)} in {update.seconds:.2f} s")
    changes = ", ".join(f"{number:,} {change}" for change, number in _counted(summary.changes))
    click.echo(f"changes: {changes or 'none'}")
    click.echo(f"collisions: {_describe_collisions(collisions)}")
    _print_problems(status)


def _work_done(summary: Summary) -> str:
    """Equal contents are extracted once, and contents that are in the cache not at all."""
    n_spared = summary.n_read - summary.n_extracted
    spared = f" ({n_spared:,} equal, cached or without code)" if n_spared > 0 else ""
    return f"read {count(summary.n_read, 'file')}, extracted {summary.n_extracted:,}{spared}"


def _print_left_out(status: Status) -> None:
    files = status.files
    reasons = [(files.unsupported, "in no supported language"), (files.unreadable, "could not be read")]
    left_out = ", ".join(f"{number:,} {reason}" for number, reason in reasons if number)
    if left_out:
        click.echo(f"left out of {count(sum(files), 'file')}: {left_out}")


def _describe_collisions(collisions: Collisions) -> str:
    if not collisions.nodes and not collisions.chunks.collisions:
        return "none"
    by_content, chunks = collisions.nodes - collisions.nodes_counted, collisions.chunks
    nodes = f"{count(by_content, 'node')} distinguished by content, {collisions.nodes_counted:,} by order"
    if not chunks.collisions:
        return f"{nodes}; no chunk uids"
    return (
        f"{nodes}; {count(chunks.collisions, 'chunk uid')}, {count(chunks.resolved_by_escalation, 'chunk')} "
        f"distinguished by wider context, {chunks.resolved_by_ordinal:,} by order"
    )


def _counted(changes: dict[str, int]) -> list[tuple[str, int]]:
    return [(change, number) for change, number in changes.items() if number and change != "unchanged"]


def _print_problems(status: Status, limit: int = _SHOWN_PROBLEMS) -> None:
    n_problems = len(status.problems)
    click.echo(f"problems: {n_problems:,}" if n_problems else "problems: none")
    for problem in status.problems[:limit]:
        click.echo(f"  {problem.path}: {problem.problem}")
    if n_problems > limit:
        click.echo(f"  and {n_problems - limit:,} more; `birthmark status` lists them all")


@click.command()
@json_option
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the index is not fresh.")
@click.pass_context
def status(ctx: click.Context, as_json: bool, exit_code: bool) -> None:
    """Show how fresh the index is, what it holds, and what could not be read.

    \b
    Examples:
      birthmark status
      birthmark status --json | jq .pending
    """
    with asking() as session:
        found = read_status(session)
    if as_json:
        print_json(status_document(found))
    else:
        _print_status(found)
    if exit_code and not found.freshness.is_fresh:
        ctx.exit(1)


def _print_status(found: Status) -> None:
    freshness = found.freshness
    detached = ", HEAD is detached" if freshness.head else ""
    click.echo(f"{found.root}{f' on {found.branch}' if found.branch else detached}")
    click.echo(f"indexed at {short(freshness.indexed_revision)}, now at {short(freshness.head)}")
    if freshness.pending:
        click.echo(f"pending: {count(len(freshness.pending), 'file')}; run `birthmark index`")
        for path in freshness.pending[:_SHOWN_PROBLEMS]:
            click.echo(f"  {path}")
    else:
        click.echo(
            "fresh" if freshness.is_fresh else "no file has changed; run `birthmark index` to record the revision"
        )
    click.echo(", ".join(count(found.counts[name], noun) for name, noun in _NOUNS.items()))
    _print_left_out(found)
    click.echo(f"collisions: {_describe_collisions(found.collisions)}")
    _print_problems(found, len(found.problems))


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
    from birthmark.app.checking import check_index

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
    from birthmark.app.checking import repair_index

    report = repair_index(find_workspace(Path.cwd()), _WAIT_SECONDS)
    if as_json:
        print_json(RepairDocument(report.repaired, report.n_identities))
        return
    for line in report.repaired:
        click.echo(line)
    click.echo(f"{'repaired' if report.repaired else 'healthy'}: {count(report.n_identities, 'identity')}")
    if report.damaged is not None:
        say(f"the damaged database is kept as {report.damaged}; remove it when it is no longer needed")
