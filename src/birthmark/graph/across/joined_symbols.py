"""The definitions of several repositories as those of one snapshot, in which references lead from one to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from birthmark.graph.across.part import JoinedPart, part_number
from birthmark.graph.reading.bindings import Binding
from birthmark.graph.reading.references import Reference
from birthmark.graph.symbols import Definition


class JoinedSymbols:
    """Symbols of all parts; the first one keeps its paths and identities."""

    def __init__(self, parts: Sequence[JoinedPart]) -> None:
        self.parts = parts

    def named(self, name: str) -> Sequence[Definition]:
        return [part.put(one) for part in self.parts for one in part.symbols.named(name)]

    def inside(self, path: str) -> Sequence[Definition]:
        part, own = self._find(path)
        return [part.put(one) for one in part.symbols.inside(own)]

    def declared(self, path: str) -> Sequence[Reference]:
        part, own = self._find(path)
        return part.symbols.declared(own)

    def bindings(self, path: str) -> Sequence[Binding]:
        part, own = self._find(path)
        return part.symbols.bindings(own)

    def bases_named(self, name: str) -> Iterator[tuple[str, Definition, Reference]]:
        for part in self.parts:
            for path, source, reference in part.symbols.bases_named(name):
                yield part.prefix + path, part.put(source), reference

    def passed(self, alias: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        for part in self.parts:
            for path, source, reference in part.symbols.passed(alias):
                yield part.prefix + path, source and part.put(source), reference

    def paths(self) -> Collection[str]:
        return [part.prefix + path for part in self.parts for path in part.symbols.paths()]

    def manifests(self) -> Mapping[str, str]:
        return {part.prefix + path: text for part in self.parts for path, text in part.symbols.manifests().items()}

    def _find(self, path: str) -> tuple[JoinedPart, str]:
        part = self.parts[part_number(path)]
        return part, path.removeprefix(part.prefix)
