"""Convert byte offsets of a source to the positions of editors, and back.

An editor counts lines from 0, which end at LF, CR or both, and in a line units of the encoding that it has agreed to:
by default those of UTF-16, of which characters beyond the Basic Multilingual Plane take two.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, takewhile

from lsprotocol import types

from birthmark.model import Span

_BREAK = re.compile(rb"\r\n|\n|\r")
# How each encoding is called by Python, and how many bytes a unit of it has.
_CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Positions:
    """The lines of a source. A byte that is no UTF-8 counts as one character."""

    def __init__(self, content: bytes, encoding: str = "utf-16") -> None:
        self.content = content
        self._codec, self._width = _CODECS[encoding]
        breaks = list(_BREAK.finditer(content))
        self._starts = [0, *(found.end() for found in breaks)]
        self._ends = [*(found.start() for found in breaks), len(content)]

    def position(self, offset: int) -> types.Position:
        """What is beyond the end is the end."""
        offset = min(max(offset, 0), len(self.content))
        line = bisect_right(self._starts, offset) - 1
        text = self.content[self._starts[line] : min(offset, self._ends[line])].decode("utf-8", "surrogateescape")
        return types.Position(line, self._n_units(text))

    def offset(self, position: types.Position) -> int:
        """Where a line is shorter it is its end; within a character it is where that starts."""
        if position.line >= len(self._starts):
            return len(self.content)
        start, end = self._starts[position.line], self._ends[position.line]
        text = self.content[start:end].decode("utf-8", "surrogateescape")
        return start + len(self._within(text, position.character).encode("utf-8", "surrogateescape"))

    def _within(self, text: str, n_units: int) -> str:
        """The characters that end within so many units."""
        if text.isascii():
            return text[:n_units]
        ends = accumulate(self._n_units(character) for character in text)
        return text[: sum(1 for _ in takewhile(lambda end: end <= n_units, ends))]

    def _n_units(self, text: str) -> int:
        return len(text.encode(self._codec, "surrogatepass")) // self._width

    def range(self, span: Span) -> types.Range:
        return types.Range(self.position(span[0]), self.position(span[1]))

    def lines(self, first: int, last: int) -> types.Range:
        """Lines as the index counts them, from 1, each of which ends at LF; without the space before the first."""
        starts = [0, *(found.end() for found in re.finditer(b"\n", self.content))]
        begin = starts[min(max(first, 1), len(starts)) - 1]
        rest = self.content[begin : starts[last] if last < len(starts) else len(self.content)]
        return self.range((begin + len(rest) - len(rest.lstrip()), begin + len(rest.rstrip())))
