"""Follow a range of lines through an edit of its file.

Hunks before the range shift it; one that overlaps it, or inserts strictly inside it, changes it. Where the old file
is not the one that was accepted, the range is looked for by its text, and by the lines around it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from birthmark.identity.fingerprints import digest
from birthmark.subscriptions.model import Anchors, Hunk

_CONTEXT = 2  # lines on each side
_MOST_PAIRS = 4_000_000  # of lines, beyond which a stretch without a line that is unique counts as one change


class Followed(NamedTuple):
    """Where a range is now, if it is anywhere, and what was done to it."""

    lines: tuple[int, int] | None
    hunks: tuple[Hunk, ...] = ()  # those that changed it
    is_sure: bool = True


def lines_of(content: bytes) -> list[str]:
    """As editors count them, with or without a line end at the end; a byte that is no UTF-8 is written as `\\xe9`."""
    lines = content.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def anchors_of(lines: Sequence[str], first: int, last: int) -> Anchors:
    before, after = lines[max(0, first - 1 - _CONTEXT) : first - 1], lines[last : last + _CONTEXT]
    return Anchors(tuple(before), lines[first - 1], tuple(after), _text(lines, first, last))


def _text(lines: Sequence[str], first: int, last: int) -> str:
    return digest("\n".join(lines[first - 1 : last]).encode())


def hunks_between(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """The lines that differ, as `diff -U0` gives them. Lines that both have once are matched first."""
    start, end = _common_ends(old, new)
    ends = len(old) - end, len(new) - end
    hunks: list[Hunk] = []
    at = start, start
    for match in [*_unique_matches(old[start : ends[0]], new[start : ends[1]], start), ends]:
        hunks += _hunks_in(old[at[0] : match[0]], new[at[1] : match[1]], at)
        at = match[0] + 1, match[1] + 1
    return hunks


def _hunks_in(old: Sequence[str], new: Sequence[str], at: tuple[int, int]) -> Iterator[Hunk]:
    if not old or not new or len(old) * len(new) > _MOST_PAIRS:
        codes = [("replace", 0, len(old), 0, len(new))] if old or new else []
    else:
        codes = list(SequenceMatcher(None, old, new, autojunk=False).get_opcodes())
    return (_hunk(at[0] + i, at[0] + j, at[1] + m, at[1] + n) for word, i, j, m, n in codes if word != "equal")


def _unique_matches(old: Sequence[str], new: Sequence[str], first: int) -> list[tuple[int, int]]:
    """Positions of lines that each side has once: the longest sequence that is in the same order on both."""
    old_counts, new_counts = Counter(old), Counter(new)
    positions = {line: j for j, line in enumerate(new) if new_counts[line] == 1}
    pairs = [(i, positions[line]) for i, line in enumerate(old) if old_counts[line] == 1 and line in positions]
    tops: list[int] = []  # the least last position of a sequence of each length
    rows: list[int] = []  # which pair ends it
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(tops, j)
        tops[length : length + 1], rows[length : length + 1] = [j], [number]
        before.append(rows[length - 1] if length else -1)
    longest, number = [], rows[-1] if rows else -1
    while number >= 0:
        longest.append((pairs[number][0] + first, pairs[number][1] + first))
        number = before[number]
    return longest[::-1]


def _common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    shortest = min(len(old), len(new))
    start = next((i for i in range(shortest) if old[i] != new[i]), shortest)
    end = next((i for i in range(shortest - start) if old[-1 - i] != new[-1 - i]), shortest - start)
    return start, end


def _hunk(old_start: int, old_end: int, new_start: int, new_end: int) -> Hunk:
    n_old, n_new = old_end - old_start, new_end - new_start
    return Hunk(old_start + bool(n_old), n_old, new_start + bool(n_new), n_new)


def follow_hunks(hunks: Sequence[Hunk], first: int, last: int) -> Followed:
    """A range through the hunks of its file."""
    touching = tuple([hunk for hunk in hunks if _touches(hunk, first, last)])
    start, end = _start(hunks, first), _end(hunks, last)
    return Followed((start, end) if start <= end else None, touching)


def _start(hunks: Sequence[Hunk], line: int) -> int:
    """Where a range starts that started at a line; what replaced the line belongs to it."""
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
    """Whether lines differ in nothing but blank lines and space at their ends."""
    return [line.rstrip() for line in old if line.strip()] == [line.rstrip() for line in new if line.strip()]
