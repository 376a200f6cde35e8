"""Where in a source a used name is written.

The index knows the line at which an expression starts; the name may be further right, or on a later line. Takes a
source and names that may be written there; gives a Position, of the line itself where no name is found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

_MOST_LINES = 20  # of an expression that are searched
_WORD = rb"(?<![\w$]){}(?![\w$])"


class Position(NamedTuple):
    """Lines and bytes in them, from 0; the end is exclusive."""

    line: int
    start: int
    end_line: int
    end: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """As SCIP writes it: three where it is on one line."""
        return (self.line, self.start, self.end) if self.line == self.end_line else self


class SourceLines:
    """A source, by its lines."""

    def __init__(self, source: bytes) -> None:
        self.lines = source.split(b"\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._taken: set[Position] = set()

    def span(self, start: int, end: int) -> Position:
        """Of bytes of the source; what is beyond its end is cut."""
        return Position(*self._point(start), *self._point(max(start, end)))

    def _point(self, offset: int) -> tuple[int, int]:
        offset = min(offset, self._starts[-1] - 1)
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def offsets(self, position: Position) -> tuple[int, int]:
        """The bytes of the source that are there."""
        return self._starts[position.line] + position.start, self._starts[position.end_line] + position.end

    def find(self, line: int, *groups: Sequence[str]) -> Position:
        """Where one of the names is written at a line or after it; names of the first group are looked for first.

        A place is given once; where a name has no other one, its first place is given again.
        """
        first = line - 1
        following = range(first, min(first + _MOST_LINES, len(self.lines)))
        for names in groups:
            patterns = [_pattern(name) for name in names if name]
            for lines in (following[:1], following[1:]):
                found = [place for pattern in patterns for at in lines for place in self._places(pattern, at)]
                if found:
                    chosen = next((place for place in found if place not in self._taken), found[0])
                    self._taken.add(chosen)
                    return chosen
        return self._whole(first)

    def _places(self, pattern: re.Pattern[bytes], line: int) -> Iterator[Position]:
        for match in pattern.finditer(self.lines[line]):
            yield Position(line, match.start(), line, match.end())

    def _whole(self, line: int) -> Position:
        """A line without the space around its text."""
        if not 0 <= line < len(self.lines):
            return Position(max(line, 0), 0, max(line, 0), 0)
        text = self.lines[line]
        start = len(text) - len(text.lstrip())
        return Position(line, start, line, max(start, len(text.rstrip())))

    def indent(self, line: int) -> int:
        return self._whole(line - 1).start


@lru_cache(1 << 12)
def _pattern(name: str) -> re.Pattern[bytes]:
    return re.compile(_WORD.replace(b"{}", re.escape(name.encode("utf-8", "replace"))))
