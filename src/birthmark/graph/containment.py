"""Which definitions of a file are inside of no other one.

Takes their names and lines; gives for each whether it is so. A definition is inside of another one that has the name of
its parent, on lines around its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from birthmark.graph.symbols import Definition
from birthmark.model import Span


class NamedLines(NamedTuple):
    """A definition, as far as that needs it."""

    name: str
    qualified_name: str
    lines: Span

    @property
    def parent(self) -> str | None:
        return parent_of(self.qualified_name, self.name)


def find_outer(definitions: Sequence[NamedLines]) -> list[bool]:
    """One search among those of a name for each, for a name may be defined ten thousand times."""
    parents = {one.parent for one in definitions}
    spans: dict[str | None, list[Span]] = {}
    for one in definitions:
        if one.qualified_name in parents:
            spans.setdefault(one.qualified_name, []).append(one.lines)
    around = {name: _ends_by_start(found) for name, found in spans.items()}
    return [not _is_inside(one.lines, *around.get(one.parent, ((), ()))) for one in definitions]


def parent_of(qualified_name: str, name: str) -> str | None:
    return qualified_name.removesuffix(name).removesuffix(".") or None


def contains(outer: Definition, inner: Definition) -> bool:
    return outer.start_line <= inner.start_line and inner.end_line <= outer.end_line


def _ends_by_start(spans: Iterable[Span]) -> tuple[Sequence[int], Sequence[int]]:
    """Where they start, in order, and the last end of all that start there or before."""
    ordered = sorted(spans)
    return [start for start, _ in ordered], [*accumulate((end for _, end in ordered), max)]


def _is_inside(lines: Span, starts: Sequence[int], ends: Sequence[int]) -> bool:
    at = bisect_right(starts, lines[0])
    return at > 0 and lines[1] <= ends[at - 1]
