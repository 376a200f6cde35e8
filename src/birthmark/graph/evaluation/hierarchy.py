"""Types with their bases, the types below them, and the implementations of a method there.

Bases are read where a type is defined and followed across files. The order is depth first, each type once, which is
that of most languages; a base outside the repository is the end of what can be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.answers import Known
from birthmark.graph.evaluation.model import Site
from birthmark.graph.modules.imports import Imports
from birthmark.graph.reading.references import Binding
from birthmark.graph.symbols import NAMED_TYPES, TYPES, Definition
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

ALL_KNOWN, OUTSIDE_BASE, UNKNOWN_BASE = range(3)  # bases of a type; an unknown one may be of the repository
MOST_TYPES = 400  # above or below one


class Hierarchy:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known_bases: Known = {}
        self.known_lines: Known = {}

    def bases(self, definition: Definition) -> tuple[list[Definition], int]:
        """Those of a type that are in the repository, and whether there are others: ALL_KNOWN, or not."""
        answers = self.imports.answers
        return answers.once(self.known_bases, definition.identity, self._find_bases, definition) or ([], ALL_KNOWN)

    def _find_bases(self, definition: Definition) -> tuple[list[Definition], int]:
        return self._openings(definition) or self._read_bases(definition)

    def _openings(self, definition: Definition) -> tuple[list[Definition], int] | None:
        """The bases of all openings of a type: what is taken over last comes first, and the superclass at the end."""
        rules = self.imports.rules(definition.language)
        if not rules.mixes_modules:
            return None
        whole = definition.qualified_name
        read = [
            self._read_bases(one) for one in self.imports.named(definition.name, rules) if one.qualified_name == whole
        ]
        bases = [base for found, _ in reversed(read) for base in reversed(found) if base.qualified_name != whole]
        return bases, max((others for _, others in read), default=ALL_KNOWN)

    def _read_bases(self, definition: Definition) -> tuple[list[Definition], int]:
        site = self.site_of(definition)
        names = site.names
        found: list[Definition] = []
        others = ALL_KNOWN
        for path in names.bases.get(names.ordinals[definition.identity], ()):
            value = self.evaluator.exports.main_export(site.rules, self.evaluator.evaluate(site, path))
            kinds = NAMED_TYPES | {"mod"} if site.rules.mixes_modules else NAMED_TYPES
            types = [one for one in value.targets if one.kind in kinds] if value is not None else []
            found += [one for one in types if one.identity != definition.identity]
            others = max(others, ALL_KNOWN if types else UNKNOWN_BASE if value is None else OUTSIDE_BASE)
        for base in names.values_of(names.ordinals[definition.identity], ""):
            if base.role == "base":
                found += self._extended(site, base, definition)
        around = names.ordinals[site.source.identity] if site.source is not None else -1
        for base in names.values_of(around, f"{definition.name}.*"):
            found += self._extended(site, base, definition)
        found.sort(key=lambda one: one.kind != "trait")  # What a trait adds hides what is inherited.
        return found, others

    def _extended(self, site: Site, base: Binding, definition: Definition) -> list[Definition]:
        """An object, or function, whose members another one takes over."""
        value = self.evaluator.exports.main_export(site.rules, self.evaluator.evaluate(site, base.value))
        return [one for one in value.targets if one.identity != definition.identity] if value is not None else []

    def line(self, definition: Definition) -> list[Definition]:
        """A type and all above it."""
        answers = self.imports.answers
        return answers.once(self.known_lines, definition.identity, self._find_line, definition) or [definition]

    def _find_line(self, definition: Definition) -> list[Definition]:
        found, seen = [], {definition.identity}
        stack = [definition]
        while stack and len(seen) < MOST_TYPES:
            one = stack.pop()
            found.append(one)
            fresh = [base for base in self.bases(one)[0] if base.identity not in seen]
            seen |= {base.identity for base in fresh}
            stack += reversed(fresh)
        return found

    def is_open(self, method: Definition) -> bool:
        """Return True if a type above that of a method is outside of the repository."""
        owner = self.owner(method)
        return owner is not None and any(self.bases(one)[1] for one in self.line(owner))

    def main_opening(self, definitions: Sequence[Definition]) -> Sequence[Definition]:
        """Of several openings of one type the only one with a constructor, or else the only one with bases."""
        if len({one.qualified_name for one in definitions}) > 1 or definitions[0].kind not in TYPES:
            return definitions
        made, based = [], []
        for one in definitions:
            names = self.imports.names_of(one)
            members = [member for found in names.members.get(one.qualified_name, {}).values() for member in found]
            makers = [member.start_line for member in members if member.kind == "constructor"]
            made += [one] if any(one.start_line <= line <= one.end_line for line in makers) else []
            based += [one] if names.bases.get(names.ordinals[one.identity]) else []
        return made if len(made) == 1 else based if len(based) == 1 else definitions

    def site_of(self, definition: Definition) -> Site:
        """Return the site of a type."""
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        around = names.outer(definition)
        source = names.definitions[around] if around >= 0 else None
        return Site(definition.path, rules, names, source, definition.start_line)

    def owner(self, member: Definition) -> Definition | None:
        names = self.imports.names_of(member)
        around = (names.definitions[ordinal] for ordinal in names.enclosing(member) if ordinal >= 0)
        return next((one for one in around if one.kind in TYPES), None)


def inherited(resolution: Resolution) -> Resolution:
    return Resolution.HIERARCHY if resolution in (Resolution.EXACT, Resolution.IMPORT) else resolution


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
        """Return True if two methods take and give the same, as far as that is known."""
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
        """Return what types below that of a method, or below the receiver's, have in its place."""
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
        """Return what the types above that of a method have under its name."""
        owner = self.evaluator.hierarchy.owner(method)
        value = self.evaluator.members.find_near(owner, method.name, is_super=True) if owner is not None else None
        return [one for one in value.targets if one.kind in FUNCTION_LIKE] if value is not None else ()

    def is_abstract(self, method: Definition) -> bool:
        """Return True if it is declared without a body."""
        names = self.imports.names_of(method)
        return names.ordinals.get(method.identity, -1) in names.abstract
