"""Convert byte offsets to lines. Only a line feed ends a line, as in git."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate


class Lines:
    """Line numbers of a source, from 1, by the offsets of its line feeds."""

    __slots__ = ("feeds",)

    def __init__(self, source: bytes) -> None:
        lengths = map(len, source.split(b"\n"))
        self.feeds = [length + i for i, length in enumerate(accumulate(lengths))]

    def of(self, offset: int) -> int:
        return bisect_left(self.feeds, offset) + 1

    def last_of(self, start: int, end: int) -> int:
        """Return the last line of a span; an empty span ends where it starts."""
        return self.of(max(start, end - 1))
