"""Show the change of one entity as the lines that differ.

Takes the lines of an entity before and after, with their numbers; gives hunks with some lines around each. Indentation
shared by all lines of the entity is ignored, so that an entity that moved into a class shows only what else changed.

`hunks_between` compares two lists of lines. Lines that both sides have once are matched first, which keeps most lines
in place and makes long files quick.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

import msgspec

from birthmark.extraction.model import OutlinedEntity

_MOST_PAIRS = 4_000_000  # of lines, beyond which a stretch without a line that is unique counts as one change


class Hunk(msgspec.Struct, frozen=True):
    """Lines that were replaced; a count of 0 means that they are after line `start`."""

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def lines_of(content: bytes) -> list[str]:
    """Return lines as editors count them, with or without a final line end; bytes that are not UTF-8 are escaped."""
    lines = content.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def hunks_between(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    """Return the lines that differ, as `diff -U0` gives them. Lines that both have once are matched first."""
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
    """Return positions of lines that each side has once: the longest sequence in the same order on both sides."""
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


_CONTEXT = 3  # lines around a difference


ELIDED = "\0"  # how a line in place of the members of a container is compared


class CodeLines(NamedTuple):
    """Consecutive lines of a file from line `first` on, unless they all have numbers.

    They are compared by `compared`, if given.
    """

    path: str
    name: str
    first: int
    lines: tuple[str, ...]
    numbers: tuple[int, ...] = ()
    compared: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        return self.compared or self.lines

    def number(self, position: int) -> int:
        return self.numbers[position] if self.numbers and position >= 0 else self.first + position


_NOTHING = CodeLines("", "", 1, ())


class PatchLine(NamedTuple):
    """A line of a patch: `-` is an old one, `+` a new one, a space is in both."""

    sign: str
    text: str


class PatchHunk(NamedTuple):
    """Consecutive lines of a patch. Numbers are those of the files, as in a unified diff."""

    hunk: Hunk
    lines: tuple[PatchLine, ...]


# The sign of a line and its positions on both sides; on the side that lacks it, the position at which it would be.
_Row = tuple[str, int, int]


class Patch(NamedTuple):
    """The differences of an entity; without `before` it was added, without `after` deleted."""

    before: CodeLines | None
    after: CodeLines | None
    hunks: tuple[PatchHunk, ...]

    @property
    def n_added(self) -> int:
        return sum(line.sign == "+" for hunk in self.hunks for line in hunk.lines)

    @property
    def n_removed(self) -> int:
        return sum(line.sign == "-" for hunk in self.hunks for line in hunk.lines)


def code_of(entity: OutlinedEntity) -> CodeLines:
    """Return the lines of an entity, with the comments and decorators that belong to it."""
    source, own = entity.file.source(), entity.entity
    start = source.count(b"\n", 0, own.lead_start)
    return cut_lines(entity.file.path, own.qualified_name, source, start + 1, own.end_line)


_lines = lru_cache(16)(lines_of)  # Most entities of a file come one after the other.


def cut_lines(path: str, name: str, source: bytes, first: int, last: int) -> CodeLines:
    return CodeLines(path, name, first, tuple(_lines(source)[first - 1 : last]))


def make_patch(before: CodeLines | None, after: CodeLines | None, context: int = _CONTEXT) -> Patch:
    old, new = before or _NOTHING, after or _NOTHING
    differing = hunks_between(_dedented(old.texts), _dedented(new.texts))
    hunks = [_patch_hunk(_rows(group, old, new, context), old, new) for group in _groups(differing, context)]
    return Patch(before, after, tuple(hunk for hunk in hunks if hunk is not None))


def _dedented(lines: Sequence[str]) -> list[str]:
    """Return lines without shared indentation; blank lines are ignored for that, and are all equal."""
    texts = [line.strip() and line for line in lines]
    indents = [text[: len(text) - len(text.lstrip())] for text in texts if text]
    shared = _common_prefix(indents)
    return [text[len(shared) :] for text in texts]


def _common_prefix(texts: Sequence[str]) -> str:
    if not texts:
        return ""
    low, high = min(texts), max(texts)
    length = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), min(len(low), len(high)))
    return low[:length]


def _groups(hunks: Sequence[Hunk], context: int) -> Iterator[list[Hunk]]:
    """Yield hunks whose surroundings touch as one group."""
    group: list[Hunk] = []
    for hunk in hunks:
        if (
            group
            and _first(hunk.old_start, hunk.old_count) - _end(group[-1].old_start, group[-1].old_count) > 2 * context
        ):
            yield group
            group = []
        group.append(hunk)
    if group:
        yield group


def _rows(group: Sequence[Hunk], old: CodeLines, new: CodeLines, context: int) -> list[_Row]:
    """Return the lines of some hunks and those around them; positions count from 0."""
    first_old, first_new = (
        _first(group[0].old_start, group[0].old_count),
        _first(group[0].new_start, group[0].new_count),
    )
    start = max(0, first_old - context)
    i, j = start, first_new - (first_old - start)
    rows: list[_Row] = []
    for hunk in group:
        until = _first(hunk.new_start, hunk.new_count)
        rows += [(" ", i + k, j + k) for k in range(until - j)]
        i, j = i + until - j, until
        rows += [("-", i + k, j) for k in range(hunk.old_count)]
        i += hunk.old_count
        rows += [("+", i, j + k) for k in range(hunk.new_count)]
        j += hunk.new_count
    rest = min(context, len(new.lines) - j, len(old.lines) - i)
    return rows + [(" ", i + k, j + k) for k in range(rest)]


def _patch_hunk(rows: list[_Row], old: CodeLines, new: CodeLines) -> PatchHunk | None:
    """Return a hunk with common lines as they are now; members that came or went do not change their container."""
    rows = [row for row in rows if row[0] == " " or not _is_elided(row, old, new)]
    while rows and _is_elided(rows[0], old, new):
        rows = rows[1:]
    while rows and _is_elided(rows[-1], old, new):
        rows = rows[:-1]
    if all(sign == " " for sign, _, _ in rows):
        return None
    _, first_old, first_new = rows[0]
    old_start, old_count = _range(old, [i for sign, i, _ in rows if sign != "+"], first_old)
    new_start, new_count = _range(new, [j for sign, _, j in rows if sign != "-"], first_new)
    lines = [PatchLine(sign, old.lines[i] if sign == "-" else new.lines[j]) for sign, i, j in rows]
    return PatchHunk(Hunk(old_start, old_count, new_start, new_count), tuple(lines))


def _is_elided(row: _Row, old: CodeLines, new: CodeLines) -> bool:
    sign, i, j = row
    return (old.texts[i] if sign == "-" else new.texts[j]) == ELIDED


def _range(code: CodeLines, positions: Sequence[int], next_position: int) -> tuple[int, int]:
    """Return the first line and the count; a side without lines has the line before, as in a unified diff."""
    if not positions:
        return code.number(next_position - 1), 0
    start = code.number(positions[0])
    return start, code.number(positions[-1]) - start + 1


def _first(start: int, count: int) -> int:
    """Return the position, from 0, at which the lines of a hunk begin, or would begin."""
    return start - 1 if count else start


def _end(start: int, count: int) -> int:
    return _first(start, count) + count
