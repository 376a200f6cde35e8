"""Evaluate a bare name: bound in a scope around, defined there, inherited, imported, or defined by others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import DEEPEST, Site, Sort, Value
from birthmark.graph.evaluation.variables import bindings_on_line
from birthmark.graph.modules.exports import find_qualified
from birthmark.graph.modules.imports import Hit, Imports, package_of
from birthmark.graph.modules.modules import Module
from birthmark.graph.symbols import ALIASES, TYPES, Definition, scopes_around
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator


class Scopes:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def bind(self, site: Site, name: str, depth: int = DEEPEST) -> Value | None:
        if site.rules.calls_bare:
            return self.evaluator.bare_names.bind(site, name, depth)
        if name in site.rules.own_types:
            return self.evaluator.owners.own(site, name)
        names = site.names
        visible = [*names.visible(site.source, "calls")]
        is_inner = is_inside = True
        for ordinal in names.enclosing(site.source):
            definition = names.definitions[ordinal] if ordinal >= 0 else None
            is_function = definition is not None and definition.kind in FUNCTION_LIKE
            if definition is not None and not is_function and definition.qualified_name not in visible:
                continue
            if is_inside and not is_function:
                is_inside = False
                if inherited := self.inherited(site, name, depth):
                    return inherited
            is_known, value = self._in_scope(site, ordinal, name, depth, is_inner=is_inner)
            if is_known:
                return value
            if inherited := self._seen_in(site, definition, name, depth, is_super=True):
                return inherited  # A class sees what it inherits before what is around it.
            is_inner = is_inner and not is_function
        for scope in visible:
            if members := names.seen(scope, name):
                may_be_imported = all(one.kind in ALIASES for one in members)
                return (may_be_imported and self._imported(site, name)) or _defined(members)
        return self._imported(site, name) or self.from_others(site, name)

    def _in_scope(
        self, site: Site, ordinal: int, name: str, depth: int, *, is_inner: bool
    ) -> tuple[bool, Value | None]:
        """Return True if a name is bound or defined in a definition (-1: the file), and what it means there."""
        names = site.names
        scope = names.definitions[ordinal].qualified_name if ordinal >= 0 else ""
        bound = bindings_on_line(names.bound_in(ordinal, name), site.line, is_inner=is_inner)
        local = names.seen(scope, name)
        solid = [one for one in local if one.kind not in ALIASES]
        if solid and not any(one.line > solid[-1].start_line for one in bound):
            return True, _defined(solid)
        if bound:
            imported = self._imported(site, name) if ordinal < 0 else None
            is_meant = local and not bound[-1].until  # A parameter of an anonymous function hides it.
            value = imported or self.evaluator.variables.value(site, bound, depth)
            return True, value or (_defined(local) if is_meant else None)
        if ordinal >= 0 and local:
            return True, self.evaluator.variables.held(_defined(local))
        if ordinal >= 0 and any(holds_in == scope for holds_in, _ in names.imported.get(name, ())):
            return True, self._imported(site, name)  # what is imported inside a function
        return False, None

    def _imported(self, site: Site, name: str) -> Value | None:
        return self.evaluator.exports.imported(site, name)

    def bind_part(self, site: Site, name: str, part: str, depth: int) -> Value | None:
        """Return what is assigned to a part of a variable, if it is the variable that the name means there."""
        for ordinal in site.names.enclosing(site.source):
            heads, parts = site.names.values_of(ordinal, name), site.names.values_of(ordinal, part)
            inner = [one.line for one in heads if one.until and one.line <= site.line <= one.until]
            if inner:
                parts = [one for one in parts if one.until and one.line >= inner[-1]]
            if heads or parts:
                return self.bind(site, part, depth) if parts else None
        return None

    def inherited(self, site: Site, name: str, depth: int) -> Value | None:
        """A member of the type that `self` means, or of its bases."""
        owner = self.evaluator.owners.owner(site) if site.rules.sees_class else None
        return self._seen_in(site, owner, name, depth)

    def _seen_in(
        self, site: Site, owner: Definition | None, name: str, depth: int, *, is_super: bool = False
    ) -> Value | None:
        """A member of a type that is called by its bare name, where methods see their siblings so."""
        if not site.rules.sees_class or owner is None or owner.kind not in TYPES:
            return None
        found = self.evaluator.members.find(owner, name, depth, is_super=is_super)
        return found if found is not None and any(one.kind != "constructor" for one in found.targets) else None

    def from_others(self, site: Site, name: str) -> Value | None:
        hit = self.hit_in_others(site, name)
        return self.evaluator.variables.value_of(hit) if hit is not None else None

    def hit_in_others(self, site: Site, name: str) -> Hit | None:
        """Return definitions of other files that are seen without an import of each."""
        hit = self._from_namespaces(site, name) if site.rules.has_namespaces else None
        hit = hit or self.imports.from_wildcards(site.path, site.rules, name)
        if hit is None and site.rules.names_namespace and (found := find_qualified(self.imports, site, (name,))):
            hit = found[0]
        if hit is None and site.rules.shares == "folder":
            folder = Module(None, package_of(site.path, site.rules))
            members = self.imports.members(site.rules, folder, name)
            hit = Hit(Resolution.IMPORT, members) if members else None
        if hit is None and site.rules.shares == "all":
            named = [one for one in self.imports.named(name, site.rules) if one.parent is None and one.kind != "impl"]
            hit = Hit(Resolution.IMPORT, named) if len(named) == 1 else None
        return hit

    def _from_namespaces(self, site: Site, name: str) -> Hit | None:
        """Return definitions of other files in the namespaces around a place."""
        inner = site.source.qualified_name if site.source is not None else ""
        around = next((one for one in scopes_around(inner) if site.names.kinds.get(one) == "namespace"), None)
        for scope in scopes_around(around or site.names.namespace):
            if members := self.imports.members(site.rules, Module(None, None, scope), name):
                return Hit(Resolution.IMPORT, members)
        return None


def _defined(definitions: Sequence[Definition]) -> Value:
    return Value(Sort.DEFINITION, Resolution.EXACT, tuple(definitions))
