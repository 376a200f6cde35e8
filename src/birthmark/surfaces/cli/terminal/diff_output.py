"""A diff for people: changes under the file they are in, or counts of each file, and one line that sums up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from birthmark.comparison.diff_listing import FileChanges, ListedChange
from birthmark.comparison.entity_changes import EntityChange
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Location
from birthmark.surfaces.cli.terminal.commits import patch_lines
from birthmark.surfaces.cli.terminal.derivation_words import describe_derivatives, describe_sources
from birthmark.surfaces.cli.terminal.tables import Cell, column_widths, table_lines
from birthmark.surfaces.text import cells, fit, paint, screen, wrap_text
from birthmark.vocabulary import Aspect, Change, FileRole
from birthmark.words import count, short, visible

COLORS = {
    Change.ADDED: "green",
    Change.DELETED: "red",
    Change.MODIFIED: "yellow",
    Change.RENAMED: "cyan",
    Change.RELOCATED: "cyan",
    Change.MOVED: "dim",
}
_HEADINGS = {
    FileRole.DOCUMENTATION: "Documentation and examples",
    FileRole.TEST: "Tests",
    FileRole.GENERATED: "Generated and vendored files",
}
_FILE_NOTES = {Change.ADDED: "new file", Change.DELETED: "deleted file"}
_INDENT = "  "
_LEAST_PATH = 24  # columns of a path, however narrow the screen is

Rows = list[list[Cell]]


def print_listing(files: Sequence[FileChanges]) -> None:
    tables = [[_row(listed) for listed in file.listed] for file in files]
    widths = column_widths([row for rows in tables for row in rows])
    role = FileRole.SOURCE
    for number, (file, rows) in enumerate(zip(files, tables, strict=True)):
        if number:
            click.echo()
        if file.role is not role:
            role = file.role
            click.echo(paint(f"{_HEADINGS[role]}\n", "dim"))
        _print_file(file, rows, widths)


def _print_file(file: FileChanges, rows: Rows, widths: Sequence[int]) -> None:
    click.echo(_heading(file))
    for listed, line in zip(file.listed, table_lines(rows, _INDENT, widths), strict=True):
        click.echo(line)
        for text in _derivations(listed):
            click.echo(paint(fit(f"{_INDENT * 2}{text}", screen().columns), "dim"))
        if listed.patch is not None:
            click.echo("".join(f"{text}\n" for text in patch_lines(listed.patch, _INDENT * 2)))
    if file.is_summed_up:
        click.echo(fit(f"{_INDENT}{_counts(file.counts)}", screen().columns))
    for path, number in sorted(file.gone_to.items(), key=lambda item: -item[1]):
        click.echo(
            paint(fit(f"{_INDENT}{count(number, 'definition')} went to {visible(path)}", screen().columns), "dim")
        )


def _heading(file: FileChanges) -> str:
    path = visible(file.path)
    if file.old_path is not None:
        path = f"{visible(file.old_path)} → {path}"
    note = f"  ({_FILE_NOTES[file.change]})" if file.change is not None else ""
    columns = screen().columns
    return paint(shorten(path, None if columns is None else columns - len(note)), "bold") + note


def _row(listed: ListedChange) -> list[Cell]:
    change = listed.change
    location = _location(change)
    if listed.together:
        return _joined_row(listed, location)
    return [
        Cell(listed.word, COLORS[listed.word]),
        Cell(str(location.start_line)),
        Cell(change.kind, "dim"),
        Cell(visible("  ".join(part for part in (location.qualified_name, _was(listed), _details(listed)) if part))),
    ]


def _derivations(listed: ListedChange) -> list[str]:
    path = _location(listed.change).path
    return [*describe_sources(listed.derived_from, path), *describe_derivatives(listed.derivatives, path)]


def _joined_row(listed: ListedChange, location: Location) -> list[Cell]:
    before, scope = listed.change.before, location.qualified_name.rpartition(".")[0]
    number, kind = len(listed.together), listed.change.kind
    if before is not None and listed.word is Change.RELOCATED:
        old_scope = before.qualified_name.rpartition(".")[0]
        where = f" unchanged from {before.path}" + (f"::{old_scope}" if old_scope != scope else "")
        kind = ""
    else:
        where = ""
    names = f"{number}{where}: {', '.join(listed.together)}"
    return [
        Cell(listed.word, COLORS[listed.word]),
        Cell(str(location.start_line)),
        Cell(kind, "dim"),
        Cell(visible(f"{scope}.…  {names}" if scope else names)),
    ]


def _location(change: EntityChange) -> Location:
    location = change.after or change.before
    assert location is not None
    return location


def _was(listed: ListedChange) -> str:
    before, after = listed.change.before, listed.change.after
    if before is None or after is None:
        return ""
    if listed.word is not Change.RELOCATED:
        return f"was {_short_name(before, after)}" if before.qualified_name != after.qualified_name else ""
    return f"from {before.path}" + (
        f"::{before.qualified_name}" if before.qualified_name != after.qualified_name else ""
    )


def _short_name(before: Location, after: Location) -> str:
    """The old name without its scope, if that is the same."""
    scope, _, name = before.qualified_name.rpartition(".")
    return name if scope == after.qualified_name.rpartition(".")[0] else before.qualified_name


def _details(listed: ListedChange) -> str:
    parts = [_aspect(aspect, listed.change.kind) for aspect in listed.aspects]
    parts += [f"with {count(listed.n_members, 'member')}"] if listed.n_members else []
    return f"({', '.join(parts)})" if parts else ""


def _aspect(aspect: Aspect, kind: str) -> str:
    """In the words of people: what a class or a variable has is no signature, nor a body."""
    if aspect is Aspect.INTERFACE:
        return "signature" if kind in FUNCTION_LIKE else "declaration"
    if aspect is Aspect.BODY:
        return "body" if kind in FUNCTION_LIKE | CLASS_LIKE else "value"
    return str(aspect)


def print_stat(files: Sequence[FileChanges]) -> None:
    """A line for each file: its lines, then its changes."""
    rows = [[visible(file.path), _lines(file), _counts(file.counts)] for file in files]
    columns = screen().columns
    if columns is not None:
        longest = max((cells(row[1]) for row in rows), default=0)
        most = max(_LEAST_PATH, columns - longest - max((cells(row[2]) for row in rows), default=0) - 4)
        rows = [[shorten(row[0], max(most, columns // 2 - longest)), *row[1:]] for row in rows]
    for line in table_lines(rows):
        click.echo(line)


def _lines(file: FileChanges) -> str:
    return f"+{file.n_added} -{file.n_removed}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[change]:,} {change}" for change in COLORS if counts.get(change))


def shorten(path: str, width: int | None) -> str:
    """A path in at most so many columns; what is cut off is at its beginning."""
    if width is None or cells(path) <= width:
        return path
    return "…" + path[len(path) - max(width - 1, 0) :]


def summary_of(base: str, target: str, files: Sequence[FileChanges], counts: Mapping[str, int]) -> str:
    """Return one line, which is broken where the screen is narrow."""
    names = f"{_name(base)} to {_name(target)}"
    changes = {change: number for change, number in counts.items() if number and change in COLORS}
    n_moved = changes.pop(Change.MOVED, 0)
    parts = [f"{count(len(files), 'file')}: {_counts(changes)}"] if changes else []
    parts += [f"{n_moved:,} merely moved"] if n_moved else []
    if any(file.n_added or file.n_removed for file in files):
        parts.append(f"+{sum(f.n_added for f in files):,} -{sum(f.n_removed for f in files):,} lines")
    text = f"{names}: {'; '.join(parts) or 'no entity differs'}"
    return "\n".join(wrap_text(text, further=_INDENT))


def _name(state: str) -> str:
    return state if state.startswith("the ") else short(state)
