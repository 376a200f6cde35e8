"""The definitions and imports of a state of the tree, as the graph needs them.

Files are loaded when a reference leads to them, so that little of a tree is read. A mere name, which could be
anything, is looked for in a few files that the caller names, whatever else was loaded: no subscription may depend on
others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from posixpath import dirname, splitext

from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.extraction.state import RepositoryState
from birthmark.graph.modules.modules import Modules
from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry

_DECLARED = ("imports", "inherits", "implements")
_USES = ("calls", *_DECLARED)
_BITS = 24  # of an identity, for the entity in its file


class TreeSymbols:
    """Symbols of a tree; identities are private numbers of this object."""

    def __init__(self, tree: RepositoryState) -> None:
        self.tree, self._rules_of = tree, load_registry().resolution_of
        self._resolvers: dict[frozenset[str], Resolver] = {}
        self._near: dict[tuple[str, str], frozenset[str]] = {}  # by folder and extension
        self._numbers: dict[str, int] = {}
        self._definitions: dict[str, list[Definition]] = {}
        self._paths: dict[str, set[str]] = {}  # of names, in files that were in a scope
        self._scoped: set[str] = set()
        self._mentions: dict[str, dict[str, list[Reference]]] = {}

    @cached_property
    def modules(self) -> Modules:
        return Modules(self.tree.paths(), self.tree.manifests)

    def inside(self, path: str) -> Sequence[Definition]:
        if path not in self._definitions:
            file = self.tree.file(path)
            number = self._numbers.setdefault(path, len(self._numbers))
            self._definitions[path] = [] if file is None else _definitions(file, number << _BITS)
        return self._definitions[path]

    def near(self, file: OutlinedFile) -> frozenset[str]:
        """The files to which a file may refer without an import: itself, in many languages all in its folder."""
        rules = self._rules_of(file.outline.language)
        if rules.is_closed and rules.shares != "folder":
            return frozenset({file.path})
        key = dirname(file.path), splitext(file.path)[1]
        if key not in self._near:
            self._near[key] = frozenset(p for p in self.tree.paths() if (dirname(p), splitext(p)[1]) == key)
        return self._near[key]

    def declared(self, path: str) -> Sequence[Reference]:
        file = self.tree.file(path)
        return [] if file is None else [found for found in file.outline.references if found.edge in _DECLARED]

    def bindings(self, path: str) -> Sequence[Binding]:
        file = self.tree.file(path)
        return () if file is None else file.outline.bindings

    def named(self, name: str, scope: frozenset[str]) -> Sequence[Definition]:
        """Return the definitions of a name in the files of `scope`."""
        paths = sorted(self._paths.get(name, set()) & scope)
        return [definition for path in paths for definition in self.inside(path) if definition.name == name]

    def entity(self, definition: Definition) -> OutlinedEntity | None:
        file = self.tree.file(definition.path)
        return None if file is None else OutlinedEntity(file, definition.identity & ((1 << _BITS) - 1))

    def targets(
        self, file: OutlinedFile, references: Iterable[Reference], scope: frozenset[str]
    ) -> list[tuple[Reference, list[OutlinedEntity]]]:
        """Return the known targets of references in a file; names without an import are looked up in `scope`."""
        found = []
        for reference in references:
            resolved = self.resolve(file, reference, scope)
            state_entities = [self.entity(target) for target in resolved.targets]
            found.append((reference, [one for one in state_entities if one is not None]))
        return found

    def resolve(self, file: OutlinedFile, reference: Reference, scope: frozenset[str]) -> ResolvedReference:
        """Return the targets of a reference, and the way they were found."""
        source = self.inside(file.path)[reference.entity] if reference.entity >= 0 else None
        return self._resolver(scope).resolve(file.path, file.outline.language, source, reference)

    def _resolver(self, scope: frozenset[str]) -> Resolver:
        if scope not in self._resolvers:
            for file in self.tree.load(scope - self._scoped):
                for entity in file.outline.entities:
                    self._paths.setdefault(entity.name, set()).add(file.path)
            self._scoped |= scope
            self._resolvers[scope] = Resolver(_ScopeSymbols(self, scope), self._rules_of, self.modules)
        return self._resolvers[scope]

    def mentions(self, file: OutlinedFile, name: str) -> list[Reference]:
        """Return the references in a file that may lead to a name, directly or by the alias of an import."""
        if file.path not in self._mentions:
            self._mentions[file.path] = _mentions(file)
        by_name = self._mentions[file.path]
        found = dict.fromkeys([*by_name.get(name, ()), *by_name.get("default", ())])
        return sorted(found, key=lambda reference: reference.line)


class _ScopeSymbols:
    """A tree in which a mere name is looked for in some files only."""

    def __init__(self, symbols: TreeSymbols, paths: frozenset[str]) -> None:
        self.named = partial(symbols.named, scope=paths)
        self.inside, self.declared, self.bindings = symbols.inside, symbols.declared, symbols.bindings
        self.paths, self.manifests = symbols.tree.paths, symbols.tree.manifests

    def bases_named(self, name: str) -> Iterable[tuple[str, Definition, Reference]]:
        """Return nothing: subtypes may be in any file, and are not searched."""
        return ()

    def passed(self, alias: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        """The same holds for who calls a function."""
        return ()


def _mentions(file: OutlinedFile) -> dict[str, list[Reference]]:
    """Map names to references; an imported name includes the references by its alias."""
    names: dict[str, set[str]] = {}
    for reference in file.outline.references:
        if reference.edge == "imports" and reference.alias is not None:
            names.setdefault(reference.alias, set()).add(reference.name)
    by_name: dict[str, list[Reference]] = {}
    for reference in file.outline.references:
        if reference.edge in _USES:
            for name in {reference.name} | names.get(reference.name, set()):
                by_name.setdefault(name, []).append(reference)
    return by_name


def _definitions(file: OutlinedFile, first: int) -> list[Definition]:
    return [
        Definition(
            first + ordinal,
            file.path,
            entity.language,
            entity.kind,
            entity.name,
            entity.qualified_name,
            entity.parent,
            entity.start_line,
            entity.end_line,
        )
        for ordinal, entity in enumerate(file.outline.entities)
    ]
