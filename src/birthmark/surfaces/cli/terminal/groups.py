"""Rows under headings, as files with what is in them; and sentences that are wrapped where the screen ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from birthmark.documents.wording import plain
from birthmark.surfaces.cli.terminal.tables import TableRow, print_table
from birthmark.surfaces.text import paint, wrap_text


def print_groups(groups: Iterable[tuple[str, Sequence[TableRow]]], indent: str = "") -> None:
    """Each group as it comes, with an empty line after it; one without rows is left out."""
    for heading, rows in groups:
        if rows:
            click.echo(indent + paint(plain(heading), "bold"))
            print_table(rows, indent=f"{indent}  ")
            click.echo()


def echo_wrapped(text: str, indent: str = "") -> None:
    """Wrapped at the width of the screen; lines after the first are indented."""
    for line in wrap_text(text, further=indent):
        click.echo(line)
