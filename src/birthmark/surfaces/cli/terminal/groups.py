"""Rows under headings, as files with what is in them; long lists, which are cut; and wrapped sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

import click

from birthmark.documents.wording import plain
from birthmark.surfaces.cli.terminal.tables import TableRow, print_table
from birthmark.surfaces.text import paint, wrap_text

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
