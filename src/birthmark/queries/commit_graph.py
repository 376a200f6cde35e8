"""The symbols of a replayed commit, for the graph.

A replay extracts entities only, so references are read on demand, from the sources in the ledger. A file without a word
neither defines nor mentions it, so most files are searched and not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from birthmark.extraction.model import Outline, OutlineEntities
from birthmark.graph.edges import ReferenceSite
from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.symbols import Definition, parent_of
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import DECLARED
from birthmark.store.model import Version

_KEPT = 4096  # versions of which the symbols are held
_DEFAULT_WORDS = (b"default", b"export", b"import")
_WORD = re.compile(r"\w+")
# `from a import *`, `import a._`, `use a::*`: where a file takes all names of another one.
_ALL_NAMES = re.compile(
    rb"^[ \t]*(?:from|import|export|use|using|pub)\b[^\n]*(?<![*\w)])[*_](?![*\w(])|::\*", re.MULTILINE
)


Manifests = Callable[[], Mapping[str, str]]  # of a commit, by path


class VersionDefinitions(NamedTuple):
    """The definitions of a version, and the bases that its types name."""

    language: str
    definitions: list[Definition]
    by_name: dict[str, list[Definition]]
    bases: dict[str, list[tuple[Definition, Reference]]]


class VersionReferences(NamedTuple):
    """The references of a version."""

    references: Sequence[Reference]
    by_name: dict[str, list[Reference]]  # and by alias
    declared: list[Reference]
    bindings: Sequence[Binding]


class OutlineSource(NamedTuple):
    """Functions that read outlines and sources by the number of an extraction; the outline has references."""

    entities: Callable[[int], OutlineEntities | None]
    outline: Callable[[int], Outline | None]
    source: Callable[[int], bytes]


class VersionSymbols:
    """Symbols of versions of any commits; read ones are held."""

    def __init__(self, outlines: OutlineSource) -> None:
        self.outlines = outlines
        self._defined: dict[int, VersionDefinitions | None] = {}
        self._mentioned: dict[int, VersionReferences | None] = {}
        self._words: dict[bytes, dict[int, bool]] = {}
        self._takes_all: dict[int, bool] = {}

    def defined(self, version: Version) -> VersionDefinitions | None:
        if version.version not in self._defined:
            _make_room(self._defined)
            outline = self.entities(version)
            self._defined[version.version] = _definitions_of(outline, version) if outline is not None else None
        return self._defined[version.version]

    def entities(self, version: Version) -> OutlineEntities | None:
        outline = self.outlines.entities(version.extraction)
        is_whole = outline is not None and len(outline.entities) == len(version.identities)
        return outline if is_whole else None

    def mentioned(self, version: Version) -> VersionReferences | None:
        """Return the references; None also if extraction gives other entities than those that have identities."""
        if version.extraction not in self._mentioned:
            _make_room(self._mentioned)
            outline = self.outlines.outline(version.extraction)
            is_whole = outline is not None and len(outline.entities) == len(version.identities)
            self._mentioned[version.extraction] = _references_of(outline) if outline and is_whole else None
        return self._mentioned[version.extraction]

    def has_word(self, extraction: int, word: bytes) -> bool:
        known = self._words.setdefault(word, {})
        if extraction not in known:
            source = self.outlines.source(extraction)
            known[extraction] = word in source and re.search(rb"(?<!\w)%b(?!\w)" % re.escape(word), source) is not None
        return known[extraction]

    def takes_all(self, extraction: int) -> bool:
        """Return True if all names of another file may be imported."""
        if extraction not in self._takes_all:
            self._takes_all[extraction] = _ALL_NAMES.search(self.outlines.source(extraction)) is not None
        return self._takes_all[extraction]

    def has_name(self, version: Version, name: str) -> bool:
        """Return True if a version may have a name; one that is more than a word may be written differently."""
        return not _WORD.fullmatch(name) or self.has_word(version.extraction, name.encode())


def word_of(name: str) -> str:
    """Return the last word of a name, as it is written: `x` of `self.x`, of `x=` and of `x!`."""
    return next(iter(_WORD.findall(name)[-1:]), name)


def _make_room(held: dict[int, Any]) -> None:
    if len(held) >= _KEPT:
        held.clear()


def _definitions_of(outline: OutlineEntities, version: Version) -> VersionDefinitions:
    found = VersionDefinitions(outline.language, [], {}, {})
    for ordinal, (entity, identity) in enumerate(zip(outline.entities, version.identities, strict=True)):
        lines = entity.start_line, entity.end_line
        names = entity.name, entity.qualified_name, parent_of(entity.qualified_name, entity.name)
        definition = Definition(identity, version.path, entity.language, entity.kind, *names, *lines)
        found.definitions.append(definition)
        found.by_name.setdefault(definition.name, []).append(definition)
        for base in entity.bases:
            receiver, _, name = base.name.rpartition(".")
            reference = Reference(base.relation, name, receiver or None, None, ordinal, entity.start_line)
            found.bases.setdefault(name, []).append((definition, reference))
    return found


def _references_of(outline: Outline) -> VersionReferences:
    by_name: dict[str, list[Reference]] = {}
    for reference in outline.references:
        for name in {reference.name, reference.alias} - {None}:
            by_name.setdefault(name or "", []).append(reference)
    declared = [reference for reference in outline.references if reference.edge in DECLARED]
    return VersionReferences(outline.references, by_name, declared, outline.bindings)


class CommitGraph:
    """A GraphStore of the files of a commit."""

    def __init__(
        self, symbols: VersionSymbols, files: Mapping[str, Version], manifests: Manifests, site: str | None = None
    ) -> None:
        """`site` is the only file in which uses are looked for; without one, that is done in all of them."""
        self.symbols, self.files, self.manifests, self.site = symbols, files, manifests, site
        self._named: dict[str, list[Definition]] = {}

    @cached_property
    def _in_order(self) -> list[Version]:
        return [self.files[path] for path in sorted(self.files)]

    @property
    def _sited(self) -> list[Version]:
        return self._in_order if self.site is None else [self.files[self.site]]

    def definition_of(self, identity: int, path: str | None = None) -> Definition | None:
        """Return the definition of an identity; `path` is its likely file."""
        first = [self.files[path]] if path is not None and path in self.files else []
        version = next((one for one in (*first, *self.files.values()) if identity in one.identities), None)
        defined = self.symbols.defined(version) if version is not None else None
        if version is None or defined is None:
            return None
        return defined.definitions[version.identities.index(identity)]

    def named(self, name: str) -> Sequence[Definition]:
        if name not in self._named:
            versions = [one for one in self._in_order if self.symbols.has_name(one, name)]
            found = (self.symbols.defined(version) for version in versions)
            self._named[name] = [one for defined in found if defined for one in defined.by_name.get(name, ())]
        return self._named[name]

    def inside(self, path: str) -> Sequence[Definition]:
        defined = self.symbols.defined(self.files[path]) if path in self.files else None
        return defined.definitions if defined is not None else ()

    def declared(self, path: str) -> Sequence[Reference]:
        mentioned = self._mentioned(path)
        return mentioned.declared if mentioned is not None else ()

    def bindings(self, path: str) -> Sequence[Binding]:
        mentioned = self._mentioned(path)
        return mentioned.bindings if mentioned is not None else ()

    def _mentioned(self, path: str) -> VersionReferences | None:
        return self.symbols.mentioned(self.files[path]) if path in self.files else None

    def bases_named(self, name: str) -> Iterator[tuple[str, Definition, Reference]]:
        for version in self._in_order:
            defined = self.symbols.defined(version) if self.symbols.has_name(version, name) else None
            for definition, reference in defined.bases.get(name, ()) if defined is not None else ():
                yield version.path, definition, reference

    def passed(self, alias: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        callee = alias.partition("#")[0]
        versions = [one for one in self._in_order if self.symbols.has_name(one, callee)]
        found = self._sites(versions, [alias])
        return ((path, source, reference) for path, _, source, reference in found if reference.edge == "passes")

    def paths(self) -> Collection[str]:
        return self.files.keys()

    def references_named(self, names: Collection[str]) -> Iterator[ReferenceSite]:
        return self._sites([one for one in self._sited if self._may_refer(one, names)], names)

    def _may_refer(self, version: Version, names: Iterable[str]) -> bool:
        return any(_MAY_REFER.get(name, _has_word)(self.symbols, version, name) for name in names)

    def _sites(self, versions: Iterable[Version], names: Collection[str]) -> Iterator[ReferenceSite]:
        for version in versions:
            defined, mentioned = self.symbols.defined(version), self.symbols.mentioned(version)
            if defined is None or mentioned is None:
                continue
            found = {id(one): one for name in names for one in mentioned.by_name.get(name, ())}
            for reference in sorted(found.values(), key=lambda one: one.line):
                source = defined.definitions[reference.entity] if reference.entity >= 0 else None
                yield version.path, defined.language, source, reference

    def references_inside(self, definition: Definition) -> Iterator[Reference]:
        mentioned, inside = self._mentioned(definition.path), self.inside(definition.path)
        references = mentioned.references if mentioned is not None else ()
        return (one for one in references if one.entity >= 0 and inside[one.entity] == definition)


def _has_word(symbols: VersionSymbols, version: Version, name: str) -> bool:
    return symbols.has_word(version.extraction, word_of(name).encode())


def _takes_all(symbols: VersionSymbols, version: Version, _: str) -> bool:
    return symbols.takes_all(version.extraction)


def _takes_default(symbols: VersionSymbols, version: Version, name: str) -> bool:
    """Return True if a default export may be imported, which any name can do."""
    is_possible = _default_name(version.path) in (name, None)
    return is_possible and any(symbols.has_word(version.extraction, word) for word in _DEFAULT_WORDS)


@lru_cache(1 << 14)
def _default_name(path: str) -> str | None:
    """Return the default name of a path's language; None if the path does not show the language."""
    registry = load_registry()
    spec = registry.of_path(path)
    return None if spec is None or spec.is_container else registry.resolution_of(spec.name).default_name


_MAY_REFER = {"*": _takes_all, "default": _takes_default}
