"""The lines that differ between two texts.

Takes two lists of lines and gives Hunks. Lines that both sides have once are matched first, which keeps what moved
little in place and makes long files quick.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import msgspec

_MOST_PAIRS = 4_000_000  # of lines, beyond which a stretch without a line that is unique counts as one change


class Hunk(msgspec.Struct, frozen=True):
    """Lines that were replaced; with a count of 0 they are after line `start`."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def lines_of(content: bytes) -> list[str]:
    """As editors count them, with or without a line end at the end; a byte that is no UTF-8 is written as `\\xe9`."""
    lines = content.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


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
