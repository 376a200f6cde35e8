"""The tables of FileNames, each made from what a file has: its definitions, its bindings, its imports and bases."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from birthmark.graph.reading.references import PARAMETERS, Binding, Reference
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity

_ANONYMOUS = "<anonymous>"
_MOST_OF_A_NAME = 100  # definitions in one scope
_VALUELESS = frozenset(
    {"abstract", "assigned", "declared", "extends", "macro"}
)  # roles that give no name a value of its own

Values = dict[tuple[int, str], list[Binding]]  # by the ordinal of the owner and the name

# Definitions


def members_by_scope(
    definitions: Sequence[Definition], *, opens_enums: bool = False
) -> dict[str, dict[str, list[Definition]]]:
    """Of a name that has more definitions than any overloads the first ones: what it means is not known anyway."""
    members: dict[str, dict[str, list[Definition]]] = {}
    around = {one.qualified_name: one.parent or "" for one in definitions if one.kind == "enum" and opens_enums}
    for definition in definitions:
        parent = definition.parent or ""
        scopes = dict.fromkeys((parent, _named_scope(parent), around.get(parent, parent)))
        for scope in scopes if definition.kind != "impl" else ():  # An extension has the name of its type.
            named = members.setdefault(scope, {}).setdefault(definition.name, [])
            if len(named) < _MOST_OF_A_NAME:
                named.append(definition)
    return members


def kinds_by_scope(definitions: Iterable[Definition]) -> dict[str, str]:
    """Of those that have one name, a type counts."""
    kinds: dict[str, str] = {}
    for definition in definitions:
        scope = _scope_of(definition)
        if kinds.get(scope) not in CLASS_LIKE:
            kinds[scope] = definition.kind
        if "::" in definition.qualified_name:
            for around in scopes_around(scope.rpartition(".")[0]):
                kinds.setdefault(around, definition.kind)
    return kinds


def ordinals_by_scope(definitions: Iterable[Definition | Entity]) -> dict[str, list[int]]:
    ordinals: dict[str, list[int]] = {}
    for ordinal, definition in enumerate(definitions):
        ordinals.setdefault(_scope_of(definition), []).append(ordinal)
    return ordinals


def definitions_by_name(definitions: Iterable[Definition]) -> dict[str, list[Definition]]:
    named: dict[str, list[Definition]] = {}
    for definition in definitions:
        named.setdefault(definition.name, []).append(definition)
    return named


def functions_of_signatures(definitions: Sequence[Definition | Entity], declared: Collection[int]) -> dict[int, int]:
    """By the ordinals of signatures without a body: the function that follows; if none does, the first of them."""
    found: dict[int, int] = {}
    for ordinals in ordinals_by_scope(definitions).values() if declared else ():
        signatures: list[int] = []
        for ordinal in ordinals:
            if ordinal in declared:
                signatures.append(ordinal)
            elif definitions[ordinal].kind in FUNCTION_LIKE:
                found |= dict.fromkeys(signatures, ordinal)
                signatures = []
        found |= dict.fromkeys(signatures[1:], signatures[0]) if signatures else {}
    return found


def _scope_of(definition: Definition | Entity) -> str:
    return definition.qualified_name.replace("::", ".")  # `namespace a::b` has that name.


def _named_scope(scope: str) -> str:
    """The scope around those without a name, whose members are its own as well."""
    return ".".join(part for part in scope.split(".") if part != _ANONYMOUS) if _ANONYMOUS in scope else scope


# Bindings


def values_by_owner(bindings: Iterable[Binding]) -> Values:
    """A name that one pattern finds with its value and another one without is bound once."""
    values: Values = {}
    for binding in bindings:
        if binding.role not in _VALUELESS:
            known = values.setdefault((binding.owner, binding.name), [])
            if known and _is_same_place(known[-1], binding):
                if not known[-1].value:
                    known[-1] = binding
            else:
                known.append(binding)
    return values


def _is_same_place(one: Binding, other: Binding) -> bool:
    places = ((each.line, each.until, each.role) for each in (one, other))
    return not (one.value and other.value) and next(places) == next(places)


def parameters_by_owner(bindings: Iterable[Binding]) -> dict[int, list[Binding]]:
    """Not those of a lambda in a function; where several patterns have one name, the last wins."""
    parameters: dict[int, dict[str, Binding]] = {}
    for binding in bindings:
        if binding.role in PARAMETERS and not binding.until:
            known = parameters.setdefault(binding.owner, {})
            known.pop(binding.name, None)
            known[binding.name] = binding
    return {owner: [*known.values()] for owner, known in parameters.items()}


def changing_lines(bindings: Iterable[Binding]) -> dict[str, list[int]]:
    """By first names: the lines from which on one of them, or a part of it, may mean something else."""
    lines: dict[str, set[int]] = {}
    for binding in bindings:
        known = lines.setdefault(binding.name.partition(".")[0], set())
        known.add(binding.line)
        if binding.until:
            known.add(binding.until + 1)
    return {name: sorted(known) for name, known in lines.items()}


def parts_of_objects(bindings: Iterable[Binding]) -> set[tuple[str, int]]:
    """By name and line: functions that are parts of an object, and not seen by their bare names."""
    parts = (binding for binding in bindings if binding.role in ("field", "part") and "." in binding.name)
    return {(binding.name.rpartition(".")[2], binding.line) for binding in parts}


def owners_with_role(bindings: Iterable[Binding], role: str) -> set[int]:
    return {binding.owner for binding in bindings if binding.role == role}


# Imports and bases


def bases_by_ordinal(declared: Iterable[Reference]) -> dict[int, list[str]]:
    """Their paths."""
    bases: dict[int, list[str]] = {}
    for reference in declared:
        if reference.edge != "imports":
            path = f"{reference.receiver}.{reference.name}" if reference.receiver else reference.name
            bases.setdefault(reference.entity, []).append(path)
    return bases


def names_bound_by(reference: Reference, rules: ResolutionRules) -> Iterator[tuple[str, Reference]]:
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


def is_wildcard(reference: Reference, takes_all: bool) -> bool:
    if reference.alias is not None:
        return reference.alias == "."
    return reference.name == "*" or (not reference.name and takes_all)
