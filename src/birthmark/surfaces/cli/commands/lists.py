"""`entities`, `nodes` and `chunks`: of a file, of a folder or of all that is indexed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, groupby
from pathlib import Path
from typing import Any

import click

from birthmark.app.answers.listing.files import ReadingOptions, name_file
from birthmark.app.answers.listing.listing import list_deleted
from birthmark.app.answers.listing.path_listing import Listing, NamedEntity, open_listing
from birthmark.documents.answers import DeletedDocument, deleted_document
from birthmark.documents.definitions import chunk_documents, entity_document, node_documents
from birthmark.documents.wording import plain
from birthmark.extraction.model import ChunkedFile, FileNodes
from birthmark.model import KINDS, Entity
from birthmark.surfaces.cli.refresh_option import asking, command_sessions
from birthmark.surfaces.cli.terminal.chunk_changes import chunk_row, print_chunk_changes
from birthmark.surfaces.cli.terminal.entity_tree import print_tree
from birthmark.surfaces.cli.terminal.groups import print_groups
from birthmark.surfaces.cli.terminal.lives import describe_deletion, place_of
from birthmark.surfaces.cli.terminal.output import list_options, print_documents, say, warn_if_stale
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow
from birthmark.surfaces.declarations import declaration
from birthmark.words import count, lines_of


class ListedPath(click.Path):
    """A file or a folder; an empty path would be the current folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            raise click.UsageError("PATH is empty; name a file or a folder", ctx)
        return super().convert(value, param, ctx)


_OPTIONS = (
    click.argument("path", type=ListedPath(path_type=Path), required=False),
    list_options,
    click.option("--language", metavar="NAME", help="Read the file as this language, regardless of its name."),
    click.option("--max-bytes", type=click.IntRange(min=0), help="Read files up to this size.  [default: 1048576]"),
)


def path_options(command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@path_options
@click.option(
    "--kind", "kinds", type=click.Choice(KINDS), metavar="KIND", multiple=True, help="Only these: class, fn, …"
)
@click.option("--tree", is_flag=True, help="Show folders, files and what is in them as a tree, with totals.")
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Show N levels of the tree.")
@click.option("--deleted", is_flag=True, help="List what was ever deleted from a file, as far back as the index goes.")
def entities(
    path: Path | None,
    form: str | None,
    kinds: tuple[str, ...],
    tree: bool,
    depth: int | None,
    deleted: bool,
    language: str | None,
    max_bytes: int | None,
) -> None:
    """List the definitions in PATH, a file or a folder, or in the whole index: classes, functions, fields, …

    \b
    Examples:
      birthmark entities src/app.py
      birthmark entities src --kind class --kind interface
      birthmark entities src --tree --depth 2
      birthmark entities src/app.py --jsonl | jq -r .qualified_name
      birthmark entities bin/tool --language ruby
      birthmark entities src/app.py --deleted
    """
    _check_options(form, tree, depth)
    if deleted:
        _print_deleted(path, form)
        return
    with _listing(path, ReadingOptions(language, max_bytes)) as listing:
        if tree:
            with paging():
                print_tree(listing.files(), frozenset(kinds), depth)
            return
        found = (named for named in listing.entities() if not kinds or named.entity.kind in kinds)
        if form is not None:
            print_documents(form, (entity_document(*named) for named in found))
        else:
            _print_entities(found, path)


def _check_options(form: str | None, tree: bool, depth: int | None) -> None:
    if depth is not None and not tree:
        raise click.UsageError("--depth is for --tree")
    if tree and form is not None:
        raise click.UsageError(f"--tree is for people; --{form} lists the same entities with their parents")


@contextmanager
def _listing(path: Path | None, options: ReadingOptions) -> Iterator[Listing]:
    """What could not be read is said after what could."""
    with open_listing(path, options, command_sessions().refresh) as listing:
        if listing.freshness is not None:
            warn_if_stale(listing.freshness)
        yield listing
        for problem in listing.problems:
            say(f"{plain(problem.path)}: {problem.problem}")


def _print_entities(found: Iterator[NamedEntity], path: Path | None) -> None:
    totals = _Totals("entity")
    with paging():
        by_file = groupby((named.entity for named in found), lambda entity: entity.path)
        print_groups((file, totals.add([_entity_row(entity) for entity in listed])) for file, listed in by_file)
        totals.print(path)


def _entity_row(entity: Entity) -> TableRow:
    return lines_of(entity.start_line, entity.end_line), Cell(entity.kind, "cyan"), declaration(entity)


class _Totals:
    """Counts the rows of groups while they are printed."""

    def __init__(self, noun: str) -> None:
        self.noun, self.n_rows, self.n_files = noun, 0, 0

    def add(self, rows: list[TableRow]) -> list[TableRow]:
        self.n_rows += len(rows)
        self.n_files += bool(rows)
        return rows

    def print(self, path: Path | None) -> None:
        if self.n_rows:
            click.echo(f"{count(self.n_rows, self.noun)} in {count(self.n_files, 'file')}")
        else:
            where = "the index" if path is None else plain(str(path))
            click.echo(f"no {count(0, self.noun).partition(' ')[2]} in {where}, in files that are not ignored")


def _print_deleted(path: Path | None, form: str | None) -> None:
    if path is None or os.path.isdir(path):
        raise click.UsageError("--deleted needs a file")
    with asking() as session:
        deleted, commits = list_deleted(session, name_file(path))
    found = [deleted_document(one, commits) for one in deleted]
    if form is not None:
        print_documents(form, found)
    elif not found:
        click.echo(f"nothing was deleted from {plain(str(path))}, as far as the index knows")
    else:
        print_groups([(name_file(path), list(map(_deleted_row, found)))])
        click.echo(count(len(found), "deleted entity"))


def _deleted_row(one: DeletedDocument) -> TableRow:
    now = f"now {place_of(one.entity)}, " if one.entity is not None else ""
    return one.mark, plain(one.before.qualified_name), now + describe_deletion(one.deletion)


@click.command()
@path_options
def nodes(path: Path | None, form: str | None, language: str | None, max_bytes: int | None) -> None:
    """List the nodes of PATH, a file or a folder, or of the whole index: entities, calls, imports, parameters, …

    \b
    Examples:
      birthmark nodes src/app.js
      birthmark nodes src
      birthmark nodes src/app.js --jsonl | jq 'select(.type == "CALL")'
    """
    with _listing(path, ReadingOptions(language, max_bytes)) as listing:
        if form is not None:
            print_documents(form, chain.from_iterable(map(node_documents, listing.nodes())))
            return
        totals = _Totals("node")
        with paging():
            print_groups((file.path, totals.add(_node_rows(file))) for file in listing.nodes())
            totals.print(path)


def _node_rows(file: FileNodes) -> list[TableRow]:
    return [
        (
            lines_of(node.start_line, node.end_line),
            Cell(node.type, "cyan"),
            plain(f"{node.name}{'' if node.position is None else f'#{node.position}'} in {node.named_parent}"),
        )
        for node in file.nodes
    ]


@click.command()
@path_options
@click.option(
    "--since", metavar="REV", help="Show what became of each chunk since a revision, what to embed again first."
)
@click.option("--kept", is_flag=True, help="With --since: list also the chunks that are as they were.")
@click.option("--no-text", is_flag=True, help="Leave out the text of chunks in JSON.")
def chunks(
    path: Path | None,
    form: str | None,
    since: str | None,
    kept: bool,
    no_text: bool,
    language: str | None,
    max_bytes: int | None,
) -> None:
    """List the chunks of PATH, a file or a folder, or of the whole index, for embedding and retrieval.

    In JSON a chunk has its text, the mark of the entity it is in, and a hash of its content.

    With --since: changed (other text) and added, which are to be embedded again; rekeyed (the same text under a new
    uid: the embedding is still valid) and gone; and with --kept those whose uid is the same.

    \b
    Examples:
      birthmark chunks src/app.py
      birthmark chunks docs --jsonl --no-text
      birthmark chunks --since HEAD~5
      birthmark chunks src --since v1.0 --jsonl | jq -r 'select(.after) | .after.chunkUid'
    """
    if kept and since is None:
        raise click.UsageError("--kept is for --since")
    if no_text and form is None:
        raise click.UsageError("--no-text is for --json and --jsonl")
    if since is not None:
        print_chunk_changes(since, path, form, with_kept=kept, with_text=not no_text)
        return
    with _listing(path, ReadingOptions(language, max_bytes)) as listing:
        if form is not None:
            found = (chunk_documents(file, with_text=not no_text) for file in listing.files())
            print_documents(form, chain.from_iterable(found))
            return
        totals = _Totals("chunk")
        with paging():
            print_groups((file.path, totals.add(_chunk_rows(file))) for file in listing.files())
            totals.print(path)


def _chunk_rows(file: ChunkedFile) -> list[TableRow]:
    return [chunk_row(file, index) for index in range(len(file.outline.chunks))]
