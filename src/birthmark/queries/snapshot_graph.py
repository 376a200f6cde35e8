"""The symbols of a snapshot in the store, for the graph."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from birthmark.extraction.codec import unpack_names, unpack_references, unpack_source
from birthmark.extraction.kept_texts import kept_manifests
from birthmark.graph.edges import ReferenceSite
from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.symbols import Definition, parent_of
from birthmark.store.model import SnapshotEntity, SnapshotFile
from birthmark.store.port import EntityAt, Store

BASES = frozenset({"inherits", "implements"})
DECLARED = BASES | {"imports"}
PASSES = "passes"
_FOR_OTHERS = BASES | {PASSES}  # what others look up
_WORD = re.compile(r"\w")
_SEARCHABLE = 3  # characters: shorter names are not searchable


class NamesInFile(NamedTuple):
    """The references and bindings of a file."""

    references: Sequence[Reference]
    bindings: Sequence[Binding]


NO_NAMES = NamesInFile((), ())


class SnapshotGraph:
    """Definitions and references of a snapshot; results are kept."""

    def __init__(self, store: Store, snapshot: int) -> None:
        self.store, self.snapshot = store, snapshot
        self._named: dict[str, list[Definition]] = {}
        self._inside: dict[str, list[Definition]] = {}
        self._definitions: dict[int, Definition] = {}
        self._declared: dict[str, list[Reference]] = {}
        self._outlines: dict[str, NamesInFile] = {}
        self._packed: dict[int, bytes] = {}  # of all extractions, where all is read
        self._current = "", NO_NAMES  # the file whose references were read last
        self._references: dict[str, list[ReferenceSite]] = {}
        self._extractions: dict[str, int | None] = {}
        self._is_loaded = False

    def load(self) -> None:
        """Read all definitions at once, for questions about most of them; references stay packed, file by file."""
        self._is_loaded = True
        self._inside, self._named = {}, {}  # Those of some files may have been read before.
        words: dict[str, str] = {}  # Rows repeat them, and come with a copy each.
        for row in self.store.all_entities(self.snapshot):
            definition = definition_of(row, words)
            self._inside.setdefault(definition.path, []).append(definition)
            self._named.setdefault(definition.name, []).append(definition)
        numbers = self.versions()
        known = self.store.versions(numbers.values())
        self._extractions |= {path: known[number].extraction for path, number in numbers.items()}
        self._packed = dict(self.store.outlines({one for one in self._extractions.values() if one is not None}))
        self._sites = self._read_sites()

    def versions(self) -> Mapping[str, int]:
        """Return the versions of all indexed files, by path."""
        return self._versions

    @cached_property
    def _versions(self) -> dict[str, int]:
        return {path: row.version for path, row in self._files.items() if row.version is not None}

    def named(self, name: str) -> Sequence[Definition]:
        if self._is_loaded:
            return self._named.get(name, ())
        if name not in self._named:
            self._named[name] = [definition_of(row) for row in self.store.entities_named(self.snapshot, [name])]
        return self._named[name]

    def inside(self, path: str) -> Sequence[Definition]:
        if self._is_loaded:
            return self._inside.get(path, ())
        if path not in self._inside:
            self._inside[path] = [definition_of(row) for row in self.store.entities_in(self.snapshot, [path])]
        return self._inside[path]

    def definitions(self, identities: Collection[int]) -> dict[int, Definition]:
        """Return definitions of the snapshot by identity."""
        missing = [identity for identity in identities if identity not in self._definitions]
        for row in self.store.entities_of(self.snapshot, missing) if missing else ():
            self._definitions[row.identity] = definition_of(row)
        return {identity: self._definitions[identity] for identity in identities if identity in self._definitions}

    def declared(self, path: str) -> Sequence[Reference]:
        if path not in self._declared:
            self._declared[path] = [one for one in self._names_in(path).references if one.edge in DECLARED]
        return self._declared[path]

    def bindings(self, path: str) -> Sequence[Binding]:
        return self._names_in(path).bindings

    def _names_in(self, path: str) -> NamesInFile:
        """Return what is named in a file; most of it is references, which are read again if all is loaded."""
        if path == self._current[0]:
            return self._current[1]
        if path not in self._outlines:
            found = self._unpack(self._extraction_of(path))
            declared = [one for one in found.references if one.edge in DECLARED]
            self._outlines[path] = found._replace(references=declared) if self._is_loaded else found
        return self._outlines[path]

    def _extraction_of(self, path: str) -> int | None:
        if path not in self._extractions:
            row = self._files.get(path)
            version = row.version if row is not None else None
            found = None if version is None else self.store.versions([version])[version].extraction
            self._extractions[path] = found
        return self._extractions[path]

    def _unpack(self, extraction: int | None) -> NamesInFile:
        if extraction is None:
            return NO_NAMES
        packed = self._packed.get(extraction)
        found = [packed] if packed is not None else [one for _, one in self.store.outlines({extraction})]
        outlines = [unpack_names(one) for one in found]
        return NamesInFile(outlines[0].references, outlines[0].bindings) if outlines else NO_NAMES

    def bases_named(self, name: str) -> Iterator[tuple[str, Definition, Reference]]:
        sites = self._sites[0].get(name, ()) if self._is_loaded else self._stored_references([name])
        for path, _, source, reference in sites:
            if reference.edge in BASES and source is not None:
                yield path, source, reference

    def passed(self, alias: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        sites = self._sites[1].get(alias, ()) if self._is_loaded else self._referring({alias})
        return (
            (path, source, reference)
            for path, _, source, reference in sites
            if reference.edge == PASSES and reference.alias == alias
        )

    def _read_sites(self) -> tuple[dict[str, list[ReferenceSite]], dict[str, list[ReferenceSite]]]:
        """References to bases by name, then by alias; and references that pass something, by alias."""
        named, aliased, passes = (defaultdict[str, list[ReferenceSite]](list) for _ in range(3))
        for path in sorted(self.paths()):
            for language, source, reference in self._sites_in(path, _FOR_OTHERS):
                site = path, language, source, reference
                if reference.edge == PASSES:
                    passes[reference.alias or ""].append(site)
                else:
                    named[reference.name].append(site)
                    if reference.alias and reference.alias != reference.name:
                        aliased[reference.alias].append(site)
        return {name: named[name] + aliased[name] for name in (*named, *aliased)}, passes

    @cached_property
    def _files(self) -> dict[str, SnapshotFile]:
        return self.store.files(self.snapshot)

    def paths(self) -> Collection[str]:
        return self._paths

    @cached_property
    def _paths(self) -> frozenset[str]:
        return frozenset(self.versions())

    def manifests(self) -> Mapping[str, str]:
        return kept_manifests(self.store, self._files)

    def references_named(self, names: Collection[str]) -> Iterator[ReferenceSite]:
        """Yield references of one of the names, then those that have it as an alias only.

        The store has references by name, but for uses that are not calls: these are in the sources that have the name.
        """
        named, aliased = list[ReferenceSite](), list[ReferenceSite]()
        for path in sorted({path for path, *_ in self._stored_references(names)}.union(self._paths_with(names))):
            for site in self.references_in(path):
                if site[2].name in names:
                    named.append((path, *site))
                elif site[2].alias in names:
                    aliased.append((path, *site))
        yield from named
        yield from aliased

    def _paths_with(self, names: Collection[str]) -> Iterator[str]:
        """Yield the files whose sources may have one of the names."""
        words = [name for name in names if _WORD.search(name)]
        if any(len(word) < _SEARCHABLE for word in words):
            yield from self.paths()
            return
        for word in words:
            yield from (path for path, *_ in self.store.files_with(self.snapshot, [word]))

    def _stored_references(self, names: Collection[str]) -> Iterator[ReferenceSite]:
        """Yield references that the store has by one of the names."""
        self._read_references([name for name in names if name not in self._references])
        return (one for name in sorted(names) for one in self._references[name])

    def _read_references(self, names: Collection[str]) -> None:
        """Read references by name and alias; names are asked for several times during an answer."""
        self._references.update((name, []) for name in names)
        for site in self._referring(frozenset(names)) if names else ():
            for name in {site[3].name, site[3].alias or site[3].name}.intersection(names):
                self._references[name].append(site)

    def _referring(self, names: Collection[str]) -> Iterator[ReferenceSite]:
        """Yield references by their names and aliases."""
        found: list[tuple[str, str, int, Reference]] = []
        for _, rows in groupby(self.store.files_referring(self.snapshot, names), key=itemgetter(0)):
            (path, language, version, _), *_ = same = [*rows]
            numbered = dict(pair for *_, packed in same for pair in unpack_references(packed))
            found += ((path, language, version, numbered[number]) for number in sorted(numbered))
        sources = self.store.entities_at({(version, one.entity) for _, _, version, one in found if one.entity >= 0})
        for path, language, version, reference in found:
            source = sources.get((version, reference.entity))
            yield path, language, source and _definition(path, language, source), reference

    def has_receiver(self, receiver: str) -> bool:
        """Return True if anything is called on it anywhere, or imported from it."""
        return any(one.receiver == receiver for path in self.paths() for one in self.outline_references(path))

    def references_in(self, path: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        """Yield the references of a file with language and enclosing definition."""
        return self._sites_in(path)

    def _sites_in(
        self, path: str, edges: Collection[str] | None = None
    ) -> Iterator[tuple[str, Definition | None, Reference]]:
        row, references = self._files.get(path), self.outline_references(path)
        if row is None or row.version is None:
            return
        references = references if edges is None else [one for one in references if one.edge in edges]
        language = row.language or ""
        definitions = self._sources_of(path, language, row.version, {one.entity for one in references})
        for reference in references:
            yield language, definitions.get(reference.entity), reference

    def _sources_of(
        self, path: str, language: str, version: int, ordinals: Collection[int]
    ) -> Mapping[int, Definition]:
        """Return the definitions of a file that contain references, in the language of the file."""
        if self._is_loaded:
            return {
                ordinal: one if one.language == language else one._replace(language=language)
                for ordinal, one in enumerate(self.inside(path))
            }
        sources = self.store.entities_at({(version, ordinal) for ordinal in ordinals if ordinal >= 0})
        return {ordinal: _definition(path, language, one) for (_, ordinal), one in sources.items()}

    def outline_references(self, path: str) -> Sequence[Reference]:
        """Return the references as they are stored with the file."""
        if not self._is_loaded:
            return self._names_in(path).references
        if path != self._current[0]:
            self._current = path, self._unpack(self._extraction_of(path))
        return self._current[1].references

    def sources_with(self, names: Collection[str]) -> Iterator[tuple[str, str]]:
        """Yield the sources that have one of the names."""
        words = [name.encode() for name in names]
        for path in sorted({*self._paths_with(names)}):
            source = self._source(path)
            if any(word in source for word in words):
                yield path, source.decode("utf-8", "replace")

    def text(self, path: str) -> str:
        """Return the source of a file, as it was indexed."""
        return self._source(path).decode("utf-8", "replace")

    def _source(self, path: str) -> bytes:
        extraction = self._extraction_of(path)
        packed = None if extraction is None else self.store.source(extraction)
        return b"" if packed is None else unpack_source(packed)

    def references_inside(self, definition: Definition) -> Iterator[Reference]:
        inside = self.inside(definition.path)
        return (
            one
            for one in self.outline_references(definition.path)
            if one.entity >= 0 and inside[one.entity].identity == definition.identity
        )


def definition_of(row: SnapshotEntity, words: dict[str, str] | None = None) -> Definition:
    """Return the definition of a row; `words` holds one copy of each word of many rows."""
    parent = parent_of(row.qualified_name, row.name)
    texts = row.path, row.language, row.kind, row.name, row.qualified_name
    if words is not None:
        path, language, kind, name, qualified_name = [words.setdefault(one, one) for one in texts]
        parent = parent and words.setdefault(parent, parent)
    else:
        path, language, kind, name, qualified_name = texts
    lines = row.start_line, row.end_line
    return Definition(row.identity, path, language, kind, name, qualified_name, parent, *lines)


def _definition(path: str, language: str, entity: EntityAt) -> Definition:
    """Return the definition that contains a reference, in the language of its file."""
    identity, kind, name, qualified_name, *lines = entity
    return Definition(identity, path, language, kind, name, qualified_name, parent_of(qualified_name, name), *lines)
