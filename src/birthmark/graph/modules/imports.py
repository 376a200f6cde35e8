"""Follow the imports of a snapshot's files.

Takes the Symbols of a snapshot; gives for an import, or a name in a module, a Hit: definitions, a module, or neither
for what is outside the repository. Names that a module imports from another one are followed to their definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from posixpath import dirname
from typing import NamedTuple

import msgspec

from birthmark.graph.answers import (
    Answers,
    Known,
    argument_lookup,
    base_lookup,
    file_lookup,
    module_lookup,
    name_lookup,
    parts_of,
)
from birthmark.graph.file_names import FileNames
from birthmark.graph.manifests.packages import is_always_built, sources_of
from birthmark.graph.modules.modules import Module, Modules
from birthmark.graph.reading.references import Reference
from birthmark.graph.symbols import Definition, Symbols
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import Resolution

RulesOf = Callable[[str], ResolutionRules]  # by language

_DEEPEST = 5  # how often a name is passed on
_MOST_WILDCARDS = 500


class Hit(NamedTuple):
    """The meaning of a name: definitions or a module; neither if it is outside the repository."""

    resolution: Resolution
    targets: Sequence[Definition] = ()
    module: Module | None = None


EXTERNAL = Hit(Resolution.EXTERNAL)


class Imports:
    """Answers for one snapshot, and caches its answers."""

    def __init__(self, symbols: Symbols, rules_of: RulesOf, modules: Modules | None = None) -> None:
        """`modules` are those of the snapshot, where the caller has them already."""
        self.symbols = symbols
        self.rules_of = rules_of
        self.modules = modules or Modules(symbols.paths(), symbols.manifests)
        self.by_language: dict[str, ResolutionRules] = {}
        self.files: dict[str, FileNames] = {}
        self.others: dict[tuple[str, ResolutionRules], FileNames] = {}  # by other rules than the first
        self.by_name: dict[tuple[str, ResolutionRules], tuple[list[Definition], str]] = {}  # with the lookup
        self.answers = Answers()
        self.wildcards: Known = {}
        self.sources: Known = {}  # of files that pass on what is built
        self.known: Known = {}
        self.from_modules: Known = {}
        self.definitions: Known = {}  # by the identity of what is declared

    def rules(self, language: str) -> ResolutionRules:
        rules = self.by_language.get(language)
        if rules is None:
            rules = self.by_language[language] = self.rules_of(language)
        return rules

    def names(self, path: str, rules: ResolutionRules) -> FileNames:
        names = self.files.get(path)
        if names is None or names.rules is not rules:  # The rules of one file differ only by its segments.
            names = self._names_by_rules(path, rules)
        self.answers.made_from.add(names.lookup)
        return names

    def _names_by_rules(self, path: str, rules: ResolutionRules) -> FileNames:
        names = self.others.get((path, rules))
        if names is None:
            inside, declared = self.symbols.inside(path), self.symbols.declared(path)
            bindings = self.symbols.bindings(path)
            names = FileNames(inside, declared, bindings, rules, path=path, answers=self.answers)
            if path in self.files:
                self.others[path, rules] = names
            else:
                self.files[path] = names
        return names

    def names_of(self, definition: Definition) -> FileNames:
        """Those of the file that a definition is in."""
        return self.names(definition.path, self.rules(definition.language))

    def named(self, name: str, rules: ResolutionRules) -> list[Definition]:
        key = (name, rules)
        known = self.by_name.get(key)
        if known is None:
            found = [one for one in self.symbols.named(name) if self.rules(one.language) is rules]
            known = self.by_name[key] = found, name_lookup(name)
        self.answers.made_from.add(known[1])
        return known[0]

    def bases_named(self, name: str) -> Iterable[tuple[str, Definition, Reference]]:
        self.answers.read(base_lookup(name))
        return self.symbols.bases_named(name)

    def passed(self, alias: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        self.answers.read(argument_lookup(alias))
        return self.symbols.passed(alias)

    def find_module(self, rules: ResolutionRules, path: str, written: str, scope: str = "") -> Module | None:
        """The file or folder that a module is, as it is written in a file."""
        self._read_parts(written or path)
        found = self._noted(rules, self.modules.find(rules, path, written, scope))
        if found is None or found.path is None or not rules.passes_on:
            return found
        return self.answers.once(self.sources, (rules, found.path), self._find_source, rules, found.path) or found

    def _find_source(self, rules: ResolutionRules, path: str) -> Module | None:
        """Return the source of a file that only passes on built files: `module.exports = require('./dist/a')`."""
        if self.names(path, rules).definitions:
            return None
        built = {one.receiver or "" for one in self.symbols.declared(path) if one.edge == "imports"}
        if not built or not all(self._is_built(rules, path, one) for one in built):
            return None
        return self._noted(rules, self.modules.made_from(rules, path, sorted(built)))

    def _is_built(self, rules: ResolutionRules, path: str, written: str) -> bool:
        if not written.startswith("./") or not sources_of(written):
            return False
        self._read_parts(written)
        return is_always_built(written) or self._noted(rules, self.modules.find(rules, path, written)) is None

    def child_module(self, rules: ResolutionRules, module: Module, name: str) -> Module | None:
        """The module of that name inside a module."""
        self._read_parts(name)
        return self.modules.child(rules, module, name)

    def _noted(self, rules: ResolutionRules, found: Module | None) -> Module | None:
        """Note that a result of manifests depends on all places at which it might have been."""
        for place in self.modules.take_tried():
            # Whatever is there has the first part of the last name in its path; anything may be at the root.
            parts = parts_of(place.rpartition("/")[2])[:1] or [extension[1:] for extension in rules.extensions]
            for part in parts:
                self.answers.read(module_lookup(part))
        return found

    def _read_parts(self, written: str) -> None:
        for part in parts_of(written):
            self.answers.read(module_lookup(part))

    def follow(self, path: str, rules: ResolutionRules, reference: Reference, depth: int = _DEEPEST) -> Hit:
        """Return the target of an import."""
        module = self.module(path, rules, reference)
        if module is None:
            return EXTERNAL
        if reference.name in ("", "*"):
            return Hit(Resolution.IMPORT, (), module)
        if reference.name == rules.default_name:
            return self._default(rules, module, reference.alias, depth)
        return self.lookup(rules, module, reference.name, depth) or Hit(Resolution.IMPORT, (), module)

    def _default(self, rules: ResolutionRules, module: Module, alias: str | None, depth: int) -> Hit:
        """Return the default export, which often has the same name there; if not, only the file is known."""
        names = self.names(module.path or "", rules)
        members = names.member("", alias or "")
        passed_on = names.passed_on(rules.default_name, "")
        if members or passed_on is None or depth == 0:
            return Hit(Resolution.IMPORT, members, module)
        return self.follow(module.path or "", rules, msgspec.structs.replace(passed_on, alias=alias), depth - 1)

    def module(self, path: str, rules: ResolutionRules, reference: Reference) -> Module | None:
        written = reference.receiver or ""
        scope = self.names(path, rules).inner_module(reference.entity) if rules.path_prefixes else ""
        return (
            self.find_module(rules, path, written, scope)
            or self.namespace(rules, written)
            or self._beside(path, rules, written)
        )

    def _beside(self, path: str, rules: ResolutionRules, written: str) -> Module | None:
        """A file of the package's name is not the package, if it imports that name itself."""
        found = self.modules.beside(rules, path, written) if rules.finds_beside and written[:1] not in "./@" else None
        if found is None or self._imports(found.path or "", written):
            return None
        return found

    def _imports(self, path: str, module: str) -> bool:
        self.answers.read(file_lookup(path))
        return any(one.receiver == module for one in self.symbols.declared(path))

    def namespace(self, rules: ResolutionRules, written: str) -> Module | None:
        if not rules.has_namespaces or not written:
            return None
        scope = written.replace("::", ".")
        parts = scope.split(".")
        nested = ("::".join(parts[at:]) for at in range(len(parts)))  # `namespace a::b` has that name.
        named = (*self.named(scope, rules), *(one for name in nested for one in self.named(name, rules)))
        is_ours = any(definition.qualified_name.replace("::", ".") == scope for definition in named)
        is_ours = is_ours or self._noted(rules, self.modules.mapped_folder(rules, scope)) is not None
        return Module(None, None, scope) if is_ours else None

    def lookup(self, rules: ResolutionRules, module: Module, name: str, depth: int = _DEEPEST) -> Hit | None:
        """Return the meaning of a name in a module."""
        key = (rules, module, name, depth)
        return self.answers.once(self.known, key, self._look_up, rules, module, name, depth)

    def _look_up(self, rules: ResolutionRules, module: Module, name: str, depth: int) -> Hit | None:
        members = self.members(rules, module, name)
        if members:
            return Hit(Resolution.IMPORT, members)
        child = self.child_module(rules, module, name)
        if child is not None:
            return Hit(Resolution.IMPORT, (), child)
        if module.path is None or depth == 0:
            return None
        passed_on = self.names(module.path, rules).passed_on(name, module.scope)
        if passed_on is not None:
            return self.follow(module.path, rules, passed_on, depth - 1)
        return self.from_wildcards(module.path, rules, name, depth - 1)

    def members(self, rules: ResolutionRules, module: Module, name: str) -> Sequence[Definition]:
        if module.path is not None:
            return self._in_file(rules, module.path, module.scope, name)
        named = self.named(name, rules)
        if module.folder is not None:
            folder = module.folder
            return [one for one in named if one.parent is None and is_in_folder(one.path, folder, rules)]
        scope = module.scope
        found = [one for one in named if one.parent == scope or self._is_in_namespace(one, rules, scope)]
        return found if len(found) == 1 else self._in_mapped_file(rules, scope, name) or found

    def _in_mapped_file(self, rules: ResolutionRules, namespace: str, name: str) -> list[Definition]:
        """The type that a manifest puts into a file of its own, whatever other files have one of that name."""
        file = self._noted(rules, self.modules.mapped_file(rules, namespace, name))
        named = self.names(file.path or "", rules).by_name.get(name, ()) if file is not None else ()
        return [one for one in named if one.kind in CLASS_LIKE]

    def _is_in_namespace(self, definition: Definition, rules: ResolutionRules, namespace: str) -> bool:
        is_top = rules.names_namespace and definition.parent is None
        return is_top and self.names(definition.path, rules).namespace == namespace

    def _in_file(self, rules: ResolutionRules, path: str, scope: str, name: str) -> Sequence[Definition]:
        names = self.names(path, rules)
        found = names.member(scope, name)
        if found or not rules.exports_objects:
            return found
        # Which object a file exports is not known; it does not matter if only one member has the name.
        anywhere = names.by_name.get(name, ())
        return anywhere if len(anywhere) == 1 else ()

    def from_wildcards(self, path: str, rules: ResolutionRules, name: str, depth: int = _DEEPEST) -> Hit | None:
        """Return what `from x import *`, an include and the like bind."""
        key = (path, rules, name, depth)
        return self.answers.once(self.from_modules, key, self._from_wildcards, path, rules, name, depth)

    def _from_wildcards(self, path: str, rules: ResolutionRules, name: str, depth: int) -> Hit | None:
        hits = (self._from_wildcard(rules, module, name, depth) for module in self._wildcard_modules(path, rules))
        return next((hit for hit in hits if hit is not None), None)

    def _from_wildcard(self, rules: ResolutionRules, module: Module, name: str, depth: int) -> Hit | None:
        members = self.members(rules, module, name)
        if members:
            return Hit(Resolution.IMPORT, members)
        if module.path is None or depth == 0:
            return None
        passed_on = self.names(module.path, rules).passed_on(name, module.scope)
        return self.follow(module.path, rules, passed_on, depth - 1) if passed_on is not None else None

    def definition_of(self, declared: Definition) -> Definition:
        """Return the definition with the body of a declaration, in its file or in one that takes its names."""
        if not self.rules(declared.language).declares_first:
            return declared
        found = self.answers.once(self.definitions, declared.identity, self._definition_of, declared)
        return found or declared

    def function_of(self, declared: Definition) -> Definition:
        """Return what a signature declares, in the same file."""
        return self.names_of(declared).function_of(declared) if self._has_stubs(declared) else declared

    def signatures_of(self, function: Definition) -> tuple[Definition, ...]:
        return self.names_of(function).signatures_of(function) if self._has_stubs(function) else ()

    def _has_stubs(self, definition: Definition) -> bool:
        return definition.kind in FUNCTION_LIKE and self.rules(definition.language).has_stubs

    def definitions_of(self, declared: Sequence[Definition]) -> Sequence[Definition]:
        """A declaration and its definition are one thing in two places."""
        places = Counter((one.path, one.qualified_name) for one in declared)
        defined = [self.function_of(one) if places[one.path, one.qualified_name] > 1 else one for one in declared]
        defined = [self.definition_of(one) for one in defined]
        return [*{one.identity: one for one in defined}.values()]

    def _definition_of(self, declared: Definition) -> Definition:
        rules = self.rules(declared.language)
        if not self._is_declared(declared):
            return declared
        named = [one for one in self.named(declared.name, rules) if _may_be_same(one, declared)]
        named = [one for one in named if one.kind in FUNCTION_LIKE and not self._is_declared(one)]
        here = [one for one in named if one.path == declared.path]
        takers = [one for one in named if any(m.path == declared.path for m in self._wildcard_modules(one.path, rules))]
        found = here or takers or [one for one in named if one.qualified_name == declared.qualified_name]
        parameters = self._parameters(declared)
        same = [one for one in found if self._parameters(one) == parameters]
        same = same or [one for one in found if len(self._parameters(one)) == len(parameters)]
        return same[0] if len(same) == 1 else declared

    def _is_declared(self, definition: Definition) -> bool:
        names = self.names_of(definition)
        return names.ordinals.get(definition.identity, -1) in names.declared

    def _parameters(self, definition: Definition) -> list[str]:
        names = self.names_of(definition)
        return [one.value for one in names.parameters_of(names.ordinals.get(definition.identity, -1))]

    def _wildcard_modules(self, path: str, rules: ResolutionRules) -> tuple[Module, ...]:
        """Those that a file takes all names of, and those that they do, the nearest first."""
        return self.answers.once(self.wildcards, (path, rules), self._find_wildcard_modules, path, rules) or ()

    def _find_wildcard_modules(self, path: str, rules: ResolutionRules) -> tuple[Module, ...]:
        found: dict[Module, None] = {}
        files = [path]
        for file in files:
            for reference in self.names(file, rules).wildcards:
                module = self.module(file, rules, reference)
                if module is not None and module not in found and len(found) < _MOST_WILDCARDS:
                    found[module] = None
                    files += [module.path] if module.path is not None else []
        return tuple(found)


def _may_be_same(one: Definition, other: Definition) -> bool:
    """Return True also if one is in a namespace that the other takes all names of: the ends of their names agree."""
    if not one.parent or not other.parent:
        return one.qualified_name == other.qualified_name
    chains = f".{one.qualified_name}", f".{other.qualified_name}"
    return chains[0].endswith(chains[1]) or chains[1].endswith(chains[0])


def is_in_folder(path: str, folder: str, rules: ResolutionRules) -> bool:
    """With source roots, a package may be in several folders that end alike."""
    own = dirname(path)
    return own == folder or (bool(rules.source_roots) and own.endswith(f"/{folder}"))


def package_of(path: str, rules: ResolutionRules) -> str:
    folder = dirname(path)
    for root in rules.source_roots:
        folder = f"/{folder}".partition(root)[2] or folder
    return folder
