"""Convert byte offsets to lines. Only a line feed ends a line, as in git."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate


class Lines:
    """The offsets of a source's line feeds; lines count from 1."""

    __slots__ = ("feeds",)

    def __init__(self, source: bytes) -> None:
        lengths = map(len, source.split(b"\n"))
        self.feeds = [length + i for i, length in enumerate(accumulate(lengths))]

    def of(self, offset: int) -> int:
        return bisect_left(self.feeds, offset) + 1

    def last_of(self, start: int, end: int) -> int:
        """The line on which a span ends, inclusive; an empty span ends where it starts."""
        return self.of(max(start, end - 1))
