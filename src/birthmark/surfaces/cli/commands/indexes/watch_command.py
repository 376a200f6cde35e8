"""`watch`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from birthmark.app.indexing.watch import Batch, Trouble, WatchOptions, follow
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.document import encode_line
from birthmark.documents.index import watch_update_document
from birthmark.surfaces.cli.interrupts import stopping_cleanly
from birthmark.surfaces.cli.shared_options import wait_option
from birthmark.surfaces.cli.terminal.output import say
from birthmark.vocabulary import Change


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
    sys.stdout.buffer.write(encode_line(watch_update_document(batch)) + b"\n")
    sys.stdout.buffer.flush()


def _say_line(batch: Batch) -> None:
    """A line for every update that changed something."""
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
