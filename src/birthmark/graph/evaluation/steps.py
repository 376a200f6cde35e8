"""Take a step of a path from a value: a call, a member, an element, an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Sort, Value, joined, weaker
from birthmark.graph.evaluation.path_heads import SUPERS
from birthmark.graph.file_names import SELVES
from birthmark.graph.modules.imports import Imports
from birthmark.graph.reading.references import DECLARED_RESULT
from birthmark.graph.symbols import NAMED_TYPES, SPACES, TYPES, Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

_POINTED = frozenset({"get", "lock", "release", "value"})
POINTER_MEMBERS = _POINTED | {"reset", "swap", "use_count", "expired", "has_value", "value_or", "emplace"}
_INSTANTIATED = NAMED_TYPES | FUNCTION_LIKE


class ValueSteps:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def step(self, rules: ResolutionRules, value: Value, step: str, depth: int = DEEPEST) -> Value | None:
        if value.sort is Sort.EXTERNAL:
            return value
        if step == "*":
            return Value(Sort.COLLECTION, value.resolution, (), None, value)
        if step == "^":
            return Value(Sort.POINTER, value.resolution, (), None, value)
        if step[0] == "[":
            return self._element(rules, value, step[1:-1], depth)
        if step == "{}" and value.sort in (Sort.COLLECTION, Sort.POINTER):
            return value  # another name of a collection
        if step == "{}":
            value = self.evaluator.exports.main_export(rules, value) or value
            kinds = _INSTANTIATED | (SPACES if rules.mixes_modules else frozenset())
            types = tuple(one for one in value.targets if one.kind in kinds)
            return value._replace(sort=Sort.INSTANCE, targets=types) if types else None
        if step[0] == "(":
            return self.call(rules, value, depth)
        return self.member(rules, value, step, depth)

    def _element(self, rules: ResolutionRules, value: Value, key: str, depth: int) -> Value | None:
        """Return an element: that of a key, "" for any."""
        if self._is_array(rules, value, depth):
            return value
        if value.sort is Sort.COLLECTION:
            return next((part for known, part in reversed(value.parts) if known == key), value.element)
        if rules.keys_are_members and key.startswith('"'):
            return self.member(rules, value, key.strip('"'), depth)
        if value.sort is not Sort.INSTANCE:
            return value.element
        if key or not rules.iterators:
            return self.member(rules, value, "[]", depth)
        given: Value | None = value
        for method in rules.iterators:
            if given is not None and given.sort is Sort.INSTANCE:
                found = self.member(rules, given, method, depth)
                given = self.call(rules, found, depth - 1) if found is not None else None
        return given.element if given is not None and given.sort is Sort.COLLECTION else given

    def _is_array(self, rules: ResolutionRules, value: Value, depth: int) -> bool:
        """Return True if it is a pointer to the first of several."""
        if not rules.indexes_pointers or value.sort is not Sort.INSTANCE:
            return False
        return all(self.evaluator.members.find(one, "operator[]", depth) is None for one in value.targets)

    def call(self, rules: ResolutionRules, value: Value, depth: int = DEEPEST) -> Value | None:
        """Return the result of calling it."""
        if value.sort in (Sort.SUPER, Sort.POINTER):
            return value
        if value.sort is Sort.MODULE and value.module is not None and value.module.path is not None:
            exported = self.evaluator.exports.exported(rules, value, "", depth)
            return self._call_further(rules, exported, depth)
        if value.sort is Sort.INSTANCE:
            called = self.member(rules, value, "__call__", depth - 1)
            return self._call_further(rules, called, depth)
        if value.sort is not Sort.DEFINITION:
            return None
        types = tuple(one for one in value.targets if one.kind in NAMED_TYPES)
        if types:
            return value._replace(sort=Sort.INSTANCE, targets=types)
        owners = [self.evaluator.hierarchy.owner(one) for one in value.targets if one.kind == "member"]
        if owners and owners[0] is not None:
            return value._replace(sort=Sort.INSTANCE, targets=(owners[0],))
        return self._result(value, depth)

    def _call_further(self, rules: ResolutionRules, value: Value | None, depth: int) -> Value | None:
        if value is None or not self.imports.answers.reaches(depth):
            return None
        return self.call(rules, value, depth - 1)

    def _result(self, value: Value, depth: int) -> Value | None:
        """Return the results of functions; of a type, an instance."""
        results: dict[Value, None] = {}
        signatures = [one for target in value.targets for one in self.imports.signatures_of(target)]
        for target in (*signatures, *value.targets):
            names = self.imports.names_of(target)
            ordinal = names.ordinals[target.identity]
            found = self._given(target, ordinal, depth - 1)
            is_declared = any(one.value.endswith("}") for one in names.values_of(ordinal, ""))
            if found is None and not is_declared and self.evaluator.members.has_any(target):
                found = Value(Sort.INSTANCE, value.resolution, (target,))  # a function that is called with `new`
            if found is not None:
                results[found._replace(resolution=weaker(value.resolution, found.resolution))] = None
        return joined(results)

    def _given(self, function: Definition, ordinal: int, depth: int) -> Value | None:
        """The declared result where it is in the repository, or else what is returned."""
        declared = self.evaluator.variables.field(function, ordinal, DECLARED_RESULT, depth)
        if declared not in (None, OUTSIDE):
            return declared
        return self.evaluator.variables.field(function, ordinal, "", depth) or declared

    def member(self, rules: ResolutionRules, value: Value, name: str, depth: int = DEEPEST) -> Value | None:
        if value.sort is Sort.EXTERNAL:
            return value
        if value.sort is Sort.COLLECTION and name == "find":
            return None
        if value.sort is Sort.COLLECTION:
            parts = value.parts if rules.keys_are_members else ()
            return next((part for key, part in reversed(parts) if key == f'"{name}"'), OUTSIDE)
        if value.sort is Sort.POINTER and value.element is not None:
            if name in POINTER_MEMBERS:
                return value if name in _POINTED else OUTSIDE
            return self.member(rules, value.element, name, depth)
        if value.sort is Sort.MODULE:
            return self.evaluator.exports.in_module(rules, value, name, depth)
        is_type = value.sort is Sort.DEFINITION and all(one.kind in TYPES for one in value.targets)
        if is_type and (name in SELVES or name in SUPERS):
            return self._outer(value, name)
        if name in rules.type_members and value.sort is Sort.INSTANCE:
            return value._replace(sort=Sort.DEFINITION)
        if name in rules.creators and value.sort is Sort.DEFINITION:
            return value
        if name in rules.calling_members and value.is_function:
            return value
        if name == rules.instance_member and value.sort is Sort.DEFINITION:
            return value._replace(sort=Sort.INSTANCE)
        found: dict[Value, None] = {}
        for target in value.targets:
            one = self._member_of(value, target, name, depth)
            if one is not None:
                found[one] = None
        return joined(found)

    def _outer(self, value: Value, name: str) -> Value:
        """`Outer.this`, `Outer.super` and `Interface.super`: of an interface, its own method is meant."""
        is_super = name in SUPERS and value.targets[0].kind != "interface"
        return value._replace(sort=Sort.SUPER if is_super else Sort.INSTANCE)

    def _member_of(self, value: Value, target: Definition, name: str, depth: int) -> Value | None:
        rules = self.imports.rules(target.language)
        if target.kind in SPACES and not rules.mixes_modules:
            return self.evaluator.exports.in_space(value, target, name)
        if value.sort is Sort.DEFINITION and not name[:1].isupper():
            name = f"{rules.static_prefix}{name}"
        one = self.evaluator.members.find(target, name, depth, is_super=value.sort is Sort.SUPER)
        if one is None and target.kind == "member" and (owner := self.evaluator.hierarchy.owner(target)) is not None:
            one = self.evaluator.members.find(owner, name, depth)  # a constant of an enumeration
        if one is None or one is OUTSIDE:
            return one
        return one._replace(resolution=weaker(value.resolution, one.resolution))

    def unwrapped(self, rules: ResolutionRules, value: Value, step: str) -> Value | None:
        """Return what a member of a wrapper or a collection gives, which says no more of it than that."""
        if value.sort not in (Sort.INSTANCE, Sort.COLLECTION):
            return None
        return value.element if step in rules.element_members else value if step in rules.same_members else None
