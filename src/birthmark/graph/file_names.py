"""The names of a file and their meanings, as far as the file alone tells.

Takes the definitions, imports and bindings of a file; gives FileNames: its definitions by scope, what its names are
bound to, and the names that its imports bind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from birthmark.graph.answers import Answers, file_lookup, inner_lookup, parameters_lookup
from birthmark.graph.name_tables import (
    bases_by_ordinal,
    changing_lines,
    definitions_by_name,
    functions_of_signatures,
    is_wildcard,
    kinds_by_scope,
    members_by_scope,
    names_bound_by,
    ordinals_by_scope,
    owners_with_role,
    parameters_by_owner,
    parts_of_objects,
    values_by_owner,
)
from birthmark.graph.reading.paths import steps_of
from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.symbols import VALUES, Containers, Definition, contains, scopes_around
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE

_RELATIONS = frozenset({"table", "view"})
_OPEN = FUNCTION_LIKE | {"mod", "namespace"}  # whose members see each other by their bare names
_MODULES = frozenset({"mod"})
_FILE = (-1,)
RECEIVERS = frozenset({"self", "this", "cls", "super", "base", "parent"})  # mean the type around them
_METHODS = frozenset({"method", "constructor"})
SELVES = frozenset({"self", "this", "$this"})
_OWN_PARTS = tuple(f"{word}." for word in SELVES)
_FEW = 8  # definitions of one name, of which each is looked at
_BINDING = FUNCTION_LIKE | CLASS_LIKE | _MODULES  # what is imported in them is known only there


class FileNames:
    """The definitions of a file by scope and name, what its imports bind, and what other names mean."""

    def __init__(
        self,
        definitions: Sequence[Definition],
        declared: Sequence[Reference],
        bindings: Sequence[Binding],
        rules: ResolutionRules,
        *,
        path: str,
        answers: Answers,
    ) -> None:
        self.rules, self.answers = rules, answers
        self._has_scopes = bool(rules.has_namespaces or rules.calls_bare or rules.path_prefixes or rules.sees_class)
        self._visible: dict[tuple[int | None, bool], Sequence[str]] = {}
        self._enclosing: dict[int, Sequence[int]] = {}
        self._same: dict[str, bool] = {}
        self._own_types: dict[tuple[int, str], str | None] = {}
        # Definitions
        self.definitions = definitions
        self.ordinals = {definition.identity: ordinal for ordinal, definition in enumerate(definitions)}
        self.declared = owners_with_role(bindings, "declared")  # without a body
        self.functions = functions_of_signatures(definitions, self.declared) if rules.has_stubs else {}
        meant = [one for ordinal, one in enumerate(definitions) if ordinal not in self.functions]
        self.members = members_by_scope(meant, opens_enums=rules.opens_enums)
        self.kinds = kinds_by_scope(definitions)
        self.by_scope = ordinals_by_scope(definitions)
        self.containers: dict[str, Containers] = {}  # by scope, of those that have many of one name
        self.by_name = definitions_by_name(meant)
        self.namespace = next((one.qualified_name for one in definitions if one.kind == "namespace"), "")
        # Lookups: of the file, and of what is inside of each definition and its parameters
        self.lookup = file_lookup(path)
        functions = [one.qualified_name if one.kind in FUNCTION_LIKE else None for one in definitions]
        self.inner = [self.lookup if one is None else inner_lookup(path, one) for one in functions]
        self.signatures = [self.lookup if one is None else parameters_lookup(path, one) for one in functions]
        # Bindings
        self.bound_names = {binding.name for binding in bindings}
        self.changes = changing_lines(bindings)
        self._has_own_parts = any(name.startswith(_OWN_PARTS) for name in self.bound_names)
        self.parts = parts_of_objects(bindings)
        self.parameters = parameters_by_owner(bindings)
        self.abstract = owners_with_role(bindings, "abstract")
        self.macros = owners_with_role(bindings, "macro")
        self.extended = {one.owner: one.value for one in bindings if one.role == "extends"}  # members of that type
        self.values = values_by_owner(bindings)
        for binding in bindings:
            if binding.role == "assigned":
                self._assign(binding)
        # Imports and bases
        imports = [reference for reference in declared if reference.edge == "imports"]
        takes_all = rules.takes_all or (rules.passes_on and not definitions)
        self.bases = bases_by_ordinal(declared)
        self.imported = self._imported_names(imports)
        self.wildcards = [reference for reference in imports if is_wildcard(reference, takes_all)]

    def _imported_names(self, imports: Iterable[Reference]) -> dict[str, list[tuple[str, Reference]]]:
        """With the scope in which they hold."""
        imported: dict[str, list[tuple[str, Reference]]] = {}
        for reference in imports:
            for name, bound in names_bound_by(reference, self.rules):
                imported.setdefault(name, []).append((self._holds_in(reference.entity), bound))
        return imported

    def _assign(self, binding: Binding) -> None:
        """Bind an assigned value where the name is declared; if the name has a declared type, bind that instead."""
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

    def values_of(self, ordinal: int, name: str) -> Sequence[Binding]:
        """Return the bindings of a name in a scope."""
        if ordinal >= 0:
            self.answers.made_from.add(self.inner[ordinal])
        return self.values.get((ordinal, name), ())

    def bound_in(self, ordinal: int, name: str) -> Sequence[Binding]:
        """Return the bindings of a bare name in a scope: the keys of an object are no names in it."""
        bound = self.values_of(ordinal, name)
        is_object = bool(bound) and ordinal >= 0 and self.definitions[ordinal].kind in VALUES
        return [one for one in bound if one.role != "field"] if is_object else bound

    def parameters_of(self, ordinal: int) -> Sequence[Binding]:
        if ordinal >= 0:
            self.answers.made_from.add(self.signatures[ordinal])
        return self.parameters.get(ordinal, ())

    def function_of(self, definition: Definition) -> Definition:
        """The function that a signature declares; itself for what is none."""
        ordinal = self.ordinals.get(definition.identity, -1)
        return self.definitions[self.functions[ordinal]] if ordinal in self.functions else definition

    def signatures_of(self, function: Definition) -> tuple[Definition, ...]:
        """Those that declare a function before its body, or besides the first one."""
        if not self.functions:
            return ()
        own = self.ordinals.get(function.identity, -1)
        return tuple(self.definitions[at] for at, ordinal in self.functions.items() if ordinal == own)

    def member(self, scope: str, name: str) -> Sequence[Definition]:
        return self.members.get(scope, {}).get(name, ())

    def seen(self, scope: str, name: str) -> list[Definition]:
        """The members of a scope that have a bare name in it."""
        members = (one for one in self.member(scope, name) if one.kind != "constructor")
        return [one for one in members if (name, one.start_line) not in self.parts]

    def visible(self, source: Definition | None, edge: str) -> Sequence[str]:
        """The scopes whose members are seen by their bare names, from the innermost out."""
        key = source and source.identity, edge == "calls"
        if key not in self._visible:
            self._visible[key] = (*self._find_visible(source, edge),)
        return self._visible[key]

    def _find_visible(self, source: Definition | None, edge: str) -> Iterator[str]:
        if source is not None:
            start = source.qualified_name if edge == "calls" else source.parent or ""
            own = () if source.kind in FUNCTION_LIKE else (source.qualified_name, source.parent)
            for scope in scopes_around(start):
                kind = self.kinds.get(scope, "class")
                if kind in _RELATIONS:
                    continue  # The name of a column is no name of a table.
                if kind in _OPEN or scope in own or (kind in CLASS_LIKE and self.rules.sees_class):
                    yield scope
        yield ""

    def stretch_of(self, reference: Reference) -> int:
        """Return the number of the stretch of lines on which its first name means the same; 0 for all lines."""
        first = reference.name if reference.receiver is None else steps_of(reference.receiver or "#")[0]
        if first[:1] == "<":
            return reference.line  # the names in a display
        return bisect_right(self.changes.get(first, ()), reference.line)

    def is_bound(self, source: Definition | None, name: str) -> bool:
        """Return True if a name means something there, known or not."""
        return any(self.values_of(ordinal, name) for ordinal in self.enclosing(source))

    def enclosing(self, source: Definition | None) -> Sequence[int]:
        """The ordinals of the definitions around a place, from the innermost out, and -1 for the file."""
        if source is None:
            return _FILE
        known = self._enclosing.get(source.identity)
        if known is None:
            found = (one for scope in scopes_around(source.qualified_name) for one in self._around(scope, source))
            known = self._enclosing[source.identity] = (*found, -1)
        return known

    def is_same_everywhere(self, name: str) -> bool:
        """Return True if a bare name means the same wherever it is in the file."""
        known = self._same.get(name)
        if known is None:
            known = self._same[name] = (
                not self._has_scopes
                and name not in self.bound_names
                and name not in RECEIVERS
                and all(not scope for scope, _ in self.imported.get(name, ()))
                and all(one.parent is None for one in self.by_name.get(name, ()))
            )
        return known

    def own_type(self, source: Definition, word: str) -> str | None:
        """The type that a word like `self` means in all methods of it alike; None where it means something else."""
        key = source.identity, word
        if key not in self._own_types:
            parent = source.parent or ""
            is_method = source.kind in _METHODS and self.kinds.get(parent) in CLASS_LIKE and not self._has_own_parts
            bound = (one for ordinal in self.enclosing(source) for one in self.values.get((ordinal, word), ()))
            is_plain = is_method and not any(one.value or one.role == "local" for one in bound)
            self._own_types[key] = parent if is_plain else None
        return self._own_types[key]

    def _around(self, scope: str, source: Definition) -> Sequence[int]:
        """The ordinals of those that have the name of a scope, and the source on their lines."""
        ordinals = self.by_scope.get(scope, ())
        if len(ordinals) <= _FEW:
            found = [self.definitions[ordinal] for ordinal in ordinals]
            return [ordinal for ordinal, one in zip(ordinals, found, strict=True) if contains(one, source)]
        if scope not in self.containers:
            found = [self.definitions[ordinal] for ordinal in ordinals]
            self.containers[scope] = Containers([(one.start_line, one.end_line) for one in found])
        return [ordinals[number] for number in self.containers[scope].around((source.start_line, source.end_line))]

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
        known = self.imported.get(name)
        if known is None:
            return []
        scopes = ["", *reversed([*scopes_around(source.qualified_name)])] if source is not None else [""]
        seen = [(scopes.index(scope), reference) for scope, reference in known if scope in scopes]
        return [reference for _, reference in sorted(seen, key=lambda entry: -entry[0])]

    def passed_on(self, name: str, scope: str) -> Reference | None:
        """The import by which a module has a name for others to import."""
        known = self.imported.get(name, ())
        return next((reference for holds_in, reference in known if holds_in == scope), None)

    def inner_module(self, entity: int) -> str:
        """The module inside the file that contains an entity."""
        return self._scope_around(entity, _MODULES)

    def _holds_in(self, entity: int) -> str:
        return self._scope_around(entity, _BINDING)

    def _scope_around(self, entity: int, kinds: frozenset[str]) -> str:
        if not 0 <= entity < len(self.definitions):
            return ""
        scopes = scopes_around(self.definitions[entity].qualified_name)
        return next((scope for scope in scopes if self.kinds.get(scope) in kinds), "")
