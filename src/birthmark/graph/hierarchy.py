"""Types and their bases: where a member comes from, and what implements it.

Bases are read where a type is defined and followed across files. The order is depth first, each type once, which is
that of most languages; a base outside the repository is the end of what can be known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.bindings import Binding
from birthmark.graph.imports import Imports, package_of
from birthmark.graph.model import OUTSIDE, Site, Sort, Value
from birthmark.graph.symbols import Definition, FileNames
from birthmark.model import CLASS_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.values import Evaluator

_MOST_TYPES = 400  # above or below one
_VALUES = frozenset({"field", "var", "const", "member"})
_TYPES = CLASS_LIKE - {"impl"}


class Hierarchy:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known_bases: dict[int, tuple[list[Definition], bool]] = {}
        self.known_subtypes: dict[int, list[Definition]] = {}

    def bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        """Those of a type that are in the repository, and whether there are others."""
        if definition.identity not in self.known_bases:
            self.known_bases[definition.identity] = [], False  # while it is being found out
            self.known_bases[definition.identity] = self._read_bases(definition)
        return self.known_bases[definition.identity]

    def _read_bases(self, definition: Definition) -> tuple[list[Definition], bool]:
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        around = next((one for one in names.enclosing(definition) if one != names.ordinals[definition.identity]), -1)
        source = names.definitions[around] if around >= 0 else None
        site = Site(definition.path, rules, names, source, definition.start_line)
        found: list[Definition] = []
        is_open = False
        for path in names.bases.get(names.ordinals[definition.identity], ()):
            value = self.evaluator.main_export(rules, self.evaluator.evaluate(site, path))
            types = [one for one in value.targets if one.kind in _TYPES] if value is not None else []
            found += [one for one in types if one.identity != definition.identity]
            is_open = is_open or not types
        for base in names.values.get((names.ordinals[definition.identity], ""), ()):
            if base.role == "base":
                found += self._extended(site, base, definition)
        for base in names.values.get((around, f"{definition.name}.*"), ()):
            found += self._extended(site, base, definition)
        return found, is_open

    def _extended(self, site: Site, base: Binding, definition: Definition) -> list[Definition]:
        """An object, or function, whose members another one takes over."""
        value = self.evaluator.main_export(site.rules, self.evaluator.evaluate(site, base.value))
        return [one for one in value.targets if one.identity != definition.identity] if value is not None else []

    def line(self, definition: Definition) -> Iterator[Definition]:
        """A type and all above it."""
        seen = {definition.identity}
        stack = [definition]
        while stack and len(seen) < _MOST_TYPES:
            one = stack.pop()
            yield one
            fresh = [base for base in self.bases(one)[0] if base.identity not in seen]
            seen |= {base.identity for base in fresh}
            stack += reversed(fresh)

    def member(self, definition: Definition, name: str, depth: int, *, is_super: bool = False) -> Value | None:
        """Of the first type in line that has it; what is outside, if a base is and none has it."""
        is_open = False
        for one in self.line(definition):
            is_own = one.identity == definition.identity
            found = None if is_own and is_super else self.own_member(one, name, depth)
            if found is not None:
                return found if is_own else found._replace(resolution=_inherited(found.resolution))
            is_open = is_open or self.bases(one)[1]
        return OUTSIDE if is_open else None

    def field(self, definition: Definition, name: str) -> Value | None:
        """The variable that the first type in line has under a name."""
        for one in self.line(definition):
            if members := self.members(one, name):
                if any(member.kind not in _VALUES for member in members):
                    return None
                is_own = one.identity == definition.identity
                return Value(Sort.DEFINITION, Resolution.EXACT if is_own else Resolution.HIERARCHY, tuple(members[:1]))
        return None

    def own_member(self, definition: Definition, name: str, depth: int) -> Value | None:
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        members = self.members(definition, name)
        solid = [one for one in members if one.kind not in _VALUES]
        if solid:
            return Value(Sort.DEFINITION, Resolution.EXACT, tuple(solid))
        ordinal = names.ordinals.get(definition.identity, -1)
        held = (
            self.evaluator.field(definition.path, definition.language, ordinal, name, depth - 1) if depth > 0 else None
        )
        if held is not None:
            return held
        if depth > 0 and (getters := names.member(definition.qualified_name, f"get:{name}")):
            return self.evaluator.call(rules, Value(Sort.DEFINITION, Resolution.EXACT, tuple(getters)), depth - 1)
        assigned = self._assigned(definition, names, name, depth)
        if assigned is not None:
            return assigned
        return Value(Sort.DEFINITION, Resolution.EXACT, tuple(members)) if members else None

    def _assigned(self, definition: Definition, names: FileNames, name: str, depth: int) -> Value | None:
        """A part that is assigned from outside: `x.part = f`."""
        part = f"{definition.name}.{name}"
        if depth <= 0 or part not in names.bound_names:
            return None
        around = next((one for one in names.enclosing(definition) if one != names.ordinals[definition.identity]), -1)
        return self.evaluator.field(definition.path, definition.language, around, part, depth - 1)

    def members(self, definition: Definition, name: str) -> Sequence[Definition]:
        """Those in its file, or else those that other files of its package add."""
        rules = self.imports.rules(definition.language)
        here = self.imports.names(definition.path, rules).member(definition.qualified_name, name)
        if here or not rules.open_types:
            return here
        package = package_of(definition.path, rules)
        named = [one for one in self.imports.named(name, rules) if one.parent == definition.qualified_name]
        return [one for one in named if package_of(one.path, rules) == package] or named

    def has_members(self, definition: Definition) -> bool:
        rules = self.imports.rules(definition.language)
        return bool(self.imports.names(definition.path, rules).members.get(definition.qualified_name))

    def subtypes(self, definition: Definition) -> list[Definition]:
        """All types below one."""
        if definition.identity not in self.known_subtypes:
            found: dict[int, Definition] = {}
            fresh = [definition]
            while fresh and len(found) < _MOST_TYPES:
                one = fresh.pop()
                for _, subtype, _ in self.imports.symbols.bases_named(one.name):
                    bases = {base.identity for base in self.bases(subtype)[0]}
                    if subtype.identity not in found and one.identity in bases:
                        found[subtype.identity] = subtype
                        fresh.append(subtype)
            self.known_subtypes[definition.identity] = list(found.values())
        return self.known_subtypes[definition.identity]


def _inherited(resolution: Resolution) -> Resolution:
    return Resolution.HIERARCHY if resolution in (Resolution.EXACT, Resolution.IMPORT) else resolution
