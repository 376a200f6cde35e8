"""What a name means where it is mentioned and not called: the definition itself, not what it holds.

To call a variable is to call the function in it, but to read it is to read the variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import OUTSIDE, Site, Sort, Value, weaker
from birthmark.graph.kinds import ALIASES, TYPES
from birthmark.graph.modules.imports import Imports
from birthmark.graph.symbols import Definition
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator


class MentionedNames:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def name(self, site: Site, name: str) -> Value | None:
        """The definition that a bare name means itself, not what it holds."""
        names, scopes = site.names, self.evaluator.scopes
        visible = [*names.visible(site.source, "calls")]
        for ordinal in names.enclosing(site.source):
            definition = names.definitions[ordinal] if ordinal >= 0 else None
            scope = definition.qualified_name if definition else ""
            if definition is not None and scope not in visible and definition.kind not in FUNCTION_LIKE:
                continue
            local = _without_constructors(names.member(scope, name))
            bound = bool(names.values_of(ordinal, name))
            if local or bound:
                may_be_imported = ordinal < 0 and all(one.kind in ALIASES for one in local)
                imported = self._imported_name(site, name) if may_be_imported else None
                return imported or (Value(Sort.DEFINITION, Resolution.EXACT, tuple(local)) if local else None)
        for scope in visible:
            if local := _without_constructors(names.member(scope, name)):
                return Value(Sort.DEFINITION, Resolution.EXACT, tuple(local))
        return self._imported_name(site, name) or scopes.inherited(site, name, 1) or self._from_others(site, name)

    def _from_others(self, site: Site, name: str) -> Value | None:
        hit = self.evaluator.scopes.hit_in_others(site, name)
        if hit is not None and hit.targets:
            return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets), hit.module)
        return self.evaluator.variables.value_of(hit) if hit is not None else None

    def _imported_name(self, site: Site, name: str) -> Value | None:
        hits = [self.imports.follow(site.path, site.rules, one) for one in site.names.bound(name, site.source)]
        found = next((hit for hit in hits if hit.targets), None)
        if found is not None:
            return Value(Sort.DEFINITION, found.resolution, tuple(found.targets), found.module)
        return self.evaluator.exports.imported(site, name)

    def member(self, site: Site, receiver: str, name: str) -> Value | None:
        """The member itself, not what it holds."""
        value = self.evaluator.evaluate(site, receiver)
        if value is None or value.sort in (Sort.EXTERNAL, Sort.COLLECTION):
            return value and OUTSIDE
        if value.sort is Sort.MODULE and value.module is not None:
            hit = self.imports.lookup(site.rules, value.module, name)
            if hit is not None and hit.targets:
                return Value(Sort.DEFINITION, hit.resolution, tuple(hit.targets), hit.module)
        found = {
            member: one.identity == target.identity
            for target in value.targets
            if value.sort is not Sort.DEFINITION or target.kind in TYPES
            for one, members in self._first_members(target, name, is_super=value.sort is Sort.SUPER)
            for member in members
        }
        if found:
            resolution = Resolution.EXACT if all(found.values()) else Resolution.HIERARCHY
            return Value(Sort.DEFINITION, weaker(value.resolution, resolution), tuple(found))
        return self.evaluator.steps.step(site.rules, value, name)

    def _first_members(
        self, target: Definition, name: str, *, is_super: bool
    ) -> Iterable[tuple[Definition, Sequence[Definition]]]:
        for one in self.evaluator.hierarchy.line(target):
            members = self.evaluator.members.named(one, name)
            if members and not (is_super and one.identity == target.identity):
                return [(one, members)]
        return []


def _without_constructors(definitions: Sequence[Definition]) -> list[Definition]:
    """A class may have its name in common with its constructor, which is only called."""
    return [one for one in definitions if one.kind != "constructor"]
