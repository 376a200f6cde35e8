"""What resolution needs from a snapshot: its definitions, imports and bindings.

Symbols is the port, which the store implements.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from birthmark.graph.reading.bindings import Binding
from birthmark.graph.reading.references import Reference


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
        """What the names in a file mean."""

    def bases_named(self, name: str) -> Iterable[tuple[str, Definition, Reference]]:
        """All types that name this one as a base, with their paths."""

    def passed(self, alias: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        """What is passed as an argument, by function and position or name: `f#0`; with the paths and definitions."""

    def paths(self) -> Collection[str]:
        """All indexed files."""

    def manifests(self) -> Mapping[str, str]:
        """The texts of the files that say where modules are, by path."""


def scopes_around(qualified_name: str) -> Iterator[str]:
    """From the innermost out, itself first."""
    while qualified_name:
        yield qualified_name
        qualified_name = qualified_name.rpartition(".")[0]
