"""`entities`, `nodes` and `chunks` of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from birthmark.app import read_one
from birthmark.model import Detail
from birthmark.operations.read import Reading
from birthmark.surfaces import wire
from birthmark.surfaces.text import paint

Row = tuple[str, str, str]

_OPTIONS = (
    click.argument("file", type=click.Path(path_type=Path)),
    click.option("--json", "form", flag_value="json", help="Print one JSON document."),
    click.option("--jsonl", "form", flag_value="jsonl", help="Print a JSON document a line."),
    click.option("--language", metavar="NAME", help="Read the file as this language, whatever its name says."),
    click.option("--max-bytes", type=click.IntRange(min=0), help="Read files up to this size.  [default: 1048576]"),
)


def file_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@file_options
def entities(file: Path, **options: Any) -> None:
    """List what FILE defines: classes, functions, fields, …

    \b
    Examples:
      birthmark entities src/app.py
      birthmark entities src/app.py --jsonl | jq -r .qualified_name
      birthmark entities bin/tool --language ruby
    """
    _print(_read(file, Detail.FULL, options), options["form"], wire.entity_documents, _entity_rows)


@click.command()
@file_options
def nodes(file: Path, **options: Any) -> None:
    """List all that has a semantic id in FILE: entities, calls, imports, parameters, …

    \b
    Examples:
      birthmark nodes src/app.js
      birthmark nodes src/app.js --jsonl | jq 'select(.type == "CALL")'
    """
    _print(_read(file, Detail.FULL, options), options["form"], wire.node_documents, _node_rows)


@click.command()
@file_options
def chunks(file: Path, **options: Any) -> None:
    """List the chunks that tile FILE, for embedding and retrieval.

    \b
    Examples:
      birthmark chunks src/app.py
      birthmark chunks README.md --jsonl
    """
    _print(_read(file, Detail.DEFINITIONS, options), options["form"], wire.chunk_documents, _chunk_rows)


def _read(file: Path, detail: Detail, options: dict[str, Any]) -> Reading:
    reading = read_one(file, options["language"], detail, options["max_bytes"])
    for problem in reading.problems:
        click.echo(f"birthmark: {problem.path}: {problem.problem}", err=True)
    return reading


def _print(
    reading: Reading,
    form: str | None,
    documents: Callable[[Reading], Iterator[wire.Document]],
    rows: Callable[[Reading], Iterator[Row]],
) -> None:
    if form == "json":
        _write([wire.encode_json(list(documents(reading)))])
    elif form == "jsonl":
        _write(wire.encode_line(document) for document in documents(reading))
    else:
        _print_rows(list(rows(reading)))


def _write(lines: Iterable[bytes]) -> None:
    for line in lines:
        sys.stdout.buffer.write(line + b"\n")


def _print_rows(rows: list[Row]) -> None:
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for lines, kind, name in rows:
        click.echo(f"{lines:>{widths[0]}}  {paint(kind.ljust(widths[1]), 'cyan')}  {name}".rstrip())


def _lines(start: int, end: int) -> str:
    return f"{start}" if start == end else f"{start}-{end}"


def _entity_rows(reading: Reading) -> Iterator[Row]:
    for entity in reading.entities:
        yield _lines(entity.start_line, entity.end_line), entity.kind, entity.qualified_name


def _node_rows(reading: Reading) -> Iterator[Row]:
    for node in reading.nodes:
        position = "" if node.position is None else f"#{node.position}"
        name = f"{node.name}{position} in {node.named_parent}"
        yield _lines(node.start_line, node.end_line), node.type, name


def _chunk_rows(reading: Reading) -> Iterator[Row]:
    for chunk in reading.chunks:
        segment = reading.segments[chunk.segment].language if chunk.segment >= 0 else None
        name = " ".join(word for word in (chunk.name, f"({segment})" if segment else None) if word)
        yield _lines(chunk.start_line, chunk.end_line), chunk.kind, name
