"""`blame`: who last changed each entity of a file or folder, and who introduced it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import click

from birthmark.app.histories.blames import Blame, BlamedEntity, name_in_repository, read_blames
from birthmark.documents.changes import blame_documents
from birthmark.documents.document import encode_line
from birthmark.surfaces.cli.refresh_option import open_repository
from birthmark.surfaces.cli.terminal.commits import author_width, commit_line, day_of
from birthmark.surfaces.cli.terminal.history_words import list_changes
from birthmark.surfaces.cli.terminal.output import list_options, print_json, say
from birthmark.surfaces.cli.terminal.pager import paging
from birthmark.surfaces.text import cells, fit, paint, screen
from birthmark.vocabulary import HistoryChange
from birthmark.words import count, lines_of, visible


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--at", "revision", default="HEAD", show_default=True, metavar="REV", help="Start at this revision.")
@list_options
def blame(path: Path, revision: str, form: str | None) -> None:
    """Show who last changed the code of each entity in PATH, and who introduced it.

    PATH is a file, or a folder with all its files. Comments, documentation, formatting and moves do not count.

    \b
    Examples:
      birthmark blame src/app.py
      birthmark blame src/
      birthmark blame src/app.py --at v2.0 --json
    """
    with open_repository() as past:
        _print_blames(form, read_blames(past, name_in_repository(past, path), revision))
        problems = list(past.problems)
    for problem in problems:
        say(f"{problem.path}: {problem.problem}")


def _print_blames(form: str | None, blames: Iterable[Blame]) -> None:
    """One file after the other, as they are read."""
    documents = chain.from_iterable(map(blame_documents, blames))
    if form == "json":
        print_json(list(documents))
    elif form == "jsonl":
        for document in documents:
            sys.stdout.buffer.write(encode_line(document) + b"\n")
    else:
        with paging():
            _print_for_people(blames)


def _print_for_people(blames: Iterable[Blame]) -> None:
    n_files = n_entities = 0
    for found in blames:
        click.echo(("\n" if n_files else "") + paint(visible(found.path), "bold"))
        for line in _lines(found):
            click.echo(line)
        n_files, n_entities = n_files + 1, n_entities + len(found.entities)
    click.echo(f"\n{count(n_entities, 'entity')} in {count(n_files, 'file')}")


def _lines(found: Blame) -> Iterator[str]:
    """Of each entity: what was done to it last, by which commit, and who introduced it, if that is another one."""
    places = [lines_of(blamed.entity.start_line, blamed.entity.end_line) for blamed in found.entities]
    left = max(map(len, places), default=0)
    width = author_width(blamed.last.commit for blamed in found.entities)
    indent = " " * (left + 4)
    for place, blamed in zip(places, found.entities, strict=True):
        headline, rest = _headline(blamed, len(indent))
        yield f"  {paint(place.ljust(left), 'dim')}  {headline}".rstrip()
        yield commit_line(blamed.last.commit, width, indent)
        if rest:
            yield indent + rest


def _headline(blamed: BlamedEntity, used: int) -> tuple[str, str]:
    """What fits into a line, and who introduced it, if that does not."""
    entity, what, first = blamed.entity, list_changes(blamed.last.step.changes), blamed.introduced.commit
    name, columns = visible(entity.qualified_name), screen().columns
    room = None if columns is None else columns - used - cells(f"{entity.kind} {name}  ")
    named = f"{paint(entity.kind, 'cyan')} {paint(name, 'bold')}  "
    if HistoryChange.INTRODUCED in blamed.last.step.changes:
        return named + fit(what, room), ""
    introduced = f"introduced {day_of(first)} by {visible(first.author)}"
    together = f"{what}, {introduced}"
    if room is None or cells(together) <= room:
        return named + together, ""
    return named + fit(what, room), fit(introduced, None if columns is None else columns - used)
