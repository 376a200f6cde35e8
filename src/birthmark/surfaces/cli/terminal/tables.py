"""Rows of aligned columns, under headings, at most as wide as the screen; long lists, which are cut; wrapped sentences.

Columns are aligned to the left; the last one takes the rest of the width, and is cut there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import click

from birthmark.documents.wording import plain
from birthmark.surfaces.text import cells, fit, paint, screen, wrap_text

_GAP = "  "
_LEAST_LAST = 12  # columns that the last column gets, however wide the others are


class Cell(NamedTuple):
    """A text and its colour."""

    text: str
    color: str | None = None


TableRow = Sequence[Cell | str]


def print_table(rows: Iterable[TableRow], indent: str = "") -> None:
    for line in table_lines(list(rows), indent):
        click.echo(line)


def print_figures(head: Sequence[str], rows: Iterable[TableRow]) -> None:
    """A table with titles; all columns but the last are aligned to the right, as figures are."""
    table = [[_cell(title) for title in head], *([_cell(cell) for cell in row] for row in rows)]
    widths = column_widths(table)
    aligned = [[*(_right(cell, width) for cell, width in zip(row, widths, strict=False)), row[-1]] for row in table]
    aligned[0] = [cell._replace(color="dim") for cell in aligned[0]]
    print_table(aligned)


def _right(cell: Cell, width: int) -> Cell:
    return cell._replace(text=" " * (width - cells(cell.text)) + cell.text)


def _cell(cell: Cell | str) -> Cell:
    return cell if isinstance(cell, Cell) else Cell(cell)


def table_lines(rows: Sequence[TableRow], indent: str = "", widths: Sequence[int] | None = None) -> list[str]:
    """Rows as lines; widths of the columns but the last may be given, so that several tables line up."""
    table = [[_cell(cell) for cell in row] for row in rows]
    widths = column_widths(rows) if widths is None else widths
    return [_line(row, widths, indent) for row in table]


def column_widths(rows: Sequence[TableRow]) -> list[int]:
    """Return the widths of all columns except the last."""
    table = [[_cell(cell).text for cell in row[:-1]] for row in rows]
    n_columns = max((len(row) for row in table), default=0)
    return [max((cells(row[i]) for row in table if i < len(row)), default=0) for i in range(n_columns)]


def _line(row: Sequence[Cell], widths: Sequence[int], indent: str) -> str:
    used = cells(indent) + sum(
        max(width, cells(cell.text)) + len(_GAP) for cell, width in zip(row[:-1], widths, strict=False)
    )
    columns = screen().columns
    width = None if columns is None else max(columns - used, _LEAST_LAST)
    padded = [
        paint(cell.text + " " * (width_ - cells(cell.text)), cell.color)
        for cell, width_ in zip(row[:-1], widths, strict=False)
    ]
    last = paint(fit(row[-1].text, width), row[-1].color)
    return (indent + _GAP.join([*padded, last])).rstrip()


MOST_ROWS = 20  # of a list, unless all are asked for
T = TypeVar("T")


class RowLimit:
    """Cuts a long list, and says in the last line how many rows were left out. Without `most`, nothing is cut."""

    def __init__(self, most: int | None = None, advice: str = "") -> None:
        self.left, self.advice, self.n_more = most, advice, 0

    def take(self, rows: Sequence[T]) -> Sequence[T]:
        """Return the rows that are still to be printed."""
        if self.left is None:
            return rows
        shown = rows[: self.left]
        self.left -= len(shown)
        self.n_more += len(rows) - len(shown)
        return shown

    def print_rest(self) -> None:
        if self.n_more:
            click.echo(f"… {self.n_more:,} more; {self.advice}")


def print_groups(
    groups: Iterable[tuple[str, Sequence[TableRow]]], indent: str = "", limit: RowLimit | None = None
) -> None:
    """Print each group as it comes, with an empty line after it; one without rows is left out."""
    for heading, rows in groups:
        shown = rows if limit is None else limit.take(rows)
        if shown:
            click.echo(indent + paint(plain(heading), "bold"))
            print_table(shown, indent=f"{indent}  ")
            click.echo()


def echo_wrapped(text: str, indent: str = "") -> None:
    """Print a text wrapped at the width of the screen; lines after the first are indented."""
    for line in wrap_text(text, further=indent):
        click.echo(line)
