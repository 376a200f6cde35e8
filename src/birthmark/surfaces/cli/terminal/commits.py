"""Commits for people: a line for each, what it did in words, and the lines it changed.

`3f2a61b09c44  2024-05-31  Ada Lovelace  Fix rounding`, `renamed from total`, `body and parameters changed`. Names and
subjects come from a repository, and have nothing in them that a terminal would obey.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from birthmark.comparison.patch import Patch
from birthmark.documents.parts import CommitDocument, HunkDocument, LocationDocument, PatchDocument, patch_document
from birthmark.model import Location
from birthmark.surfaces.cli.terminal.tables import Cell, table_lines
from birthmark.surfaces.text import cells, fit, paint, screen
from birthmark.words import short, visible

Place = Location | LocationDocument
_LONGEST_AUTHOR = 20  # columns on a screen
_COLORS = {"+": "green", "-": "red"}
_BAR = 20  # columns of the longest bar


def author_width(commits: Iterable[CommitDocument]) -> int:
    """Return the width of the column of authors."""
    return max((cells(_author(commit)) for commit in commits), default=0)


def commit_line(commit: CommitDocument, width: int, indent: str = "") -> str:
    """Return a line that fits the screen: author and subject are cut."""
    row = Cell(short(commit.commit), "yellow"), day_of(commit), _author(commit), visible(commit.subject)
    return table_lines([row], indent, [12, 10, width])[0]


def day_of(commit: CommitDocument) -> str:
    """Return the day on which it was written, where its author was."""
    return commit.date[:10] or "no date"


def _author(commit: CommitDocument) -> str:
    return fit(visible(commit.author), _LONGEST_AUTHOR if screen().columns is not None else None)


# Patches


def patch_lines(patch: Patch | PatchDocument, indent: str = "") -> Iterator[str]:
    """Yield the hunks of a unified diff, in colour where there is colour. Code is not cut."""
    document = patch if isinstance(patch, PatchDocument) else patch_document(patch)
    for hunk in document.hunks:
        yield indent + paint(_header(hunk), "cyan")
        for line in hunk.lines:
            yield (indent + paint(line[:1] + visible(line[1:]), _COLORS.get(line[:1]))).rstrip()


def _header(hunk: HunkDocument) -> str:
    return f"@@ -{_range(hunk.old_start, hunk.old_count)} +{_range(hunk.new_start, hunk.new_count)} @@"


def _range(start: int, count: int) -> str:
    return f"{start}" if count == 1 else f"{start},{count}"


def stat(patch: PatchDocument, longest: int = 0) -> str:
    """Return `+3 -1 +++-`: the numbers of added and removed lines, and a bar in proportion."""
    most = max(longest, patch.added + patch.removed, 1)
    scale = min(1.0, _BAR / most)
    bar = paint("+" * _scaled(patch.added, scale), "green") + paint("-" * _scaled(patch.removed, scale), "red")
    return f"+{patch.added} -{patch.removed}  {bar}".rstrip()


def _scaled(number: int, scale: float) -> int:
    return max(1, round(number * scale)) if number else 0
