"""What resolution needs from a snapshot, and what the names in one of its files mean.

Symbols is the port to a whole snapshot, which the store implements. FileNames is what a single file says: its
definitions by scope, and the names that its imports bind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from birthmark.graph.bindings import Binding
from birthmark.graph.paths import steps_of
from birthmark.graph.references import Reference
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE

_OPEN = FUNCTION_LIKE | {"mod", "namespace"}  # whose members see each other by their bare names
_MODULES = frozenset({"mod"})
_STUBS = 2  # at least, which differ in their types, before what they are stubs of
_ANONYMOUS = "<anonymous>"
PARAMETERS = frozenset({"parameter", "optional", "rest"})
_BINDING = FUNCTION_LIKE | CLASS_LIKE | _MODULES  # what is imported in them is known only there


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


class FileNames:
    """The definitions of a file by scope and name, what its imports bind, and what other names mean."""

    def __init__(
        self,
        definitions: Sequence[Definition],
        declared: Sequence[Reference],
        bindings: Sequence[Binding],
        rules: ResolutionRules,
    ) -> None:
        self.definitions = definitions
        self.ordinals = {definition.identity: ordinal for ordinal, definition in enumerate(definitions)}
        self.values: dict[tuple[int, str], list[Binding]] = {}
        self.parameters: dict[int, list[Binding]] = {}
        self.bound_names = {binding.name for binding in bindings}
        # By name and line: functions that are parts of an object, and not seen by their bare names.
        parts = (binding for binding in bindings if binding.role in ("field", "part") and "." in binding.name)
        self.parts = {(binding.name.rpartition(".")[2], binding.line) for binding in parts}
        self.extended: dict[int, str] = {}  # functions that are used as members of a type
        self.abstract = {binding.owner for binding in bindings if binding.role == "abstract"}
        self.macros = {binding.owner for binding in bindings if binding.role == "macro"}
        assigned = [binding for binding in bindings if binding.role == "assigned"]
        for binding in bindings:
            if binding.role in ("abstract", "assigned", "macro"):
                continue
            if binding.role == "extends":
                self.extended[binding.owner] = binding.value
                continue
            self.values.setdefault((binding.owner, binding.name), []).append(binding)
            if binding.role in PARAMETERS and not binding.until:  # not those of a lambda in it
                known = self.parameters.setdefault(binding.owner, [])
                known[:] = [*(one for one in known if one.name != binding.name), binding]  # The last pattern wins.
        self.declared = {binding.owner for binding in bindings if binding.role == "declared"}  # without a body
        self.rules = rules
        self.members: dict[str, dict[str, list[Definition]]] = {}
        self.kinds: dict[str, str] = {}  # by qualified name
        self.by_scope: dict[str, list[int]] = {}  # ordinals, by qualified name
        self.by_name: dict[str, list[Definition]] = {}
        self.namespace = ""
        self.bindings: dict[str, list[tuple[str, Reference]]] = {}  # with the scope in which they hold
        self.wildcards: list[Reference] = []
        for definition in definitions:
            self._add(definition)
        for binding in assigned:
            self._assign(binding)
        self.bases: dict[int, list[str]] = {}  # paths, by ordinal
        for reference in declared:
            if reference.edge != "imports":
                path = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
                self.bases.setdefault(reference.entity, []).append(path)
                continue
            for name, bound in _bindings(reference, rules):
                self.bindings.setdefault(name, []).append((self._holds_in(reference.entity), bound))
            takes_all = rules.takes_all or (rules.passes_on and not definitions)
            if _is_wildcard(reference, takes_all):
                self.wildcards.append(reference)

    def _assign(self, binding: Binding) -> None:
        """What is assigned to a name is bound where the name is declared; of a declared type, only that is known."""
        source = self.definitions[binding.entity] if binding.entity >= 0 else None
        head = binding.name.partition(".")[0]
        for ordinal in self.enclosing(source):
            known = self.values.get((ordinal, head), [])
            ranged = [one for one in known if one.until and one.line <= binding.line <= one.until]
            declared = ranged[-1:] or [one for one in known if not one.until]
            types = [one for one in declared if one.is_typed and head == binding.name]
            types = [one for one in types if one.line <= binding.line] or types
            scope = self.definitions[ordinal].qualified_name if ordinal >= 0 else ""
            if declared or (ordinal < 0 and binding.value != head) or self.member(scope, head):
                line, until = (ranged[-1].line, ranged[-1].until) if ranged else (binding.line, 0)
                value = types[-1].value if types else binding.value
                bound = msgspec.structs.replace(binding, value=value, owner=ordinal, line=line, until=until)
                self.values.setdefault((ordinal, binding.name), []).append(bound)
                self.values[ordinal, binding.name].sort(key=lambda one: one.line)
                return

    def _add(self, definition: Definition) -> None:
        name = definition.name
        parents = dict.fromkeys((definition.parent or "", _named_scope(definition.parent or "")))
        for scope in parents if definition.kind != "impl" else ():  # An extension has the name of its type.
            self.members.setdefault(scope, {}).setdefault(name, []).append(definition)
        scope = definition.qualified_name.replace("::", ".")  # `namespace a::b` has that name.
        self.by_scope.setdefault(scope, []).append(self.ordinals[definition.identity])
        self.by_name.setdefault(name, []).append(definition)
        if self.kinds.get(scope) not in CLASS_LIKE:
            self.kinds[scope] = definition.kind
        if "::" in definition.qualified_name:
            for around in scopes_around(scope.rpartition(".")[0]):
                self.kinds.setdefault(around, definition.kind)
        if definition.kind == "namespace" and not self.namespace:
            self.namespace = definition.qualified_name

    def member(self, scope: str, name: str) -> Sequence[Definition]:
        return self.members.get(scope, {}).get(name, ())

    def seen(self, scope: str, name: str) -> list[Definition]:
        """The members of a scope that have a bare name in it."""
        members = (one for one in self.member(scope, name) if one.kind != "constructor")
        return [one for one in members if (name, one.start_line) not in self.parts]

    def visible(self, source: Definition | None, edge: str) -> Iterator[str]:
        """The scopes whose members are seen by their bare names, from the innermost out."""
        if source is not None:
            start = source.qualified_name if edge == "calls" else source.parent or ""
            own = () if source.kind in FUNCTION_LIKE else (source.qualified_name, source.parent)
            for scope in scopes_around(start):
                kind = self.kinds.get(scope, "class")
                if kind in _OPEN or scope in own or (kind in CLASS_LIKE and self.rules.sees_class):
                    yield scope
        yield ""

    def has_values(self, reference: Reference) -> bool:
        """Whether what its first name means may depend on the line."""
        first = reference.name if reference.receiver is None else steps_of(reference.receiver or "#")[0]
        return first in self.bound_names

    def is_bound(self, source: Definition | None, name: str) -> bool:
        """Whether a name means something there, known or not."""
        return any((ordinal, name) in self.values for ordinal in self.enclosing(source))

    def enclosing(self, source: Definition | None) -> Iterator[int]:
        """The ordinals of the definitions around a place, from the innermost out, and -1 for the file."""
        if source is not None:
            for scope in scopes_around(source.qualified_name):
                yield from (
                    ordinal
                    for ordinal in self.by_scope.get(scope, ())
                    if self.definitions[ordinal].start_line <= source.start_line
                    and source.end_line <= self.definitions[ordinal].end_line
                )
        yield -1

    def outer(self, definition: Definition) -> int:
        """The ordinal of the definition around another one, or -1 for the file."""
        own = self.ordinals[definition.identity]
        return next((ordinal for ordinal in self.enclosing(definition) if ordinal != own), -1)

    def owner(self, source: Definition) -> str:
        """The class that `self` means; "" in a method of an object that a function makes without a name."""
        for scope in scopes_around(source.qualified_name):
            if self.kinds.get(scope) in CLASS_LIKE:
                return scope
            if self.kinds.get(scope) == "method" and self.kinds.get(scope.rpartition(".")[0]) in FUNCTION_LIKE:
                return ""
        return source.parent or ""

    def bound(self, name: str, source: Definition | None) -> list[Reference]:
        """The imports that bind a name inside the source, the innermost first."""
        known = self.bindings.get(name)
        if known is None:
            return []
        scopes = ["", *reversed([*scopes_around(source.qualified_name)])] if source is not None else [""]
        seen = [(scopes.index(scope), reference) for scope, reference in known if scope in scopes]
        return [reference for _, reference in sorted(seen, key=lambda entry: -entry[0])]

    def passed_on(self, name: str, scope: str) -> Reference | None:
        """The import by which a module has a name for others to import."""
        known = self.bindings.get(name, ())
        return next((reference for holds_in, reference in known if holds_in == scope), None)

    def inner_module(self, entity: int) -> str:
        """The module inside the file that contains an entity."""
        return self._around(entity, _MODULES)

    def _holds_in(self, entity: int) -> str:
        return self._around(entity, _BINDING)

    def _around(self, entity: int, kinds: frozenset[str]) -> str:
        if not 0 <= entity < len(self.definitions):
            return ""
        scopes = scopes_around(self.definitions[entity].qualified_name)
        return next((scope for scope in scopes if self.kinds.get(scope) in kinds), "")


def in_force(definitions: Sequence[Definition], rules: ResolutionRules) -> Sequence[Definition]:
    """Of those with one name in one scope, the first if the others declare the same function again."""
    is_stubbed = rules.has_stubs and len(definitions) > _STUBS and len({one.path for one in definitions}) == 1
    return definitions[:1] if is_stubbed else definitions


def _named_scope(scope: str) -> str:
    """The scope around those without a name, whose members are its own as well."""
    return ".".join(part for part in scope.split(".") if part != _ANONYMOUS) if _ANONYMOUS in scope else scope


def scopes_around(qualified_name: str) -> Iterator[str]:
    while qualified_name:
        yield qualified_name
        qualified_name = qualified_name.rpartition(".")[0]


def _bindings(reference: Reference, rules: ResolutionRules) -> Iterator[tuple[str, Reference]]:
    """The names that an import binds, each with what it means."""
    module = reference.receiver or ""
    local = reference.alias or reference.name
    if local:
        yield local, reference
    elif rules.binds == "path":
        yield module, reference
        if rules.separator in module:  # `import a.b` binds `a` as well.
            first = module.partition(rules.separator)[0]
            yield first, msgspec.structs.replace(reference, receiver=first)
    elif rules.binds == "last":
        module = re.sub(rules.version_suffix, "", module) if rules.version_suffix else module
        yield module.rpartition(rules.separator)[2], reference


def _is_wildcard(reference: Reference, takes_all: bool) -> bool:
    if reference.alias is not None:
        return reference.alias == "."
    return reference.name == "*" or (not reference.name and takes_all)
