"""Output of commands: JSON and text on stdout, long text through a pager; messages and a progress bar on stderr.

The pager is $BIRTHMARK_PAGER, $GIT_PAGER or $PAGER, else `less`. The settings of a repository have no say: they may
come from a stranger, and a pager is a command that is run.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from birthmark.app.workspace.freshness import Freshness, Progress
from birthmark.documents.document import Document, encode_json, encode_line
from birthmark.errors import BirthmarkError
from birthmark.surfaces.text import fit, same_screen, screen
from birthmark.words import count, short, visible

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


LEFT_OUT = "tests, documentation and generated files are left out; --all adds them"  # unless paths are named
_SHOWN_PATHS = 3
_LEAST_CHOICE = 78  # columns of what is to be chosen from, so that places and marks are whole

_FORMS = (
    click.option("--json", "form", flag_value="json", help="Print one JSON document."),
    click.option("--jsonl", "form", flag_value="jsonl", help="Print one JSON document per line."),
)


def list_options(command: Callable[..., None]) -> Callable[..., None]:
    """`--json` and `--jsonl`, for commands that list things."""
    for option in reversed(_FORMS):
        command = option(command)
    return command


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def print_json(document: object) -> None:
    sys.stdout.buffer.write(encode_json(document) + b"\n")


def print_line(document: object) -> None:
    sys.stdout.buffer.write(encode_line(document) + b"\n")


def print_documents(form: str, documents: Iterable[Document]) -> None:
    """Print one JSON list, or a line for each document as it comes."""
    if form == "json":
        print_json(list(documents))
    else:
        for document in documents:
            print_line(document)


def say(text: str) -> None:
    click.echo(f"birthmark: {text}", err=True)


def say_error(error: BirthmarkError) -> None:
    """In one line, though it may quote what the user gave; what there is to choose from follows."""
    say(visible("\\n".join(str(error).splitlines())))
    columns = screen().columns
    width = None if columns is None else max(columns - 2, _LEAST_CHOICE)
    for choice in error.choices:
        click.echo("  " + fit(visible(choice), width), err=True)


def warn_if_stale(freshness: Freshness) -> None:
    """An answer from an old index says so, and why it is old."""
    advice = (
        f"it could not be brought up to date: {freshness.problem}" if freshness.problem else "run `birthmark index`"
    )
    changed = [path for path in freshness.pending if path not in freshness.unreadable]
    if changed:
        say(f"{_listed(changed)} changed since the index was made; {advice}")
    elif freshness.indexed_revision != freshness.head:
        say(f"indexed at {short(freshness.indexed_revision)}, now at {short(freshness.head)}; {advice}")
    if freshness.unreadable:
        say(f"{_listed(freshness.unreadable)} cannot be read; what was known before is used")


def _listed(paths: Sequence[str]) -> str:
    """`a.py`, or `3 files (a.py, b.py, …)`."""
    from birthmark.documents.wording import plain

    if len(paths) == 1:
        return plain(paths[0])
    listed = ", ".join(map(plain, paths[:_SHOWN_PATHS])) + (", …" if len(paths) > _SHOWN_PATHS else "")
    return f"{count(len(paths), 'file')} ({listed})"


_VARIABLES = ("BIRTHMARK_PAGER", "GIT_PAGER", "PAGER")
_DEFAULTS = {"LESS": "FRX", "LV": "-c"}


@contextmanager
def paging() -> Iterator[None]:
    """Send what is printed meanwhile to the pager, if there is a terminal and a pager."""
    command = _command() if screen().pages and sys.stdout.isatty() else None
    if command is None:
        yield
        return
    with same_screen():
        pager = subprocess.Popen(command, stdin=subprocess.PIPE, env=_DEFAULTS | dict(os.environ))
        assert pager.stdin is not None
        sys.stdout.flush()
        terminal = os.dup(1)
        os.dup2(pager.stdin.fileno(), 1)
        try:
            yield
            sys.stdout.flush()
        except BrokenPipeError:  # The pager was quit before its end; what is left to be printed goes nowhere.
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                sys.stdout.flush()
        finally:
            os.dup2(terminal, 1)
            os.close(terminal)
            pager.stdin.close()
            pager.wait()


def _command() -> list[str] | None:
    chosen = next((os.environ[name] for name in _VARIABLES if name in os.environ), "less")
    command = shlex.split(chosen)
    program = shutil.which(command[0]) if command and command != ["cat"] else None
    # Some systems look in the working folder, too.
    return [program, *command[1:]] if program is not None and os.path.isabs(program) else None


@contextmanager
def progress_bar(delay: float = 0.0) -> Iterator[Progress]:
    """`delay` seconds must have passed before it appears."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    started = time.monotonic()
    bars: list[Bar] = []

    def show(stage: str, done: int, total: int) -> None:
        if not bars and time.monotonic() - started >= delay:
            bars.append(_start())
        for bar in bars:
            bar.update(bar.task_ids[0], description=stage, completed=done, total=total)

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


def _start() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("finding files", total=None)
    bar.start()
    return bar
