"""`entities`, `nodes` and `chunks`, of a file or of all that is indexed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import click

from birthmark.app.files import name_file, read_one
from birthmark.app.listing import list_deleted, list_entities, list_files
from birthmark.app.session import asking, indexed_entities
from birthmark.extraction.model import FileNodes
from birthmark.queries.ledger_queries import DeletedIdentity
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile
from birthmark.surfaces.cli.output import Row, list_options, print_list, say, warn_if_stale
from birthmark.surfaces.text import lines_of, short
from birthmark.surfaces.wire.answers import deleted_document
from birthmark.surfaces.wire.definitions import (
    chunk_change_document,
    chunk_documents,
    entity_documents,
    indexed_entity_document,
    node_documents,
)

_OPTIONS = (
    click.argument("file", type=click.Path(path_type=Path), required=False),
    list_options,
    click.option("--language", metavar="NAME", help="Read the file as this language, regardless of its name."),
    click.option("--max-bytes", type=click.IntRange(min=0), help="Read files up to this size.  [default: 1048576]"),
)


def file_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@file_options
@click.option("--deleted", is_flag=True, help="List what was ever deleted from FILE, as far back as the index goes.")
def entities(file: Path | None, form: str | None, deleted: bool, **options: Any) -> None:
    """List the definitions in FILE, or in the whole index: classes, functions, fields, …

    \b
    Examples:
      birthmark entities
      birthmark entities src/app.py
      birthmark entities src/app.py --jsonl | jq -r .qualified_name
      birthmark entities bin/tool --language ruby
      birthmark entities src/app.py --deleted
    """
    if deleted:
        _print_deleted(file, form)
        return
    if file is None:
        with asking() as session:
            warn_if_stale(session.freshness)
            found = list_entities(session)
            print_list(form, map(indexed_entity_document, found), lambda: map(_indexed_row, found))
        return
    indexed = None if _is_special(options) else indexed_entities(file)
    if indexed is not None:
        print_list(form, map(indexed_entity_document, indexed), lambda: map(_own_row, indexed))
        return
    reading = _read(file, options)
    print_list(form, entity_documents(reading), lambda: _entity_rows(reading))


def _print_deleted(file: Path | None, form: str | None) -> None:
    if file is None:
        raise click.UsageError("--deleted needs a FILE")
    with asking() as session:
        found = list_deleted(session, name_file(file))
        print_list(form, map(deleted_document, found), lambda: map(_deleted_row, found))


def _deleted_row(deleted: DeletedIdentity) -> Row:
    event, run = deleted.deletion.event, deleted.deletion.run
    now = deleted.indexed.entity if deleted.indexed else None
    back = f"  now {now.path}:{lines_of(now.start_line, now.end_line)}" if now else ""
    return short(run.revision), deleted.identity.mark, f"{event.qualified_name}{back}"


@click.command()
@file_options
def nodes(file: Path | None, form: str | None, **options: Any) -> None:
    """List the nodes of FILE, or of the whole index: entities, calls, imports, parameters, …

    \b
    Examples:
      birthmark nodes src/app.js
      birthmark nodes src/app.js --jsonl | jq 'select(.type == "CALL")'
    """
    if file is None:
        with asking() as session:
            warn_if_stale(session.freshness)
            readings = session.read_all_nodes()
            documents = chain.from_iterable(map(node_documents, readings))
            print_list(form, documents, lambda: chain.from_iterable(map(_indexed_node_rows, readings)))
        return
    reading = _read(file, options)
    print_list(form, node_documents(reading), lambda: _node_rows(reading))


@click.command()
@file_options
@click.option("--since", metavar="REV", help="Report what became of each chunk since a revision.")
def chunks(file: Path | None, form: str | None, since: str | None, **options: Any) -> None:
    """List the chunks of FILE, or of the whole index, for embedding and retrieval.

    With --since: kept (same uid), rekeyed (same text, new uid: the embedding is still valid), changed, gone or added.

    \b
    Examples:
      birthmark chunks src/app.py
      birthmark chunks README.md --jsonl
      birthmark chunks --since HEAD~5 --jsonl | jq -c 'select(.change != "kept")'
    """
    if since is not None:
        _print_since(since, file, form)
    elif file is None:
        with asking() as session:
            warn_if_stale(session.freshness)
            files = list_files(session)
            documents = chain.from_iterable(chunk_documents(file.path, file.outline) for file in files)
            print_list(form, documents, lambda: chain.from_iterable(map(_indexed_chunk_rows, files)))
    else:
        reading = _read(file, options)
        print_list(form, chunk_documents(reading.path, reading), lambda: _chunk_rows(reading))


def _print_since(since: str, file: Path | None, form: str | None) -> None:
    from birthmark.app.diffing import chunks_since
    from birthmark.app.repository import open_repository

    with open_repository(None if file is None else file.parent) as repository:
        old, new, changes = chunks_since(repository, since, None if file is None else name_file(file))
    documents = (chunk_change_document(change, old, new) for change in changes)

    def rows() -> Iterator[Row]:
        for change in changes:
            files, ref = (new, change.after) if change.after else (old, change.before)
            assert ref is not None
            chunk = files[ref[0]].outline.chunks[ref[1]]
            where = f"{files[ref[0]].path}:{lines_of(chunk.start_line, chunk.end_line)}"
            yield where, change.change, chunk.name or chunk.kind

    print_list(form, documents, rows)


def _is_special(options: dict[str, Any]) -> bool:
    return bool(options["language"]) or options["max_bytes"] is not None


def _read(file: Path, options: dict[str, Any]) -> FileNodes:
    reading = read_one(file, options["language"], options["max_bytes"])
    for problem in reading.problems:
        say(f"{problem.path}: {problem.problem}")
    return reading


def _indexed_row(indexed: IndexedEntity) -> Row:
    entity = indexed.entity
    return f"{entity.path}:{lines_of(entity.start_line, entity.end_line)}", entity.kind, entity.qualified_name


def _own_row(indexed: IndexedEntity) -> Row:
    entity = indexed.entity
    return lines_of(entity.start_line, entity.end_line), entity.kind, entity.qualified_name


def _entity_rows(reading: FileNodes) -> Iterator[Row]:
    for entity in reading.entities:
        yield lines_of(entity.start_line, entity.end_line), entity.kind, entity.qualified_name


def _node_rows(reading: FileNodes) -> Iterator[Row]:
    for node in reading.nodes:
        position = "" if node.position is None else f"#{node.position}"
        name = f"{node.name}{position} in {node.named_parent}"
        yield lines_of(node.start_line, node.end_line), node.type, name


def _indexed_node_rows(reading: FileNodes) -> Iterator[Row]:
    return ((f"{reading.path}:{lines}", type_, name) for lines, type_, name in _node_rows(reading))


def _chunk_rows(reading: FileNodes) -> Iterator[Row]:
    for chunk in reading.chunks:
        segment = reading.segments[chunk.segment].language if chunk.segment >= 0 else None
        yield lines_of(chunk.start_line, chunk.end_line), chunk.kind, _chunk_name(chunk.name, segment)


def _indexed_chunk_rows(file: IndexedFile) -> Iterator[Row]:
    for chunk in file.outline.chunks:
        segment = file.outline.segments[chunk.segment].language if chunk.segment >= 0 else None
        lines = lines_of(chunk.start_line, chunk.end_line)
        yield f"{file.path}:{lines}", chunk.kind, _chunk_name(chunk.name, segment)


def _chunk_name(name: str | None, segment: str | None) -> str:
    return " ".join(word for word in (name, f"({segment})" if segment else None) if word)
