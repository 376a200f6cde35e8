"""`status` and `trust`: the state of the index, and the settings that need consent."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from birthmark.app.workspace.trusting import TrustRequest, change_trust, trust_request
from birthmark.documents.index import CollisionsDocument, IndexUpdateDocument, StatusDocument, TrustDocument
from birthmark.documents.wording import plain
from birthmark.errors import BirthmarkError
from birthmark.questions.index import Status
from birthmark.surfaces.cli.question_command import question_command
from birthmark.surfaces.cli.terminal.output import json_option, print_json, say
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.surfaces.text import fit, paint, screen, wrap_text
from birthmark.vocabulary import LeftOutReason
from birthmark.words import count, short, visible

_SHOWN = 8  # paths and problems, unless all are asked for
_WIDTH = 15  # of the labels
_CONTENTS = {"files": "file", "entities": "entity", "chunks": "chunk", "edges": "reference"}
_LEFT_OUT = {"unsupported": "in no supported language", "unreadable": "that could not be read"}
_OTHERS = {
    LeftOutReason.THIRD_PARTY: "third-party folder",
    LeftOutReason.MINIFIED: "minified file",
    LeftOutReason.SKIPPED: "skipped file",
    LeftOutReason.MARKED: "generated or vendored file",
}
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_AGES = ((86400, "day"), (3600, "hour"), (60, "minute"))


def describe_contents(status: StatusDocument | IndexUpdateDocument) -> str:
    """Return the numbers of what is indexed."""
    return ", ".join(count(status.counts[name] or 0, noun) for name, noun in _CONTENTS.items())


def describe_left_out(status: StatusDocument | IndexUpdateDocument) -> str:
    numbers = [(status.file_counts[name], reason) for name, reason in _LEFT_OUT.items()]
    texts = [f"{count(number, 'file')} {reason}" for number, reason in numbers if number]
    others = [count(number, _OTHERS[LeftOutReason(reason)]) for reason, number in status.left_out.items()]
    return ", ".join([*texts, *others]) + (
        "; `birthmark index --third-party` includes code of others"
        if status.left_out.keys() - {LeftOutReason.SKIPPED}
        else ""
    )


def _print_status(asked: Status, found: StatusDocument) -> None:
    for label, text in _rows(found, asked.verbose):
        first, *rest = wrap_text(text, " " * _WIDTH)
        for line in (paint(label, "bold") + first[len(label) :], *rest):
            click.echo(line)
    problems = found.problems if asked.verbose else found.problems[:_SHOWN]
    for problem in problems:
        click.echo(fit(f"  {plain(problem.path)}: {plain(problem.problem)}", screen().columns))
    if len(problems) < len(found.problems):
        click.echo(f"  and {len(found.problems) - len(problems):,} more; --verbose lists them all")


status = question_command(
    Status,
    _print_status,
    finds=lambda found: not found.fresh,
    finds_help="Exit with 1 if the index is not fresh.",
    pages=False,
)


def _rows(found: StatusDocument, is_verbose: bool) -> Iterator[tuple[str, str]]:
    on = f" on {plain(found.branch)}" if found.branch else ", HEAD is detached" if found.head else ""
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


def _describe_freshness(found: StatusDocument) -> str:
    at = short(found.indexed_revision)
    age = f"updated {_describe_age(time.time() - found.indexed_at)}"
    advice = "the next question brings it up to date, and so does `birthmark index`"
    if found.settings_changed:
        return f"made with other settings or by another version, {age}; {advice}"
    if found.pending:
        listed = ", ".join(map(plain, found.pending[:_SHOWN])) + (", …" if len(found.pending) > _SHOWN else "")
        return f"{count(len(found.pending), 'file')} changed since it was {age}: {listed}; {advice}"
    if not found.fresh:
        return f"of {at}, now at {short(found.head)}, but no file differs; {advice}"
    return f"fresh, {'of ' + at if found.head else 'no commit yet'}, {age}"


def _describe_age(seconds: float) -> str:
    for length, unit in _AGES:
        if seconds >= length:
            return f"{count(int(seconds // length), unit)} ago"
    return "just now"


def _describe_history(found: StatusDocument) -> str:
    if found.replay_unfinished:
        return f"replay unfinished, {count(found.replayed_commits, 'commit')} done; `birthmark index` continues it"
    if found.replay_outdated:
        done = f"{count(found.replayed_commits, 'commit')} replayed by another version or with other settings"
        return f"{done}, so git is walked; `birthmark index --from-history` replays again"
    if found.replayed_commits:
        return f"{count(found.replayed_commits, 'commit')} replayed: ids are as old as the code"
    if found.head is None:
        return "no commit yet"
    return "not replayed; `birthmark index --from-history` lets ids reach back to the first commit"


def _describe_subscriptions(number: int) -> str:
    return f"{number:,}; `birthmark scan` checks them" if number else "none; `birthmark subscribe REF` makes one"


def _describe_size(size: float, store: str) -> str:
    unit = 0
    while size >= 1000 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.{0 if unit < 2 else 1}f} {_UNITS[unit]} in {store}"


def _details(found: StatusDocument) -> Iterator[tuple[str, str]]:
    yield "nodes", f"{found.counts['nodes']:,}: entities, and the calls, imports, parameters and variables in them"
    yield "identities", f"{found.counts['identities']:,} ever issued, those of deleted entities included"
    yield "same names", _describe_collisions(found.collisions)
    for snapshot in found.snapshots:
        yield (
            "worktree",
            f"{snapshot.worktree} on {plain(snapshot.branch or 'no branch')} at {short(snapshot.revision)}",
        )


def _describe_collisions(collisions: CollisionsDocument) -> str:
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


@click.command()
@click.option("--yes", is_flag=True, help="Trust the file without asking.")
@click.option("--remove", is_flag=True, help="No longer trust the file.")
@json_option
def trust(yes: bool, remove: bool, as_json: bool) -> None:
    """Review what birthmark.toml asks for, and trust it.

    A repository may not set webhooks, mailboxes, limits above yours or what agents may write: such settings are
    ignored until you trust the file. What is trusted is the file as it is now; once it changes, it must be trusted
    again. In CI, pass the digest of the file with --trust, or in the variable BIRTHMARK_TRUST.

    \b
    Examples:
      birthmark trust
      birthmark trust --yes
      birthmark trust --remove
      birthmark scan --notify chat --trust 5f3c…
    """
    folder = Path.cwd()
    found = trust_request(folder)
    if not as_json:
        _print_requests(found)
    is_asked = bool(found.requests) and not found.is_trusted
    if remove:
        found = change_trust(folder, is_trusted=False, digest=found.digest)
    elif yes or (is_asked and _confirm(as_json)):
        found = change_trust(folder, is_trusted=True, digest=found.digest)
    if as_json:
        print_json(TrustDocument(str(found.path), found.digest, found.is_trusted, found.requests))
    else:
        say(_describe_trust(found))


def _print_requests(found: TrustRequest) -> None:
    if found.requests:
        click.echo(f"{visible(str(found.path))} asks for:")
        print_table([(name, visible(value)) for name, value in found.requests.items()], "  ")
        click.echo(f"digest: {found.digest}")


def _confirm(as_json: bool) -> bool:
    if as_json:
        return False
    if not sys.stdin.isatty():
        raise BirthmarkError("the file is not trusted yet; review it, then run `birthmark trust --yes`")
    return click.confirm("Trust this file as it is now?")


def _describe_trust(found: TrustRequest) -> str:
    if not found.requests:
        return "the file asks for nothing that needs trust"
    return "the file is trusted" if found.is_trusted else "the file is not trusted; these settings are ignored"
