"""`entities`, `nodes` and `chunks`: of a file, of a folder or of all that is indexed.

Files are read where the index does not have them as they are, so that these commands work without an index.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, groupby, islice
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec.structs import replace

from birthmark.app.answers.files import ReadingOptions, name_file
from birthmark.app.answers.listing import Listing, NamedEntity, list_deleted, open_listing
from birthmark.app.histories.blames import name_in_repository
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.app.workspace.session import open_session
from birthmark.documents.answers import DeletedDocument, deleted_document
from birthmark.documents.definitions import (
    ChunkChangeDocument,
    ChunkChangesDocument,
    ChunkDocument,
    chunk_document,
    chunk_documents,
    entity_document,
    node_document,
)
from birthmark.documents.wording import plain, state_name
from birthmark.model import Node
from birthmark.questions.listing import Chunks, Entities, Nodes
from birthmark.questions.question import PagedQuestion, make_question
from birthmark.surfaces.cli.completion import COMPLETED
from birthmark.surfaces.cli.question_command import Values, advice_of, command_params, help_of, values_of
from birthmark.surfaces.cli.shared_options import refresh_options
from birthmark.surfaces.cli.terminal.entity_tree import print_tree
from birthmark.surfaces.cli.terminal.lives import declaration, describe_deletion, place_of
from birthmark.surfaces.cli.terminal.output import paging, print_documents, print_json, say, warn_if_stale
from birthmark.surfaces.cli.terminal.tables import MOST_ROWS, Cell, RowLimit, TableRow, print_groups
from birthmark.vocabulary import ChunkState
from birthmark.words import count, lines_of

T = TypeVar("T")

_READING = (
    click.Option(
        ["--language"],
        metavar="NAME",
        type=COMPLETED["language"],
        help="Read the file as this language, regardless of its name.",
    ),
    click.Option(["--max-bytes"], type=click.IntRange(min=0), help="Read files up to this size.  [default: 1048576]"),
)
_STATES = {  # The colour of each, and what is to be done with it.
    ChunkState.CHANGED: ("yellow", "to embed again"),
    ChunkState.ADDED: ("green", "to embed again"),
    ChunkState.REKEYED: ("cyan", "with a new uid; the text is the same, so the embedding is still valid"),
    ChunkState.GONE: ("red", "gone"),
    ChunkState.KEPT: ("dim", "as before"),
}


def _command(
    question: type[PagedQuestion], run: Callable[..., None], options: Sequence[click.Parameter] = ()
) -> click.Command:
    params = command_params(question, [*options, *_READING], is_cut=True, is_list=True)
    return click.Command(None, callback=run, params=params, help=help_of(question))


def _limit(given: Values) -> RowLimit:
    return RowLimit(None if given["all_rows"] else given["limit"] or MOST_ROWS, advice_of(Entities))


def _refresh(given: Values) -> RefreshOptions | None:
    return None if given["no_refresh"] else refresh_options()


def _path(given: Values) -> Path | None:
    """A file or a folder; an empty path would be the current folder."""
    if given["path"] == "":
        raise click.UsageError("PATH is empty; name a file or a folder")
    return None if given["path"] is None else Path(given["path"])


@contextmanager
def _listing(path: Path | None, given: Values) -> Iterator[Listing]:
    """Open a listing; report unreadable files after it has been used."""
    options = ReadingOptions(given["language"], given["max_bytes"])
    with open_listing(path, options, _refresh(given)) as listing:
        if listing.freshness is not None:
            warn_if_stale(listing.freshness)
        yield listing
        for problem in listing.problems:
            say(f"{plain(problem.path)}: {problem.problem}")


def _print_list(
    found: Iterable[tuple[str, T]], row: Callable[[T], TableRow], noun: str, path: Path | None, limit: RowLimit
) -> None:
    """Print things under their files, and how many there are; rows are made of those alone that are shown."""
    counts: Counter[str] = Counter()
    with paging():
        for file, group in groupby(found, key=lambda one: one[0]):
            things = [thing for _, thing in group]
            counts[file] += len(things)
            print_groups([(file, [row(one) for one in limit.take(things)])])
        if counts:
            click.echo(f"{count(counts.total(), noun)} in {count(len(counts), 'file')}")
        else:
            where = "the index" if path is None else plain(str(path))
            click.echo(f"no {count(0, noun).partition(' ')[2]} in {where}, in files that are not ignored")
        limit.print_rest()


def _entities(form: str | None, tree: bool, depth: int | None, deleted: bool, **given: Any) -> None:
    if depth is not None and not tree:
        raise click.UsageError("--depth is for --tree")
    if tree and form is not None:
        raise click.UsageError(f"--tree is for people; --{form} lists the same entities with their parents")
    path, asked = _path(given), make_question(Entities, values_of(Entities, given))
    if deleted:
        _print_deleted(path, form, asked, given)
        return
    with _listing(path, given) as listing:
        if tree:
            with paging():
                print_tree(listing.files(), frozenset(asked.kind), depth)
            return
        found = (named for named in listing.entities() if not asked.kind or named[0].kind in asked.kind)
        if form is not None:
            print_documents(form, (entity_document(*named) for named in asked.page_of(found)))
        else:
            rows = ((named[0].path, named) for named in islice(found, asked.offset, None))
            _print_list(rows, _entity_row, "entity", path, _limit(given))


def _entity_row(named: NamedEntity) -> TableRow:
    entity = named[0]
    return (
        lines_of(entity.start_line, entity.end_line),
        Cell(entity.kind, "cyan"),
        declaration(entity, named[1].overload),
    )


def _print_deleted(path: Path | None, form: str | None, asked: Entities, given: Values) -> None:
    if path is None or os.path.isdir(path):
        raise click.UsageError("--deleted needs a file")
    with open_session(None, _refresh(given)) as session:
        deleted, commits = list_deleted(session, name_file(path))
    found = list(asked.page_of(deleted_document(one, commits) for one in deleted))
    if form is not None:
        print_documents(form, found)
    elif not found:
        click.echo(f"nothing was deleted from {plain(str(path))}, as far as the index knows")
    else:
        limit = _limit(given)
        print_groups([(name_file(path), list(map(_deleted_row, found)))], limit=limit)
        click.echo(count(len(found), "deleted entity"))
        limit.print_rest()


def _deleted_row(one: DeletedDocument) -> TableRow:
    now = f"now {place_of(one.entity)}, " if one.entity is not None else ""
    return one.mark, plain(one.before.qualified_name), now + describe_deletion(one.deletion)


def _nodes(form: str | None, **given: Any) -> None:
    path, asked = _path(given), make_question(Nodes, values_of(Nodes, given))
    with _listing(path, given) as listing:
        found = (
            (file.path, (node, semantic_id, file.path))
            for file in listing.nodes()
            for node, semantic_id in zip(file.nodes, file.semantic_ids, strict=True)
        )
        if form is not None:
            print_documents(form, (node_document(*node) for _, node in asked.page_of(found)))
        else:
            _print_list(islice(found, asked.offset, None), _node_row, "node", path, _limit(given))


def _node_row(found: tuple[Node, str, str]) -> TableRow:
    node, *_ = found
    name = f"{node.name}{'' if node.position is None else f'#{node.position}'} in {node.named_parent}"
    return lines_of(node.start_line, node.end_line), Cell(node.type, "cyan"), plain(name)


def _chunks(form: str | None, **given: Any) -> None:
    if given["kept"] and given["since"] is None:
        raise click.UsageError("--kept is for --since")
    if not given["text"] and form is None:
        raise click.UsageError("--no-text is for --json and --jsonl")
    path, asked = _path(given), make_question(Chunks, values_of(Chunks, given))
    if asked.since is not None:
        _print_changes(path, form, asked, given)
        return
    with _listing(path, given) as listing:
        if form is not None:
            found = (chunk_documents(file, with_text=asked.text) for file in listing.files())
            print_documents(form, asked.page_of(chain.from_iterable(found)))
            return
        rows = ((file.path, (file, i)) for file in listing.files() for i in range(len(file.outline.chunks)))
        shown = islice(rows, asked.offset, None)
        _print_list(shown, lambda one: _chunk_row(chunk_document(*one)), "chunk", path, _limit(given))


def _chunk_row(chunk: ChunkDocument) -> tuple[str, Cell, str]:
    """Lines, kind and name of a chunk."""
    language = chunk.segment.language_id if chunk.segment is not None else None
    name = " ".join(word for word in (chunk.name, f"({language})" if language else None) if word)
    return lines_of(chunk.start_line, chunk.end_line), Cell(chunk.kind, "cyan"), plain(name)


def _print_changes(path: Path | None, form: str | None, asked: Chunks, given: Values) -> None:
    """Print what became of chunks since a revision."""
    folder = None if path is None else next((one for one in (path, *path.parents) if os.path.isdir(one)), None)
    with open_session(folder, _refresh(given)) as session:
        name = None if path is None else name_in_repository(session.repository, path)
        found = replace(asked, path=name).answer(session)
    assert isinstance(found, ChunkChangesDocument)
    if form == "json":
        print_json(found)
    elif form == "jsonl":
        print_documents(form, found.changes)
    else:
        with paging():
            _print_changed(found, limit := _limit(given))
            limit.print_rest()
    for problem in found.problems:
        say(f"{plain(problem.path)}: {problem.problem}")


def _print_changed(found: ChunkChangesDocument, limit: RowLimit) -> None:
    for title, listed in groupby(found.changes, lambda one: _STATES[one.change][1]):
        changes = sorted(listed, key=lambda one: (_current(one).file, _current(one).doc_id))
        shown = limit.take(changes)
        if shown:
            click.echo(f"{count(len(changes), 'chunk')} {title}:")
        by_file = groupby(shown, lambda one: _current(one).file)
        print_groups(((file, list(map(_change_row, inside))) for file, inside in by_file), indent="  ")
    click.echo(_summary(found))


def _current(one: ChunkChangeDocument) -> ChunkDocument:
    """The chunk as it is, or was before it was gone."""
    current = one.after or one.before
    assert current is not None
    return current


def _change_row(one: ChunkChangeDocument) -> TableRow:
    lines, kind, name = _chunk_row(_current(one))
    was = one.before.file if one.before is not None and one.after is not None else None
    moved = f"  was in {plain(was)}" if was is not None and was != _current(one).file else ""
    return lines, Cell(one.change, _STATES[one.change][0]), kind, f"{name}{moved}"


def _summary(found: ChunkChangesDocument) -> str:
    counts = ", ".join(f"{found.counts[state]:,} {state}" for state in _STATES)
    equal = f"\n{count(found.equal_files, 'file')} did not change" if found.equal_files else ""
    return f"{counts} since {state_name(found.base)}{equal}"


entities = _command(
    Entities,
    _entities,
    [
        click.Option(["--tree"], is_flag=True, help="Show folders, files and definitions as a tree, with totals."),
        click.Option(["--depth"], type=click.IntRange(min=1), metavar="N", help="Show N levels of the tree."),
        click.Option(["--deleted"], is_flag=True, help="List what was ever deleted from a file, as far as is known."),
    ],
)
nodes = _command(Nodes, _nodes)
chunks = _command(Chunks, _chunks)
