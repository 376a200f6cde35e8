"""The definitions of a snapshot, their kinds and their containers, as resolution needs them.

Symbols is the port, which the store implements. A definition is inside of another one that has the name of its parent,
on lines around its own; a file may define a name ten thousand times, so containers are found by binary search.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, Protocol

from birthmark.graph.reading.references import Binding, Reference
from birthmark.model import CLASS_LIKE, Span

TYPES = CLASS_LIKE - {"impl"}
NAMED_TYPES = TYPES | {"typedef"}
VALUES = frozenset({"var", "const", "field", "member"})
ALIASES = VALUES | {"typedef"}  # `const f = require('./f')` and `using X = A.B` define what they import.
SPACES = frozenset({"mod", "namespace"})


class Definition(NamedTuple):
    """An entity of a snapshot, as far as edges need it."""

    identity: int
    path: str
    language: str
    kind: str
    name: str
    qualified_name: str
    parent: str | None
    start_line: int
    end_line: int


class Symbols(Protocol):
    """The definitions and imports of a snapshot."""

    def named(self, name: str) -> Sequence[Definition]:
        """All of that simple name."""

    def inside(self, path: str) -> Sequence[Definition]:
        """All of a file in source order, so that the entity of a Reference counts in it."""

    def declared(self, path: str) -> Sequence[Reference]:
        """The imports and bases of a file, in source order."""

    def bindings(self, path: str) -> Sequence[Binding]:
        """Return the bindings of a file."""

    def bases_named(self, name: str) -> Iterable[tuple[str, Definition, Reference]]:
        """All types that name this one as a base, with their paths."""

    def passed(self, alias: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        """Return the references passed as an argument, by function and position or name: `f#0`, with their places."""

    def paths(self) -> Collection[str]:
        """All indexed files."""

    def manifests(self) -> Mapping[str, str]:
        """The texts of the files that say where modules are, by path."""


def scopes_around(qualified_name: str) -> Iterator[str]:
    """From the innermost out, itself first."""
    while qualified_name:
        yield qualified_name
        qualified_name = qualified_name.rpartition(".")[0]


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


def parent_of(qualified_name: str, name: str) -> str | None:
    return qualified_name.removesuffix(name).removesuffix(".") or None


def contains(outer: Definition, inner: Definition) -> bool:
    return outer.start_line <= inner.start_line and inner.end_line <= outer.end_line


def definition_around(definitions: Sequence[Definition], line: int) -> Definition | None:
    """The innermost definition on a line."""
    return next((one for one in reversed(definitions) if one.start_line <= line <= one.end_line), None)
