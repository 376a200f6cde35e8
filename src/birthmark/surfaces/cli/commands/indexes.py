"""`index`, `watch`, `validate` and `doctor`: make an index, keep it up to date, check it and repair it."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from birthmark.app.workspace.session import unopened_session
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.document import encode_line, make
from birthmark.documents.index import (
    IndexUpdateDocument,
    RepairDocument,
    ReplayedDocument,
    ValidationDocument,
    WatchUpdateDocument,
)
from birthmark.questions.index import Index, Validate
from birthmark.questions.question import make_question
from birthmark.surfaces.cli.commands.status import describe_contents, describe_left_out
from birthmark.surfaces.cli.interrupts import stopping_cleanly
from birthmark.surfaces.cli.question_command import (
    common_options,
    help_of,
    options_of,
    question_command,
    values_of,
)
from birthmark.surfaces.cli.shared_options import WAIT_SECONDS, wait_option
from birthmark.surfaces.cli.terminal.output import json_option, print_json, progress_bar, say
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.vocabulary import Change
from birthmark.words import count

if TYPE_CHECKING:
    from birthmark.app.indexing.watch import Batch

_CHANGES = {Change.BORN: "new"}  # other words than those in JSON
_SHOWN_PROBLEMS = 5


def _index(path: Path, wait: float, suggest: bool, form: str | None, **given: object) -> None:
    asked = make_question(Index, values_of(Index, given))
    with progress_bar() as progress, unopened_session(path) as session:
        update = asked.update(session, wait, progress)
    for line in update.mended:
        say(line)
    document = update.document
    if form is not None:
        print_json(document)
        return
    if document.replayed:
        _print_replayed(document.replayed)
    _print_update(document)
    if update.is_first or suggest:
        _print_suggestions(Path(document.root))


_SUGGEST = "End with questions to try, as the first index of a repository does."
index = wait_option(
    click.Command(
        None,
        callback=_index,
        help=help_of(Index),
        params=[
            click.Argument(["path"], type=click.Path(path_type=Path), default="."),
            *options_of(Index),
            click.Option(["--suggest"], is_flag=True, help=_SUGGEST),
            *common_options(Index),
        ],
    )
)


def _print_replayed(replayed: ReplayedDocument) -> None:
    rate = f", {replayed.new / max(replayed.seconds, 0.001):,.0f} commits/s" if replayed.new else ""
    click.echo(
        f"replayed {replayed.new:,} of {count(replayed.commits, 'commit')}, "
        f"parsed {replayed.extracted:,} files in {replayed.seconds:.2f} s{rate}"
    )
    click.echo(f"history: {_describe_changes(replayed.changes) or 'nothing new'}")
    for problem in replayed.problems[:_SHOWN_PROBLEMS]:
        click.echo(f"  {problem.path}: {problem.problem}")
    if len(replayed.problems) > _SHOWN_PROBLEMS:
        click.echo(f"  and {len(replayed.problems) - _SHOWN_PROBLEMS:,} more; --json lists them all")


def _print_update(update: IndexUpdateDocument) -> None:
    click.echo(f"{Path(update.root).name}: {describe_contents(update)}")
    if left_out := describe_left_out(update):
        click.echo(f"left out: {left_out}")
    click.echo(f"changes: {_describe_changes(update.changes) or 'none'}")
    if update.problems:
        click.echo(f"problems: {len(update.problems):,}; `birthmark status` lists them")
    read = f"{count(update.read, 'file')} read" if update.read else "nothing to read"
    click.echo(f"{read} in {update.seconds:.2f} s")


def _describe_changes(changes: dict[str, int]) -> str:
    return ", ".join(
        f"{number:,} {_CHANGES.get(Change(change), change)}"
        for change, number in changes.items()
        if number and change != Change.UNCHANGED
    )


def _print_suggestions(root: Path) -> None:
    """Print questions to try, for someone who has just made a first index."""
    from birthmark.app.indexing.suggestions import find_suggestions

    found = find_suggestions(root)
    before = "" if root == Path.cwd() else f"-C {shlex.quote(os.path.relpath(root))} "
    if found:
        click.echo("\nTry next:")
        print_table([(f"birthmark {before}{one.arguments}", one.meaning) for one in found], "  ")


def _print_findings(asked: Validate, found: ValidationDocument) -> None:
    for finding in found.findings:
        click.echo(finding)
    click.echo("valid" if found.valid else f"{count(len(found.findings), 'finding')}; run `birthmark doctor`")


validate = question_command(Validate, _print_findings, code=lambda found: 0 if found.valid else 1, pages=False)


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

    report = repair_index(find_workspace(Path.cwd()), WAIT_SECONDS)
    if as_json:
        print_json(RepairDocument(report.repaired, report.n_identities))
        return
    for line in report.repaired:
        click.echo(line)
    click.echo(f"{'repaired' if report.repaired else 'healthy'}: {count(report.n_identities, 'identity')}")


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option(
    "--debounce",
    type=click.IntRange(min=10),
    default=50,
    show_default=True,
    metavar="MS",
    help="Milliseconds without events before a batch of changes is processed.",
)
@click.option(
    "--rescan",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Interval of full rescans, for events the system dropped; longer where a rescan is slow.",
)
@click.option(
    "--jobs", type=click.IntRange(min=1), metavar="N", help="Number of worker processes.  [default: one per core]"
)
@wait_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line for every update.")
def watch(path: Path, debounce: int, rescan: float, jobs: int | None, wait: float, as_json: bool) -> None:
    """Watch the file system and keep the index up to date, until Ctrl-C.

    The index is locked only while it is written, so other commands can be used in the meantime. Ctrl-C and SIGTERM end
    it with exit 0. Each update that changed something is a line: 12:03:44  2 files: 1 modified, 3 moved (38 ms).

    A few changed files are checked by themselves. A changed folder, a changed .gitignore, .birthmarkignore,
    .gitattributes or birthmark.toml, another HEAD, more than 500 paths or a lost event cause a full rescan. A burst of
    events is cut after 2 s, or 10 s while git is running. An update that fails is reported in one line and repeated
    after 5 s; a removed root ends the command with exit 2. Where the system has no watches left
    (fs.inotify.max_user_watches), it says so once and rescans every 2 s.

    \b
    Examples:
      birthmark watch
      birthmark watch ~/src/project --debounce 200
      birthmark watch --json | jq .changes
    """
    from birthmark.app.indexing.watch import Trouble, WatchOptions, follow

    workspace = find_workspace(path)
    workspace.require_worktree("run `birthmark index` after each push instead")
    options = WatchOptions(debounce / 1000, rescan, wait, jobs)
    report = _print_line if as_json else _say_line
    say(f"watching {workspace.root}; stop with Ctrl-C")
    with stopping_cleanly() as check:
        for news in follow(workspace, options):
            if isinstance(news, Trouble):
                say(news.problem)
            else:
                report(news)
            check()


def _print_line(batch: Batch) -> None:
    sys.stdout.buffer.write(encode_line(_watch_document(batch)) + b"\n")
    sys.stdout.buffer.flush()


def _watch_document(batch: Batch) -> WatchUpdateDocument:
    at, seconds = int(time.time()), round(batch.seconds, 3)
    return make(WatchUpdateDocument, batch.summary, at=at, files=batch.n_files, seconds=seconds)


def _say_line(batch: Batch) -> None:
    """Print a line for an update that changed something."""
    changes = [
        f"{number:,} {change}"
        for change, number in batch.summary.changes.items()
        if number and change != Change.UNCHANGED
    ]
    if changes or batch.summary.n_extracted:
        files = f"{batch.n_files:,} {'file' if batch.n_files == 1 else 'files'}"
        took = f"{batch.seconds * 1000:,.0f} ms"
        click.echo(
            f"{time.strftime('%H:%M:%S')}  {files}: {', '.join(changes) or 'no entity changed'} ({took})", err=True
        )
