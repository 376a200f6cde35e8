"""Follow a range of lines through an edit of its file.

Hunks before the range shift it; one that overlaps it, or inserts strictly inside it, changes it. Where the old file
is not the one that was accepted, the range is looked for by its text, and by the lines around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.comparison.patch import Hunk
from birthmark.identity.fingerprints import digest
from birthmark.subscriptions.model import Anchors

_CONTEXT = 2  # lines on each side


class Followed(NamedTuple):
    """The current position of a range, None if it is gone, and the hunks that changed it."""

    lines: tuple[int, int] | None
    hunks: tuple[Hunk, ...] = ()  # those that changed it
    is_sure: bool = True


def anchors_of(lines: Sequence[str], first: int, last: int) -> Anchors:
    before, after = lines[max(0, first - 1 - _CONTEXT) : first - 1], lines[last : last + _CONTEXT]
    return Anchors(tuple(before), lines[first - 1], tuple(after), _text(lines, first, last))


def _text(lines: Sequence[str], first: int, last: int) -> str:
    return digest("\n".join(lines[first - 1 : last]).encode())


def follow_hunks(hunks: Sequence[Hunk], first: int, last: int) -> Followed:
    """A range through the hunks of its file."""
    touching = tuple([hunk for hunk in hunks if _touches(hunk, first, last)])
    start, end = _start(hunks, first), _end(hunks, last)
    return Followed((start, end) if start <= end else None, touching)


def _start(hunks: Sequence[Hunk], line: int) -> int:
    """Return the new start of a range that started at a line, including lines that replaced it."""
    over = next((hunk for hunk in hunks if _covers(hunk, line)), None)
    if over is not None:
        return over.new_start + (not over.new_count)
    return line + sum(hunk.new_count - hunk.old_count for hunk in hunks if _ends_before(hunk, line))


def _end(hunks: Sequence[Hunk], line: int) -> int:
    over = next((hunk for hunk in hunks if _covers(hunk, line)), None)
    if over is not None:
        return over.new_start + max(over.new_count - 1, 0)
    return line + sum(hunk.new_count - hunk.old_count for hunk in hunks if _ends_before(hunk, line))


def _covers(hunk: Hunk, line: int) -> bool:
    return hunk.old_start <= line < hunk.old_start + hunk.old_count


def _touches(hunk: Hunk, first: int, last: int) -> bool:
    if not hunk.old_count:
        return first <= hunk.old_start < last  # Strictly inside: between two lines of the range.
    return hunk.old_start <= last and first <= hunk.old_start + hunk.old_count - 1


def _ends_before(hunk: Hunk, first: int) -> bool:
    return hunk.old_start < first if not hunk.old_count else hunk.old_start + hunk.old_count - 1 < first


def find_text(lines: Sequence[str], anchors: Anchors, n_lines: int, near: int) -> list[int]:
    """The lines at which the accepted text starts; those in the accepted surroundings alone, if there are any."""
    starts = [
        i + 1
        for i, line in enumerate(lines)
        if line == anchors.first and _text(lines, i + 1, i + n_lines) == anchors.text
    ]
    in_context = [start for start in starts if anchors_of(lines, start, start + n_lines - 1) == anchors]
    return sorted(in_context or starts, key=lambda start: abs(start - near))


def is_cosmetic(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether lines differ only in blank lines and trailing space."""
    return [line.rstrip() for line in old if line.strip()] == [line.rstrip() for line in new if line.strip()]
