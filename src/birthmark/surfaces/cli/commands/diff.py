"""`diff`: changes under the file they are in, or counts of each file, and one line that sums up."""

from __future__ import annotations

from collections.abc import Sequence

import click

from birthmark.app.changes.diff_arguments import split_words
from birthmark.app.workspace.session import Session
from birthmark.documents.changes import DiffListingDocument, ListedChangeDocument, ListedFileDocument
from birthmark.documents.parts import LocationDocument
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.questions.changes import Diff, DiffListing, TwoStates
from birthmark.questions.question import make_question
from birthmark.surfaces.cli.question_command import Values, question_command, values_of
from birthmark.surfaces.cli.terminal.commits import patch_lines
from birthmark.surfaces.cli.terminal.derivation_words import describe_derivatives, describe_sources
from birthmark.surfaces.cli.terminal.tables import Cell, column_widths, table_lines
from birthmark.surfaces.text import cells, fit, paint, screen, wrap_text
from birthmark.vocabulary import Aspect, Change, FileRole
from birthmark.words import count, short, visible

_COLORS = {
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


class PathsBehindDashes(click.Command):
    """A command that takes all arguments after `--` as paths, as git does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words, behind = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        return super().parse_args(ctx, [*words, *(f"--path={path}" for path in behind)])


def _make_diff(session: Session, given: Values) -> TwoStates:
    """Make the question of a flat list for JSON, else that of a listing by file."""
    (base, target), paths = split_words(session.repository, _words(given), only_revisions=bool(given["path"]))
    values = values_of(DiffListing, given | {"base": base, "target": target, "path": given["path"] or paths})
    if given["form"] is None:
        return make_question(DiffListing, values)
    return make_question(Diff, {name: value for name, value in values.items() if name in Diff.__struct_fields__})


def _is_about_worktree(given: Values) -> bool:
    """Return False without a revision: the question may be what has changed since the index was made."""
    words = _words(given)
    return len(words) == 1 and ".." not in words[0] and not given["index"]


def _words(given: Values) -> list[str]:
    return [*([given["since"]] if given["since"] else []), *given["words"]]


def _show_diff(asked: DiffListing, found: DiffListingDocument, *, words: Sequence[str], since: str | None) -> None:
    (_print_stat if asked.stat else _print_listing)(found.files)
    click.echo(("\n" if found.files else "") + _summary(found))


diff = question_command(
    DiffListing,
    _show_diff,
    options=[
        click.Argument(["words"], nargs=-1, metavar="[BASE [TARGET] | A..B | A...B] [-- PATH…]"),
        click.Option(["--since"], metavar="REV", help="The same as BASE: a revision, or a date like '2 weeks ago'."),
    ],
    build=_make_diff,
    built=("base", "target", "limit", "offset"),
    refreshes=_is_about_worktree,
    finds=lambda found: any(number for change, number in found.counts.items() if change != Change.UNCHANGED),
    finds_help="Exit with 1 if anything differs.",
    command=PathsBehindDashes,
)


# Text


def _print_listing(files: Sequence[ListedFileDocument]) -> None:
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


def _print_file(file: ListedFileDocument, rows: list[list[Cell]], widths: Sequence[int]) -> None:
    click.echo(_heading(file))
    for listed, line in zip(file.listed, table_lines(rows, _INDENT, widths), strict=True):
        click.echo(line)
        for text in _derivations(listed):
            click.echo(paint(fit(f"{_INDENT * 2}{text}", screen().columns), "dim"))
        if listed.patch is not None:
            click.echo("".join(f"{text}\n" for text in patch_lines(listed.patch, _INDENT * 2)))
    if file.role is FileRole.GENERATED and not file.listed and file.counts:
        click.echo(fit(f"{_INDENT}{_counts(file.counts)}", screen().columns))
    for path, number in sorted(file.gone_to.items(), key=lambda item: -item[1]):
        click.echo(
            paint(fit(f"{_INDENT}{count(number, 'definition')} went to {visible(path)}", screen().columns), "dim")
        )


def _heading(file: ListedFileDocument) -> str:
    path = visible(file.path)
    if file.old_path is not None:
        path = f"{visible(file.old_path)} → {path}"
    note = f"  ({_FILE_NOTES[file.change]})" if file.change is not None else ""
    columns = screen().columns
    return paint(_shorten(path, None if columns is None else columns - len(note)), "bold") + note


def _row(listed: ListedChangeDocument) -> list[Cell]:
    location = _location(listed)
    if listed.together:
        return _joined_row(listed, location)
    return [
        Cell(listed.change, _COLORS[listed.change]),
        Cell(str(location.start_line)),
        Cell(listed.kind, "dim"),
        Cell(visible("  ".join(part for part in (location.qualified_name, _was(listed), _details(listed)) if part))),
    ]


def _derivations(listed: ListedChangeDocument) -> list[str]:
    path = _location(listed).path
    return [*describe_sources(listed.derived_from, path), *describe_derivatives(listed.derivatives, path)]


def _joined_row(listed: ListedChangeDocument, location: LocationDocument) -> list[Cell]:
    before, scope = listed.before, location.qualified_name.rpartition(".")[0]
    number, kind = len(listed.together), listed.kind
    if before is not None and listed.change is Change.RELOCATED:
        old_scope = before.qualified_name.rpartition(".")[0]
        where = f" unchanged from {before.path}" + (f"::{old_scope}" if old_scope != scope else "")
        kind = ""
    else:
        where = ""
    names = f"{number}{where}: {', '.join(listed.together)}"
    return [
        Cell(listed.change, _COLORS[listed.change]),
        Cell(str(location.start_line)),
        Cell(kind, "dim"),
        Cell(visible(f"{scope}.…  {names}" if scope else names)),
    ]


def _location(change: ListedChangeDocument) -> LocationDocument:
    location = change.after or change.before
    assert location is not None
    return location


def _was(listed: ListedChangeDocument) -> str:
    before, after = listed.before, listed.after
    if before is None or after is None:
        return ""
    if listed.change is not Change.RELOCATED:
        return f"was {_short_name(before, after)}" if before.qualified_name != after.qualified_name else ""
    return f"from {before.path}" + (
        f"::{before.qualified_name}" if before.qualified_name != after.qualified_name else ""
    )


def _short_name(before: LocationDocument, after: LocationDocument) -> str:
    """The old name without its scope, if that is the same."""
    scope, _, name = before.qualified_name.rpartition(".")
    return name if scope == after.qualified_name.rpartition(".")[0] else before.qualified_name


def _details(listed: ListedChangeDocument) -> str:
    parts = [_aspect(aspect, listed.kind) for aspect in listed.aspects]
    parts += [f"with {count(listed.members, 'member')}"] if listed.members else []
    return f"({', '.join(parts)})" if parts else ""


def _aspect(aspect: Aspect, kind: str) -> str:
    """In the words of people: what a class or a variable has is no signature, nor a body."""
    if aspect is Aspect.INTERFACE:
        return "signature" if kind in FUNCTION_LIKE else "declaration"
    if aspect is Aspect.BODY:
        return "body" if kind in FUNCTION_LIKE | CLASS_LIKE else "value"
    return str(aspect)


def _print_stat(files: Sequence[ListedFileDocument]) -> None:
    """A line for each file: its lines, then its changes."""
    rows = [[visible(file.path), f"+{file.added} -{file.removed}", _counts(file.counts)] for file in files]
    columns = screen().columns
    if columns is not None:
        longest = max((cells(row[1]) for row in rows), default=0)
        most = max(_LEAST_PATH, columns - longest - max((cells(row[2]) for row in rows), default=0) - 4)
        rows = [[_shorten(row[0], max(most, columns // 2 - longest)), *row[1:]] for row in rows]
    for line in table_lines(rows):
        click.echo(line)


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[change]:,} {change}" for change in _COLORS if counts.get(change))


def _shorten(path: str, width: int | None) -> str:
    """A path in at most so many columns; what is cut off is at its beginning."""
    if width is None or cells(path) <= width:
        return path
    return "…" + path[len(path) - max(width - 1, 0) :]


def _summary(found: DiffListingDocument) -> str:
    """Return one line, which is broken where the screen is narrow."""
    files, names = found.files, f"{_name(found.base)} to {_name(found.target)}"
    changes = {change: number for change, number in found.counts.items() if number and change in _COLORS}
    n_moved = changes.pop(Change.MOVED, 0)
    parts = [f"{count(len(files), 'file')}: {_counts(changes)}"] if changes else []
    parts += [f"{n_moved:,} merely moved"] if n_moved else []
    if any(file.added or file.removed for file in files):
        parts.append(f"+{sum(f.added for f in files):,} -{sum(f.removed for f in files):,} lines")
    text = f"{names}: {'; '.join(parts) or 'no entity differs'}"
    return "\n".join(wrap_text(text, further=_INDENT))


def _name(state: str) -> str:
    return state if state.startswith("the ") else short(state)
