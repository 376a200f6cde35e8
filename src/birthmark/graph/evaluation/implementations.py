"""The types below a type, and what implements or replaces a method there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.answers import Known
from birthmark.graph.evaluation.hierarchy import MOST_TYPES
from birthmark.graph.modules.imports import Imports
from birthmark.graph.symbols import Definition
from birthmark.model import FUNCTION_LIKE

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator


class Implementations:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known_subtypes: Known = {}

    def subtypes(self, definition: Definition) -> list[Definition]:
        """All types below one."""
        answers = self.imports.answers
        return answers.once(self.known_subtypes, definition.identity, self._find_subtypes, definition) or []

    def _find_subtypes(self, definition: Definition) -> list[Definition]:
        found = {one.identity: one for one in self._implicit_subtypes(definition)}
        fresh = [definition, *found.values()]
        while fresh and len(found) < MOST_TYPES:
            one = fresh.pop()
            for _, subtype, _ in self.imports.bases_named(one.name):
                bases = {base.identity for base in self.evaluator.hierarchy.bases(subtype)[0]}
                if subtype.identity not in found and one.identity in bases:
                    found[subtype.identity] = subtype
                    fresh.append(subtype)
        return [*found.values()]

    def _implicit_subtypes(self, definition: Definition) -> Iterator[Definition]:
        """The types that have all methods of an interface, where that alone makes them implement it."""
        rules = self.imports.rules(definition.language)
        is_implicit = rules.implicit_interfaces and definition.kind == "interface"
        line = [*self.evaluator.hierarchy.line(definition)] if is_implicit else []
        methods = [one for base in line for one in self._methods(base)]
        if not methods or any(self.evaluator.hierarchy.bases(one)[1] for one in line):
            return  # What an interface from outside adds is not known.
        rarest = min((self.imports.named(one.name, rules) for one in methods), key=len)
        for named in rarest if len(rarest) <= MOST_TYPES else ():
            owner = self.evaluator.members.type_of(named)
            if owner is not None and owner.kind != "interface":
                types = [owner, *self.subtypes(owner)]
                yield from (one for one in types if all(self._has_method(one, method) for method in methods))

    def _methods(self, definition: Definition) -> list[Definition]:
        names = self.imports.names_of(definition)
        members = names.members.get(definition.qualified_name, {})
        return [one for named in members.values() for one in named if one.kind in FUNCTION_LIKE]

    def _has_method(self, definition: Definition, method: Definition) -> bool:
        value = self.evaluator.members.find_near(definition, method.name)
        targets = value.targets if value is not None else ()
        return any(one.kind in FUNCTION_LIKE and self._is_alike(one, method) for one in targets)

    def _is_alike(self, method: Definition, other: Definition) -> bool:
        """Whether two methods take and give the same, as far as that is known."""
        one, another = self._signature(method), self._signature(other)
        pairs = zip(one, another, strict=False)
        return len(one) == len(another) and all(mine == its or not mine or not its for mine, its in pairs)

    def _signature(self, method: Definition) -> list[str]:
        """The last names of the types of its parameters, and of its result; "" for what is not known."""
        names = self.imports.names_of(method)
        ordinal = names.ordinals[method.identity]
        bound = [*names.parameters_of(ordinal), *names.values_of(ordinal, "")[:1]]
        written = [one.value.rpartition(".")[2] for one in bound]
        known = [one for one in names.enclosing(method) if one >= 0]
        return ["" if any(names.values_of(one, name.rstrip("{}*")) for one in known) else name for name in written]

    def of(self, method: Definition, receiver: Definition | None = None) -> list[Definition]:
        """What types below that of a method, or below the receiver's, have in its place."""
        owner = self.evaluator.hierarchy.owner(method)
        types = self.subtypes(owner) if owner is not None else []
        if receiver is not None and owner is not None and receiver.identity != owner.identity:
            below = {one.identity for one in (receiver, *self.subtypes(receiver))}
            types = [one for one in types if one.identity in below]
        found: dict[int, Definition] = {}
        for subtype in types:
            value = self.evaluator.members.find_near(subtype, method.name)
            found |= {one.identity: one for one in (value.targets if value else ()) if self._implements(one, method)}
        return list(found.values())

    def _implements(self, one: Definition, method: Definition) -> bool:
        if one.identity == method.identity or one.kind not in FUNCTION_LIKE or self.is_abstract(one):
            return False
        rules = self.imports.rules(method.language)
        return not rules.has_overloads or self._n_parameters(one) == self._n_parameters(method)

    def _n_parameters(self, function: Definition) -> int:
        names = self.imports.names_of(function)
        return len(names.parameters_of(names.ordinals[function.identity]))

    def overridden(self, method: Definition) -> Sequence[Definition]:
        """What the types above that of a method have under its name."""
        owner = self.evaluator.hierarchy.owner(method)
        value = self.evaluator.members.find_near(owner, method.name, is_super=True) if owner is not None else None
        return [one for one in value.targets if one.kind in FUNCTION_LIKE] if value is not None else ()

    def is_abstract(self, method: Definition) -> bool:
        """Whether it is declared without a body."""
        names = self.imports.names_of(method)
        return names.ordinals.get(method.identity, -1) in names.abstract
