"""Which definitions of a file are inside of no other one.

Takes their names and lines; gives for each whether it is so. A definition is inside of another one that has the name of
its parent, on lines around its own. A name may be defined ten thousand times in a file, so containers are searched.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from birthmark.graph.symbols import Definition
from birthmark.model import Span


class Containers:
    """Finds among definitions of one name those that are on lines around some; they are given in source order."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self.ordered = sorted((span, number) for number, span in enumerate(spans))
        self.starts = [start for (start, _), _ in self.ordered]
        # The last line of all that start there or before: what ends earlier need not be looked at.
        self.ends = [*accumulate((end for (_, end), _ in self.ordered), max)]

    def has_around(self, lines: Span) -> bool:
        at = bisect_right(self.starts, lines[0])
        return at > 0 and lines[1] <= self.ends[at - 1]

    def around(self, lines: Span) -> list[int]:
        """Their numbers."""
        found, at = list[int](), bisect_right(self.starts, lines[0]) - 1
        while at >= 0 and lines[1] <= self.ends[at]:
            (_, end), number = self.ordered[at]
            if lines[1] <= end:
                found.append(number)
            at -= 1
        return sorted(found)


def find_outer(names: Sequence[str], qualified_names: Sequence[str], lines: Sequence[Span]) -> list[bool]:
    """Of definitions by their names, names in full and lines."""
    parents = [
        None if full == name else parent_of(full, name) for full, name in zip(qualified_names, names, strict=True)
    ]
    wanted = set(parents)
    spans: dict[str | None, list[Span]] = {}
    for full, span in zip(qualified_names, lines, strict=True):
        if full in wanted:
            spans.setdefault(full, []).append(span)
    containers = {name: Containers(found) for name, found in spans.items()}
    return [
        parent not in containers or not containers[parent].has_around(span)
        for parent, span in zip(parents, lines, strict=True)
    ]


def parent_of(qualified_name: str, name: str) -> str | None:
    return qualified_name.removesuffix(name).removesuffix(".") or None


def contains(outer: Definition, inner: Definition) -> bool:
    return outer.start_line <= inner.start_line and inner.end_line <= outer.end_line
