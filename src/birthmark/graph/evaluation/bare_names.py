"""Evaluate names where each may be a call: `shop.open` calls `open`, and a bare `open` calls that of `self`.

A name that starts in upper case is a constant, which is seen from every file: it is
looked for in the scopes around, then in bases, then at the top. `self` is an instance in a method; it is the type
itself in a type's body, and in methods whose names say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Site, Sort, Value
from birthmark.graph.modules.imports import Hit, Imports
from birthmark.graph.reading.paths import LITERAL, ROOT
from birthmark.graph.reading.references import Binding
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

_SPACES = CLASS_LIKE | {"mod"}
_METHODS = frozenset({"method", "constructor"})
_VARIABLES = frozenset({"parameter", "optional", "rest", "local", "narrowed"})


class BareNames:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def evaluate(self, site: Site, steps: tuple[str, ...], depth: int) -> Value | None:
        """The value of a path: a method in it is called, with parentheses or without."""
        followed_by = (*steps[1:], "")
        if steps[0] == ROOT and len(steps) > 1:
            steps = steps[1:]
            value = self.at_top(site, steps[0])
        else:
            value = self._head(site, steps[0], depth, is_called=followed_by[0].startswith("("))
        value = self.called(site.rules, value, steps[0], depth)
        for step in steps[1:]:
            if value is None:
                return None
            if step[0] != "(":
                value = self.called(site.rules, self.evaluator.steps.step(site.rules, value, step, depth), step, depth)
        return value

    def called(self, rules: ResolutionRules, value: Value | None, name: str, depth: int) -> Value | None:
        """Return what a member gives, which is called if it is a method."""
        if value is None or value.sort is not Sort.DEFINITION:
            return value
        if name in rules.creators:
            return value._replace(sort=Sort.INSTANCE)
        is_method = all(one.kind in FUNCTION_LIKE for one in value.targets)
        return self.evaluator.steps.call(rules, value, depth) if is_method else value

    def _head(self, site: Site, name: str, depth: int, *, is_called: bool) -> Value | None:
        if name == LITERAL:
            return OUTSIDE
        if name == "self":
            return self.receiver(site)
        if site.rules.field_mark and name.startswith(site.rules.field_mark):
            receiver = self.receiver(site)
            instance = receiver and receiver._replace(sort=Sort.INSTANCE)
            return instance and self.evaluator.steps.member(site.rules, instance, name, depth)
        return self.bind(site, name, depth, is_called=is_called)

    def bind(self, site: Site, name: str, depth: int, *, is_called: bool = True) -> Value | None:
        if name[:1].isupper():
            return self._constant(site, name, depth)
        bound = [] if is_called else self._variables(site, name)
        return self.evaluator.variables.value_on_line(site, bound, depth) if bound else self._on_self(site, name, depth)

    def _variables(self, site: Site, name: str) -> list[Binding]:
        """A method does not see the variables around it; a function that a variable holds does."""
        for ordinal in site.names.enclosing(site.source):
            known = [one for one in site.names.values_of(ordinal, name) if one.role in _VARIABLES]
            bound = [one for one in known if not one.until or one.line <= site.line <= one.until]
            if bound:
                return bound
            if ordinal >= 0 and site.names.definitions[ordinal].kind in _SPACES | _METHODS:
                break
        return []

    def _on_self(self, site: Site, name: str, depth: int) -> Value | None:
        """A method of `self`, or a function at the top, which all objects have."""
        receiver = self.receiver(site)
        found = None
        if receiver is not None:
            if name in site.rules.creators and receiver.sort is Sort.DEFINITION:
                return receiver
            found = self.evaluator.steps.member(site.rules, receiver, name, depth)
            if found in (None, OUTSIDE) and site.source is not None and site.source.kind in _SPACES:
                found = self._in_block(site, receiver, name, depth) or found
        if found is None or found is OUTSIDE:
            functions = [one for one in site.names.member("", name) if one.kind == "fn"]
            if functions:
                return Value(Sort.DEFINITION, Resolution.EXACT, tuple(functions))
            hit = self.imports.from_wildcards(site.path, site.rules, name)
            found = self.evaluator.variables.value_of(hit) if hit is not None else found
        return found

    def _in_block(self, site: Site, receiver: Value, name: str, depth: int) -> Value | None:
        """In a type's body only a block can call a method of its instances: `before { open }`."""
        found = self.evaluator.steps.member(site.rules, receiver._replace(sort=Sort.INSTANCE), name, depth)
        return found if found is not None and any(one.kind in _METHODS for one in found.targets) else None

    def receiver(self, site: Site) -> Value | None:
        """Return what `self` is; None at the top of a file."""
        sort = None
        for ordinal in site.names.enclosing(site.source):
            definition = site.names.definitions[ordinal] if ordinal >= 0 else None
            if definition is None:
                break
            if definition.kind in _METHODS and sort is None:
                sort = Sort.DEFINITION if self._is_static(site, definition) else Sort.INSTANCE
            elif definition.kind in _SPACES and definition.name != site.rules.static_prefix[:-1]:
                return Value(sort or Sort.DEFINITION, Resolution.EXACT, (definition,))
        return None

    def _is_static(self, site: Site, method: Definition) -> bool:
        return "." in method.name or f"{method.parent}.".endswith(f".{site.rules.static_prefix}")

    def inherited(self, site: Site) -> Value | None:
        """Return what `super` calls: the method of the same name in the bases."""
        receiver = self.receiver(site)
        method = next(
            (
                site.names.definitions[ordinal]
                for ordinal in site.names.enclosing(site.source)
                if ordinal >= 0 and site.names.definitions[ordinal].kind in _METHODS
            ),
            None,
        )
        if receiver is None or method is None:
            return None
        name = method.name.rpartition(".")[2]
        name = f"{site.rules.static_prefix}{name}" if receiver.sort is Sort.DEFINITION else name
        return self.evaluator.members.find(receiver.targets[0], name, DEEPEST, is_super=True)

    def _constant(self, site: Site, name: str, depth: int) -> Value | None:
        if not self.imports.named(name, site.rules):
            return OUTSIDE
        hit = self.constant_around(site, name)
        receiver = self.receiver(site) if hit is None else None
        if receiver is not None:
            found = self.evaluator.members.find(receiver.targets[0], name, depth)
            if found is not None and found is not OUTSIDE:
                return found
        hit = hit or self.constant_at_top(site, name)
        return self.evaluator.variables.value_of(hit) if hit is not None else None

    def at_top(self, site: Site, name: str) -> Value | None:
        hit = self.constant_at_top(site, name)
        return self.evaluator.variables.value_of(hit) if hit is not None else OUTSIDE

    def constant_at_top(self, site: Site, name: str) -> Hit | None:
        return self._in_scope(site, name, "")

    def constant_around(self, site: Site, name: str) -> Hit | None:
        scopes = scopes_around(site.source.qualified_name if site.source is not None else "")
        return next((hit for scope in scopes if (hit := self._in_scope(site, name, scope)) is not None), None)

    def _in_scope(self, site: Site, name: str, scope: str) -> Hit | None:
        """Return what is defined there in any file; each opening of a type counts."""
        found = [one for one in self.imports.named(name, site.rules) if (one.parent or "") == scope]
        if not found:
            return None
        is_here = all(one.path == site.path for one in found)
        return Hit(Resolution.EXACT if is_here else Resolution.IMPORT, found)
