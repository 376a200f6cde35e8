"""A snapshot of a few files in memory, and the edges in it as lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count

from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from reading import read

Files = dict[str, str]


class Snapshot:
    """A GraphStore of a few files in memory."""

    def __init__(self, files: Files) -> None:
        self.identities = count()
        self.definitions: dict[str, list[Definition]] = {}
        self.references: dict[str, tuple[Reference, ...]] = {}
        self.bindings_in: dict[str, tuple[Binding, ...]] = {}
        self.languages: dict[str, str] = {}
        self.by_name: dict[str, list[Definition]] = {}
        self.manifest_texts: Files = {}
        for path, source in files.items():
            self.add(path, source)

    def add(self, path: str, source: str) -> None:
        if load_registry().is_manifest(path):
            self.manifest_texts[path] = source
            return
        spec = load_registry().of_path(path)
        assert spec is not None
        reading = read(spec.name, source, path)
        self.languages[path] = reading.language
        self.references[path], self.bindings_in[path] = reading.references, reading.bindings
        self.definitions[path] = [
            Definition(
                next(self.identities),
                path,
                e.language,
                e.kind,
                e.name,
                e.qualified_name,
                e.parent,
                e.start_line,
                e.end_line,
            )
            for e in reading.entities
        ]
        for definition in self.definitions[path]:
            self.by_name.setdefault(definition.name, []).append(definition)

    def remove(self, path: str) -> None:
        if self.manifest_texts.pop(path, None) is not None:
            return
        del self.references[path], self.bindings_in[path], self.languages[path]
        for definition in self.definitions.pop(path):
            self.by_name[definition.name].remove(definition)

    def named(self, name: str) -> Sequence[Definition]:
        return self.by_name.get(name, ())

    def inside(self, path: str) -> Sequence[Definition]:
        return self.definitions.get(path, ())

    def declared(self, path: str) -> Sequence[Reference]:
        return [one for one in self.references.get(path, ()) if one.edge in ("imports", "inherits", "implements")]

    def bindings(self, path: str) -> Sequence[Binding]:
        return self.bindings_in.get(path, ())

    def bases_named(self, name: str) -> Iterator[tuple[str, Definition, Reference]]:
        for path, _, source, reference in self.references_named([name]):
            if reference.edge in ("inherits", "implements") and source is not None:
                yield path, source, reference

    def passed(self, alias: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        for path, _, source, reference in self.references_named([alias]):
            if reference.edge == "passes":
                yield path, source, reference

    def paths(self) -> Collection[str]:
        return self.definitions.keys()

    def manifests(self) -> Files:
        return self.manifest_texts

    def all_references(self) -> Iterator[tuple[str, str, Definition | None, Reference]]:
        for path in sorted(self.references):
            for reference in self.references[path]:
                source = self.definitions[path][reference.entity] if reference.entity >= 0 else None
                yield path, self.languages[path], source, reference

    def references_named(self, names: Collection[str]) -> Iterator[tuple[str, str, Definition | None, Reference]]:
        for entry in self.all_references():
            if entry[3].name in names or entry[3].alias in names:
                yield entry

    def references_in(self, path: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        for reference in self.references[path]:
            source = self.definitions[path][reference.entity] if reference.entity >= 0 else None
            yield self.languages[path], source, reference

    def references_inside(self, definition: Definition) -> Iterator[Reference]:
        return (reference for _, _, source, reference in self.all_references() if source == definition)

    def find(self, written: str) -> Definition:
        path, _, qualified_name = written.partition("::")
        return next(one for one in self.definitions[path] if one.qualified_name == qualified_name)


def resolver_of(snapshot: Snapshot) -> Resolver:
    return Resolver(snapshot, load_registry().resolution_of)


def edges_of(files: Files) -> list[str]:
    return edges_in(Snapshot(files))


def edges_in(snapshot: Snapshot) -> list[str]:
    """Every edge on a line: where it starts, what it is, how it was resolved, where it leads."""
    resolver = resolver_of(snapshot)
    return [
        f"{entry[0]}:{entry[3].line} {entry[3].edge} {written(entry[3])}: {shown(resolver.resolve(*entry))}"
        for entry in snapshot.all_references()
    ]


def written(reference: Reference) -> str:
    return f"{reference.receiver} {reference.name}".strip() if reference.receiver else reference.name


def shown(resolved: ResolvedReference) -> str:
    targets = [f"{one.path}::{one.qualified_name}" for one in resolved.targets]
    return " ".join([resolved.resolution, *(targets or filter(None, [resolved.path]))])


def check(files: Files, expected: str) -> None:
    """Every expected line is among the edges, and on the lines it names there is no other edge of that name."""
    found = edges_of(files)
    wanted = [line.strip() for line in expected.strip().splitlines()]
    heads = {line.rpartition(": ")[0] for line in wanted}
    assert sorted(line for line in found if line.rpartition(": ")[0] in heads) == sorted(wanted), "\n".join(found)
