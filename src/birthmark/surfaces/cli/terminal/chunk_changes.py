"""`chunks --since REV`: what is to be embedded again, what has a new uid, what is gone."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

import click

from birthmark.app.changes.chunk_changes import ORDER, ChunkChanges, FollowedChunk, chunks_since
from birthmark.app.histories.blames import name_in_repository
from birthmark.documents.definitions import chunk_change_document, chunk_changes_document
from birthmark.documents.wording import plain, state_name
from birthmark.extraction.model import ChunkedFile
from birthmark.surfaces.cli.refresh_option import open_repository
from birthmark.surfaces.cli.terminal.groups import print_groups
from birthmark.surfaces.cli.terminal.output import print_documents, print_json, say
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.vocabulary import ChunkState
from birthmark.words import count, lines_of

_COLORS = {
    ChunkState.CHANGED: "yellow",
    ChunkState.ADDED: "green",
    ChunkState.REKEYED: "cyan",
    ChunkState.GONE: "red",
    ChunkState.KEPT: "dim",
}
# What is to be done with each.
_TITLES = {
    ChunkState.CHANGED: "to embed again",
    ChunkState.ADDED: "to embed again",
    ChunkState.REKEYED: "with a new uid; the text is the same, so the embedding is still valid",
    ChunkState.GONE: "gone",
    ChunkState.KEPT: "as before",
}


def print_chunk_changes(since: str, path: Path | None, form: str | None, *, with_kept: bool, with_text: bool) -> None:
    folder = None if path is None else next((one for one in (path, *path.parents) if os.path.isdir(one)), None)
    with open_repository(folder) as repository:
        name = None if path is None else name_in_repository(repository, path)
        found = chunks_since(repository, since, name, with_kept=with_kept)
        if form == "json":
            print_json(chunk_changes_document(found, with_text=with_text))
        elif form == "jsonl":
            print_documents(form, (chunk_change_document(one, with_text=with_text) for one in found.changes))
        else:
            with paging():
                _print(found)
    for problem in found.problems:
        say(f"{plain(problem.path)}: {problem.problem}")


def _print(found: ChunkChanges) -> None:
    for title, listed in groupby(found.changes, lambda one: _TITLES[one.change]):
        changes = sorted(listed, key=lambda one: (one.current.file.path, one.current.ordinal))
        click.echo(f"{count(len(changes), 'chunk')} {title}:")
        by_file = groupby(changes, lambda one: one.current.file.path)
        print_groups(((path, [_row(one) for one in inside]) for path, inside in by_file), indent="  ")
    click.echo(_summary(found))


def _row(one: FollowedChunk) -> TableRow:
    lines, kind, name = chunk_row(*one.current)
    was = one.before.file.path if one.before is not None and one.after is not None else None
    moved = f"  was in {plain(was)}" if was is not None and was != one.current.file.path else ""
    return lines, Cell(one.change, _COLORS[one.change]), kind, f"{name}{moved}"


def chunk_row(file: ChunkedFile, index: int) -> tuple[str, Cell, str]:
    """Lines, kind and name of a chunk."""
    chunk = file.outline.chunks[index]
    segment = file.outline.segments[chunk.segment].language if chunk.segment >= 0 else None
    name = " ".join(word for word in (chunk.name, f"({segment})" if segment else None) if word)
    return lines_of(chunk.start_line, chunk.end_line), Cell(chunk.kind, "cyan"), plain(name)


def _summary(found: ChunkChanges) -> str:
    counts = ", ".join(f"{found.counts[state]:,} {state}" for state in ORDER)
    equal = f"\n{count(found.n_equal_files, 'file')} did not change" if found.n_equal_files else ""
    return f"{counts} since {state_name(found.base)}{equal}"
