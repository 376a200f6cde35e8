"""How results are printed: JSON and tables on stdout, messages on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

import click

from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.document import Document, encode_json, encode_line
from birthmark.errors import BirthmarkError
from birthmark.surfaces.text import fit, screen
from birthmark.words import count, short, visible

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
    """As `--json` one list, as `--jsonl` a line for each as it comes."""
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
