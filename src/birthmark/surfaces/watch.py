"""`watch`."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

from birthmark.app.watch import Batch, Trouble, WatchOptions, follow
from birthmark.app.workspace import find_workspace
from birthmark.operations.changes import UNCHANGED
from birthmark.surfaces import wire
from birthmark.surfaces.output import say

_SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if hasattr(signal, "SIGALRM") else [])]
_AGAIN_SECONDS = 0.01


@click.command()
@click.argument("path", type=click.Path(path_type=Path), default=".")
@click.option(
    "--debounce",
    type=click.IntRange(min=10),
    default=50,
    show_default=True,
    metavar="MS",
    help="Milliseconds of quiet after which changes are taken together.",
)
@click.option(
    "--rescan",
    type=click.FloatRange(min=1),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look at everything, for what the system did not tell; less often where that takes long.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Workers that read files.  [default: one a core]")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=30.0,
    show_default=True,
    help="Seconds to wait for another writer.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document a line for every update.")
def watch(path: Path, debounce: int, rescan: float, jobs: int | None, wait: float, as_json: bool) -> None:
    """Follow the file system and keep the index current, until Ctrl-C.

    The index is locked only while it is written; other commands can be used meanwhile.

    \b
    Examples:
      birthmark watch
      birthmark watch ~/src/project --debounce 200
      birthmark watch --json | jq .changes
    """
    workspace = find_workspace(path)
    options = WatchOptions(debounce / 1000, rescan, wait, jobs)
    tell = _print_line if as_json else _say_line
    say(f"watching {workspace.root}; stop with Ctrl-C")
    with _stopping_cleanly():
        for news in follow(workspace, options):
            if isinstance(news, Trouble):
                say(news.problem)
            else:
                tell(news)


@contextmanager
def _stopping_cleanly() -> Iterator[None]:
    """Ctrl-C and SIGTERM are the ways to end this command; a worker leaves it to us to end it."""
    owner = os.getpid()

    def stop(_: int, frame: FrameType | None) -> None:
        if os.getpid() != owner:
            return
        if _is_forking(frame):  # What is raised there is lost; the alarm comes back to it.
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
            return
        raise KeyboardInterrupt

    before: list[tuple[signal.Signals, Callable[..., object] | int | None]] = [
        (number, signal.signal(number, stop)) for number in _SIGNALS
    ]
    try:
        yield
    except KeyboardInterrupt:
        say("stopped")
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _is_forking(frame: FrameType | None) -> bool:
    """Whether a worker is just being started, in multiprocessing's `_launch`."""
    while frame is not None and frame.f_code.co_name != "_launch":
        frame = frame.f_back
    return frame is not None


def _print_line(batch: Batch) -> None:
    sys.stdout.buffer.write(wire.encode_line(batch_document(batch)) + b"\n")
    sys.stdout.buffer.flush()


def batch_document(batch: Batch) -> dict[str, object]:
    return {
        "at": int(time.time()),
        "files": batch.n_files,
        "changes": batch.summary.changes,
        "seconds": round(batch.seconds, 3),
        "problems": [{"path": problem.path, "problem": problem.problem} for problem in batch.summary.problems],
    }


def _say_line(batch: Batch) -> None:
    """A line for every update that changed something."""
    told = [
        f"{number:,} {change}" for change, number in batch.summary.changes.items() if number and change != UNCHANGED
    ]
    if told or batch.summary.n_extracted:
        files = f"{batch.n_files:,} {'file' if batch.n_files == 1 else 'files'}"
        took = f"{batch.seconds * 1000:,.0f} ms"
        click.echo(f"{time.strftime('%H:%M:%S')}  {files}: {', '.join(told) or 'no entity changed'} ({took})", err=True)
