"""Commits for people: `3f2a61b09c44  2024-05-31  Ada Lovelace  Fix rounding`.

Names and subjects come from a repository, and have nothing in them that a terminal would obey.
"""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.documents.parts import write_date
from birthmark.sources.git.log import Commit
from birthmark.surfaces.cli.terminal.tables import Cell, table_lines
from birthmark.surfaces.text import cells, fit, screen
from birthmark.words import short, visible

_LONGEST_AUTHOR = 20  # columns on a screen


def author_width(commits: Iterable[Commit]) -> int:
    """Of the column of authors."""
    return max((cells(_author(commit)) for commit in commits), default=0)


def commit_line(commit: Commit, width: int, indent: str = "") -> str:
    """Author and subject are cut to fit the screen."""
    row = Cell(short(commit.id), "yellow"), day_of(commit), _author(commit), visible(commit.subject)
    return table_lines([row], indent, [12, 10, width])[0]


def day_of(commit: Commit) -> str:
    """The day on which it was written, where its author was."""
    return write_date(commit.at, commit.zone)[:10] or "no date"


def _author(commit: Commit) -> str:
    return fit(visible(commit.author), _LONGEST_AUTHOR if screen().columns is not None else None)
