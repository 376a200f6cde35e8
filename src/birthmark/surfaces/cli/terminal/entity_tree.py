"""`entities --tree`: folders, files, classes and methods with connectors, as `tree` draws them, and totals by language.

Takes files with their outlines; prints a line for each thing, its own part of the whole at the end of the line.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import click

from birthmark.documents.wording import plain
from birthmark.extraction.model import ChunkedFile
from birthmark.model import Entity
from birthmark.surfaces.cli.terminal.lives import local_declaration
from birthmark.surfaces.cli.terminal.tables import echo_wrapped, print_table
from birthmark.surfaces.cli.terminal.trees import tree_connectors
from birthmark.surfaces.text import cells, fit, paint, screen
from birthmark.words import count, lines_of

_LEAST_LABEL = 20  # columns of a label, however long its note is
_DEEPEST = 100  # levels; sources and folders may be nested without end


class TreeFile(NamedTuple):
    """A file with those of its entities that were asked for, by their indexes, and what is around them."""

    path: str
    language: str
    n_lines: int
    entities: tuple[Entity, ...]
    asked: frozenset[int]
    children: dict[int, list[int]]  # of each that is shown; those at the top level are in -1


class TreeRow(NamedTuple):
    """A line of the tree: how deep it is, what it is about, and a note."""

    depth: int
    label: str
    note: str
    color: str | None = None


def print_tree(files: Iterable[ChunkedFile], kinds: frozenset[str], depth: int | None) -> None:
    """Print all entities, or those of some kinds with their containers, down to a depth."""
    shown = [file for file in (_tree_file(file, kinds) for file in files) if file.asked or not kinds]
    if not shown:
        click.echo("nothing to show in files that are not ignored")
        return
    deepest = min(depth or _DEEPEST, _DEEPEST)
    rows = [row for row in _rows(shown) if row.depth <= deepest]
    for line in map(_line, tree_connectors([row.depth for row in rows]), rows):
        click.echo(line)
    click.echo()
    _print_totals(shown)


def _tree_file(file: ChunkedFile, kinds: frozenset[str]) -> TreeFile:
    outline = file.outline
    asked = frozenset(i for i, entity in enumerate(outline.entities) if not kinds or entity.kind in kinds)
    shown = set(asked)
    for index in range(len(outline.entities) - 1, -1, -1):  # What is around an entity comes before it.
        if index in shown:
            shown.add(outline.entities[index].container)
    children: dict[int, list[int]] = {}
    for index in sorted(shown - {-1}):
        children.setdefault(outline.entities[index].container, []).append(index)
    n_lines = outline.chunks[-1].end_line if outline.chunks else 0
    return TreeFile(file.path, outline.language, n_lines, outline.entities, asked, children)


def _rows(files: Sequence[TreeFile]) -> Iterator[TreeRow]:
    """A single file is the root itself; of several it is the folder that has all of them."""
    if len(files) == 1:
        yield from _file_rows(files[0], files[0].path, 0)
        return
    root = posixpath.commonpath([posixpath.dirname(file.path) for file in files])
    start = len(root) + 1 if root else 0
    below: dict[str, list[TreeFile]] = {}
    for file in files:
        for folder in _folders(file.path[start:]):
            below.setdefault(folder, []).append(file)
    yield _folder_row(0, root or ".", files)
    known: set[str] = set()
    for file in sorted(files, key=lambda file: _folders_first(file.path)):
        folders = _folders(file.path[start:])
        for depth, folder in enumerate(folders, 1):
            if folder not in known:
                yield _folder_row(depth, posixpath.basename(folder), below[folder])
        known.update(folders)
        yield from _file_rows(file, posixpath.basename(file.path), len(folders) + 1)


def _folders(path: str) -> list[str]:
    """Those that a path goes through, the outermost first."""
    return [path[:i] for i, character in enumerate(path) if character == "/"]


def _folders_first(path: str) -> list[tuple[bool, str]]:
    *folders, name = path.split("/")
    return [*((False, folder) for folder in folders), (True, name)]


def _folder_row(depth: int, name: str, files: Sequence[TreeFile]) -> TreeRow:
    _, n_files, n_entities, n_lines = _figures(name, files)
    note = f"{count(n_files, 'file')}, {count(n_entities, 'entity')}, {count(n_lines, 'line')}"
    return TreeRow(depth, plain(name), note, "blue")


def _file_rows(file: TreeFile, name: str, depth: int) -> Iterator[TreeRow]:
    note = f"{count(len(file.asked), 'entity')}, {count(file.n_lines, 'line')}"
    yield TreeRow(depth, plain(name), note, "bold")
    n_inside = _count_inside(file)
    waiting = [(index, depth + 1) for index in reversed(file.children.get(-1, []))]
    while waiting:
        index, level = waiting.pop()
        entity = file.entities[index]
        inside = f", {count(n_inside[index], 'entity')}" if n_inside[index] else ""
        yield TreeRow(level, local_declaration(entity), lines_of(entity.start_line, entity.end_line) + inside)
        waiting += [(child, level + 1) for child in reversed(file.children.get(index, []))]


def _count_inside(file: TreeFile) -> Counter[int]:
    """Return the number of entities inside each entity, at any depth."""
    n_inside: Counter[int] = Counter()
    for index in range(len(file.entities) - 1, -1, -1):
        n_inside[file.entities[index].container] += n_inside[index] + (index in file.asked)
    return n_inside


def _line(connectors: str, row: TreeRow) -> str:
    columns, used = screen().columns, cells(connectors) + cells(row.note) + 2
    label = fit(row.label, None if columns is None else max(columns - used, _LEAST_LABEL))
    return f"{paint(connectors, 'dim')}{paint(label, row.color)}  {paint(row.note, 'dim')}"


def _print_totals(files: Sequence[TreeFile]) -> None:
    languages = {name: [file for file in files if file.language == name] for name in {file.language for file in files}}
    rows = sorted(map(_figures, languages, languages.values()), key=lambda row: (-row[3], row[0]))
    if len(rows) > 1:
        rows.append(_figures("total", files))
    table = [("language", "files", "entities", "lines"), *((name, *map("{:,}".format, row)) for name, *row in rows)]
    widths = [max(len(row[column]) for row in table) for column in range(1, 4)]
    print_table([(name, *map(str.rjust, row, widths)) for name, *row in table])
    kinds = Counter(file.entities[index].kind for file in files for index in file.asked)
    if kinds:
        click.echo()
        listed = ", ".join(f"{number:,} {kind}" for kind, number in kinds.most_common())
        echo_wrapped(f"kinds  {listed}", indent=" " * 7)


def _figures(name: str, files: Sequence[TreeFile]) -> tuple[str, int, int, int]:
    return name, len(files), sum(len(file.asked) for file in files), sum(file.n_lines for file in files)
