"""The members of types: their own, those of their bases, and those that other places add to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from birthmark.graph.answers import Known
from birthmark.graph.evaluation.hierarchy import ALL_KNOWN, MOST_TYPES, OUTSIDE_BASE, UNKNOWN_BASE, inherited
from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Site, Sort, Value
from birthmark.graph.modules.imports import Imports, package_of
from birthmark.graph.reading.paths import steps_of
from birthmark.graph.symbols import ALIASES, VALUES, Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

_ABSTRACT = frozenset({"trait", "interface"})
_EXTENDED = re.compile(r"(?:^.* for |^)[&*]?(?:mut )?([\w:]+)")  # the type in the name of an extension


class Members:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known: Known = {}
        self.known_extended: Known = {}

    def find(self, definition: Definition, name: str, depth: int, *, is_super: bool = False) -> Value | None:
        """Of the first type in line that has it; what is outside, if a base is and none has it."""
        key = definition.identity, name, is_super, min(depth, DEEPEST // 2)
        return self.imports.answers.once(self.known, key, self._find, definition, name, depth, is_super)

    def find_near(self, definition: Definition, name: str, *, is_super: bool = False) -> Value | None:
        """The same, without what has to be followed."""
        key = definition.identity, name, is_super, 1
        return self.imports.answers.bounded(self.known, key, self._find, definition, name, 1, is_super)

    def _find(self, definition: Definition, name: str, depth: int, is_super: bool) -> Value | None:
        others = ALL_KNOWN
        skips_traits = self.imports.rules(definition.language).skips_traits
        line = self.evaluator.hierarchy.line(definition)
        for one in line:
            is_own = one.identity == definition.identity
            is_passed = is_super and (is_own or (skips_traits and one.kind == "trait"))
            found = None if is_passed else self._own(one, name, depth)
            if found is not None:
                return found if is_own else found._replace(resolution=inherited(found.resolution))
            others = max(others, self.evaluator.hierarchy.bases(one)[1])
        added = (self._added_member(one, name) for one in line)
        is_outside = others == OUTSIDE_BASE or (is_super and others != UNKNOWN_BASE)
        return next((one for one in added if one is not None), OUTSIDE if is_outside else None)

    def _own(self, definition: Definition, name: str, depth: int) -> Value | None:
        rules = self.imports.rules(definition.language)
        names = self.imports.names(definition.path, rules)
        members = self.named(definition, name)
        aliases = self._aliases(definition, name)
        if aliases and self.imports.answers.reaches(depth):
            delegated = self._delegated(definition, steps_of(aliases[-1]), depth - 1)
            return delegated or (Value(Sort.DEFINITION, Resolution.EXACT, tuple(members)) if members else None)
        solid = [one for one in members if one.kind not in ALIASES]
        if solid:
            return Value(Sort.DEFINITION, Resolution.EXACT, tuple(solid))
        if self.imports.answers.reaches(depth):
            held = self._own_field(definition, name, depth - 1, is_marked=bool(members and rules.field_mark))
            if held is not None:
                return held
            if getters := names.member(definition.qualified_name, f"get:{name}"):
                getter = Value(Sort.DEFINITION, Resolution.EXACT, tuple(getters))
                return self.evaluator.steps.call(rules, getter, depth - 1)
            if assigned := self._assigned(definition, name, depth - 1):
                return assigned
        return Value(Sort.DEFINITION, Resolution.EXACT, tuple(members)) if members else None

    def _aliases(self, definition: Definition, name: str) -> list[str]:
        """The paths that a type gives another name."""
        names = self.imports.names_of(definition)
        bound = names.values_of(names.ordinals.get(definition.identity, -1), name)
        return [one.value for one in bound if one.role == "alias"]

    def _delegated(self, definition: Definition, steps: Sequence[str], depth: int) -> Value | None:
        """Another name of a member, or of one that another member's object has: `delegate :name, to: :receiver`."""
        if len(steps) <= 1:  # none where the name is an operator
            return self.find(definition, steps[0], depth) if steps else None
        rules = self.imports.rules(definition.language)
        value: Value | None = Value(Sort.INSTANCE, Resolution.EXACT, (definition,))
        for step in steps[:-1]:
            found = self.evaluator.steps.step(rules, value, step, depth) if value is not None else None
            value = self.evaluator.bare_names.called(rules, found, step, depth)
        found = self.evaluator.steps.step(rules, value, steps[-1], depth) if value is not None else None
        return found if found is not OUTSIDE else None

    def _own_field(self, definition: Definition, name: str, depth: int, *, is_marked: bool = False) -> Value | None:
        """Return what a variable of a type holds, which may have a mark in the type itself."""
        ordinal = self.imports.names_of(definition).ordinals.get(definition.identity, -1)
        held = self.evaluator.variables.field(definition, ordinal, name, depth)
        if held is not None or not is_marked:
            return held
        mark = self.imports.rules(definition.language).field_mark
        return self.evaluator.variables.field(definition, ordinal, f"{mark}{name}", depth)

    def _assigned(self, definition: Definition, name: str, depth: int) -> Value | None:
        """A part that is assigned from outside: `x.part = f`."""
        names, part = self.imports.names_of(definition), f"{definition.name}.{name}"
        is_bound = part in names.bound_names
        return self.evaluator.variables.field(definition, names.outer(definition), part, depth) if is_bound else None

    def field(self, definition: Definition, name: str, *, is_alias: bool = False) -> Value | None:
        """The variable that the first type in line has under a name, maybe by another name of it."""
        for one in self.evaluator.hierarchy.line(definition):
            if members := self.named(one, name):
                if any(member.kind not in VALUES for member in members):
                    return None
                if aliases := self._aliases(one, name):
                    return None if is_alias else self.field(definition, aliases[-1], is_alias=True)
                is_own = one.identity == definition.identity
                return Value(Sort.DEFINITION, Resolution.EXACT if is_own else Resolution.HIERARCHY, tuple(members[:1]))
        return None

    def held(self, definition: Definition, name: str, depth: int) -> Value | None:
        """Return the value of a variable of a type or its bases, even if a method has the same name."""
        for one in self.evaluator.hierarchy.line(definition):
            found = self._own_field(one, name, depth - 1)
            if found is not None:
                return found
        return None

    def named(self, definition: Definition, name: str) -> Sequence[Definition]:
        """Those in its file, or else those that other files of its package add."""
        rules = self.imports.rules(definition.language)
        if rules.static_prefix and name.startswith(rules.static_prefix):
            return self._static(definition, name, rules)
        if definition.kind == "impl":
            inside = self.imports.names(definition.path, rules).by_name.get(name, ())
            first, last = definition.start_line, definition.end_line
            return [one for one in inside if first <= one.start_line and one.end_line <= last]
        names = self.imports.names(definition.path, rules)
        here = names.member(definition.qualified_name, name)
        if not here and rules.companion:
            here = names.member(f"{definition.qualified_name}.{rules.companion}", name)
        if not here and rules.setter_mark and name.endswith(rules.setter_mark):
            named = self.named(definition, name.removesuffix(rules.setter_mark))
            here = [one for one in named if one.kind in VALUES]
        if not rules.open_types or (here and not rules.has_namespaces and rules.shares != "all"):
            return here
        named = self.imports.named(name, rules)
        others = [one for one in named if one.parent == definition.qualified_name and one.path != definition.path]
        return [*here, *self._added(definition, others)] or [one for one in named if self._extends(one, definition)]

    def has_any(self, definition: Definition) -> bool:
        rules = self.imports.rules(definition.language)
        return bool(self.imports.names(definition.path, rules).members.get(definition.qualified_name))

    def _static(self, definition: Definition, name: str, rules: ResolutionRules) -> Sequence[Definition]:
        """Those of the type itself, wherever it is opened; of a module all, since types take them over."""
        bare = name.removeprefix(rules.static_prefix)
        own, inner = definition.qualified_name, f"{definition.qualified_name}.{rules.static_prefix[:-1]}"
        prefixed = [*self.imports.named(name, rules), *self.imports.named(f"{definition.name}.{bare}", rules)]
        found = [one for one in prefixed if one.parent == own]
        found += [one for one in self.imports.named(bare, rules) if one.parent == inner]
        if not found and definition.kind == "mod":
            passed_on = [one for one in self.imports.named(bare, rules) if one.parent == f"{own}.{rules.static_module}"]
            return passed_on or self.named(definition, bare)
        return found

    def _added(self, definition: Definition, members: list[Definition]) -> list[Definition]:
        """Those that other files add to a type, not those of another type of its name."""
        rules = self.imports.rules(definition.language)
        added = [one for one in members if self._is_added(one, definition, rules)]
        package = package_of(definition.path, rules)
        near = [one for one in added if package_of(one.path, rules) == package]
        return added if rules.shares == "all" else near or added

    def _is_added(self, member: Definition, definition: Definition, rules: ResolutionRules) -> bool:
        """Return True if a type that a member is added to is this one, not one of the same name."""
        names = self.imports.names(member.path, rules)
        if self.evaluator.hierarchy.owner(member) is not None:
            return rules.has_namespaces  # The type is opened again there, or it is another one.
        value = self.evaluator.scopes.bind(Site(member.path, rules, names, None, 0), definition.name)
        return value is None or any(one.identity == definition.identity for one in value.targets)

    def _extends(self, function: Definition, definition: Definition) -> bool:
        """Return True if a function says of itself that it is used as a member of a type."""
        rules = self.imports.rules(function.language)
        names = self.imports.names(function.path, rules)
        path = names.extended.get(names.ordinals[function.identity])
        if path is None:
            return False
        site = Site(function.path, rules, names, function, function.start_line)
        answers = self.imports.answers
        value = answers.once(self.known_extended, function.identity, self.evaluator.evaluate, site, path)
        return value is not None and any(one.identity == definition.identity for one in value.targets)

    def _added_member(self, definition: Definition, name: str) -> Value | None:
        """Of a base that a type has only where it is extended: by `impl Base for Type`, or an extension."""
        rules = self.imports.rules(definition.language)
        named = self.imports.named(name, rules) if rules.open_types else []
        for one in named if len(named) <= MOST_TYPES else ():
            owner = self.type_of(one)
            if owner is not None and owner.kind in _ABSTRACT and self._is_extended(definition, owner):
                return Value(Sort.DEFINITION, Resolution.HIERARCHY, (one,))
        return None

    def _is_extended(self, definition: Definition, base: Definition) -> bool:
        """Return True if a type gets the base by an extension of it."""
        for _, extension, _ in self.imports.bases_named(base.name):
            name = _EXTENDED.search(extension.name) if extension.kind == "impl" else None
            if name is None:
                continue
            site = self.evaluator.hierarchy.site_of(extension)
            value = self.evaluator.evaluate(site, name[1].replace("::", "."))
            is_extended = value is not None and definition in value.targets
            if is_extended and base in self.evaluator.hierarchy.bases(extension)[0]:
                return True
        return False

    def type_of(self, member: Definition) -> Definition | None:
        """The type that has a member, also where that is not inside it."""
        rules = self.imports.rules(member.language)
        site = Site(member.path, rules, self.imports.names(member.path, rules), member, 0)
        return self.evaluator.owners.owner(site) if member.parent else None
