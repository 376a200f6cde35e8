"""`status`: one screen that says what is indexed, how fresh it is, what failed and what to do."""

from __future__ import annotations

import time
from collections.abc import Iterator

import click

from birthmark.app.indexing.status import Status, read_status
from birthmark.documents.index import status_document
from birthmark.documents.wording import plain
from birthmark.extraction.model import Collisions
from birthmark.surfaces.cli.refresh_option import asking
from birthmark.surfaces.cli.terminal.output import json_option, print_json
from birthmark.surfaces.text import fit, paint, screen, wrap_text
from birthmark.words import count, short

_SHOWN = 8  # paths and problems, unless all are asked for
_WIDTH = 15  # of the labels
_CONTENTS = {"files": "file", "entities": "entity", "chunks": "chunk", "edges": "reference"}
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_AGES = ((86400, "day"), (3600, "hour"), (60, "minute"))


@click.command()
@json_option
@click.option(
    "-v", "--verbose", is_flag=True, help="Also read all files to count equal nodes and names, and list all problems."
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the index is not fresh.")
@click.pass_context
def status(ctx: click.Context, as_json: bool, verbose: bool, exit_code: bool) -> None:
    """Show what is indexed, how fresh the index is, what could not be read, and what to do about it.

    An entity is a definition: a class, a function, a field, a variable of a module. A reference is a call, an import
    or a base class. A chunk is a piece of a file for embedding. The index is not brought up to date by this command.

    \b
    Examples:
      birthmark status
      birthmark status --verbose
      birthmark status --exit-code && echo fresh
      birthmark status --json | jq .pending
    """
    with asking() as session:
        found = read_status(session, with_nodes=verbose)
    if as_json:
        print_json(status_document(found))
    else:
        _print_status(found, verbose)
    if exit_code and not found.freshness.is_fresh:
        ctx.exit(1)


def describe_contents(status: Status) -> str:
    """Return the numbers of indexed items."""
    return ", ".join(count(status.counts[name] or 0, noun) for name, noun in _CONTENTS.items())


def describe_left_out(status: Status) -> str:
    files = status.files
    reasons = [(files.unsupported, "in no supported language"), (files.unreadable, "that could not be read")]
    return ", ".join(f"{count(number, 'file')} {reason}" for number, reason in reasons if number)


def _print_status(found: Status, is_verbose: bool) -> None:
    for label, text in _rows(found, is_verbose):
        first, *rest = wrap_text(text, " " * _WIDTH)
        for line in (paint(label, "bold") + first[len(label) :], *rest):
            click.echo(line)
    problems = found.problems if is_verbose else found.problems[:_SHOWN]
    for problem in problems:
        click.echo(fit(f"  {plain(problem.path)}: {plain(problem.problem)}", screen().columns))
    if len(problems) < len(found.problems):
        click.echo(f"  and {len(found.problems) - len(problems):,} more; --verbose lists them all")


def _rows(found: Status, is_verbose: bool) -> Iterator[tuple[str, str]]:
    on = f" on {plain(found.branch)}" if found.branch else ", HEAD is detached" if found.freshness.head else ""
    yield "repository", f"{found.root}{on}"
    yield "index", _describe_freshness(found)
    yield "contents", describe_contents(found)
    if left_out := describe_left_out(found):
        yield "left out", left_out
    yield "history", _describe_history(found)
    yield "subscriptions", _describe_subscriptions(found.subscriptions)
    yield "on disk", _describe_size(found.bytes_on_disk, found.store)
    if is_verbose:
        yield from _details(found)
    n_problems = len(found.problems)
    yield "problems", f"{n_problems:,}; what could be read of these files is indexed" if n_problems else "none"


def _describe_freshness(found: Status) -> str:
    freshness, at = found.freshness, short(found.freshness.indexed_revision)
    age = f"updated {_describe_age(time.time() - found.indexed_at)}"
    advice = "the next question brings it up to date, and so does `birthmark index`"
    if freshness.pending:
        listed = ", ".join(map(plain, freshness.pending[:_SHOWN])) + (", …" if len(freshness.pending) > _SHOWN else "")
        return f"{count(len(freshness.pending), 'file')} changed since it was {age}: {listed}; {advice}"
    if not freshness.is_fresh:
        return f"of {at}, now at {short(freshness.head)}, but no file differs; {advice}"
    return f"fresh, {'of ' + at if freshness.head else 'no commit yet'}, {age}"


def _describe_age(seconds: float) -> str:
    for length, unit in _AGES:
        if seconds >= length:
            return f"{count(int(seconds // length), unit)} ago"
    return "just now"


def _describe_history(found: Status) -> str:
    if found.is_replay_unfinished:
        return f"replay unfinished, {count(found.replayed_commits, 'commit')} done; `birthmark index` continues it"
    if found.replayed_commits:
        return f"{count(found.replayed_commits, 'commit')} replayed: ids are as old as the code"
    if found.freshness.head is None:
        return "no commit yet"
    return "not replayed; `birthmark index --from-history` lets ids reach back to the first commit"


def _describe_subscriptions(number: int) -> str:
    return f"{number:,}; `birthmark scan` checks them" if number else "none; `birthmark subscribe REF` makes one"


def _describe_size(size: float, store: str) -> str:
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.{0 if unit < 2 else 1}f} {_UNITS[unit]} in {store}"


def _details(found: Status) -> Iterator[tuple[str, str]]:
    yield "nodes", f"{found.counts['nodes']:,}: entities, and the calls, imports, parameters and variables in them"
    yield "identities", f"{found.counts['identities']:,} ever issued, those of deleted entities included"
    yield "same names", _describe_collisions(found.collisions)
    for snapshot in found.snapshots:
        yield (
            "worktree",
            f"{snapshot.worktree} on {plain(snapshot.branch) or 'no branch'} at {short(snapshot.revision)}",
        )


def _describe_collisions(collisions: Collisions) -> str:
    n_nodes, n_counted, chunks = collisions.nodes or 0, collisions.nodes_counted or 0, collisions.chunks
    if not n_nodes and not chunks.collisions:
        return "none"
    nodes = f"{count(n_nodes - n_counted, 'node')} distinguished by content, {n_counted:,} by order"
    if not chunks.collisions:
        return nodes
    return (
        f"{nodes}; {count(chunks.resolved_by_escalation, 'chunk')} by wider context, "
        f"{chunks.resolved_by_ordinal:,} by order"
    )
