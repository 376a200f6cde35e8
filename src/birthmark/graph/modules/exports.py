"""Names that modules and namespaces give to others: for imports, and for paths that start at a namespace.

A module may say what it exports by assignments (`module.exports = f`), pass on what it imports, or just define it. Of a
qualified path, the longest part that is defined is found, with the steps that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from birthmark.graph.evaluation.model import DEEPEST, OUTSIDE, Site, Sort, Value, weaker
from birthmark.graph.modules.imports import Hit, Imports
from birthmark.graph.modules.modules import Module
from birthmark.graph.reading.paths import count_names
from birthmark.graph.reading.references import Reference
from birthmark.graph.symbols import Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.model import EXPORTS
from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from birthmark.graph.evaluation.values import Evaluator

Steps = tuple[str, ...]


class Exports:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator

    def imported(self, site: Site, name: str) -> Value | None:
        """Return what the imports around a place bind a name to: the first that is in the repository."""
        values = [self._import_value(site, one) for one in site.names.bound(name, site.source)]
        return next((value for value in values if value is not OUTSIDE), OUTSIDE) if values else None

    def _import_value(self, site: Site, reference: Reference, depth: int = DEEPEST) -> Value:
        """Return what an import binds: what the module says to export under the name, or else what it defines."""
        rules, name = site.rules, reference.name
        is_named = rules.default_name and name not in ("", "*")
        module = self.imports.module(site.path, rules, reference) if is_named else None
        if module is not None:
            value = Value(Sort.MODULE, Resolution.IMPORT, (), module)
            exported = self.exported(rules, value, name, depth)
            if exported is None and name == rules.default_name:
                exported = self.exported(rules, value, "", depth)
            exported = exported or self._passed_on(rules, value, name, depth)
            if exported is not None:
                return exported
        return self.evaluator.variables.value_of(self.imports.follow(site.path, rules, reference))

    def _passed_on(self, rules: ResolutionRules, value: Value, name: str, depth: int) -> Value | None:
        """Return an export of a module that comes from another one."""
        module = value.module
        if module is None or module.path is None or module.scope or not self.imports.answers.reaches(depth):
            return None
        names = self.imports.names(module.path, rules)
        if names.member("", name):
            return None
        site = Site(module.path, rules, names, None, 0)
        passed_on = names.passed_on(name, "")
        if passed_on is not None:
            return self._import_value(site, passed_on, depth - 2)
        for reference in names.wildcards:
            other = value._replace(module=self.imports.module(module.path, rules, reference))
            found = self.exported(rules, other, name, depth - 2) or self._passed_on(rules, other, name, depth - 2)
            if found is not None:
                return found
        return None

    def main_export(self, rules: ResolutionRules, value: Value | None) -> Value | None:
        """Return what a module is when it is called, or named as a type: `module.exports = f`."""
        if value is None or value.sort is not Sort.MODULE:
            return value
        return self.exported(rules, value, "", DEEPEST) or value

    def exported(self, rules: ResolutionRules, value: Value, name: str, depth: int) -> Value | None:
        """Return what a module exports under a name, where it says so by assignments; "" for all of it."""
        module = value.module
        if module is None or module.path is None or module.scope or not self.imports.answers.reaches(depth):
            return None
        names = self.imports.names(module.path, rules)
        bound = names.values_of(EXPORTS, name)
        site = Site(module.path, rules, names, None, 0)
        found = self.evaluator.variables.value(site, bound, depth - 1) if bound else None
        if found is None and name and names.values_of(EXPORTS, ""):
            whole = self.exported(rules, value, "", depth - 1)
            found = self.evaluator.steps.member(rules, whole, name, depth - 1) if whole is not None else None
        return found and found._replace(resolution=weaker(Resolution.IMPORT, found.resolution))

    def in_module(self, rules: ResolutionRules, value: Value, name: str, depth: int) -> Value | None:
        """Return the meaning of a name in a module; the module itself, if it is not known there."""
        assert value.module is not None
        exported = self.exported(rules, value, name, depth)
        if exported is not None:
            return exported
        passed_on = self._passed_on(rules, value, name, depth) if rules.default_name else None
        if passed_on is not None:
            return passed_on
        hit = self.imports.lookup(rules, value.module, name)
        if hit is None and value.module.path is None and value.module.folder is None:
            return None if self.imports.named(name, rules) else OUTSIDE  # Others may add to a namespace.
        if hit is None:
            return value._replace(module=value.module._replace(scope=""))
        return self.evaluator.variables.value_of(hit)

    def in_space(self, value: Value, target: Definition, name: str) -> Value | None:
        """Return the meaning of a name in a module or namespace that is defined inside a file."""
        rules = self.imports.rules(target.language)
        if target.kind == "mod" and (child := self.imports.child_module(rules, Module(target.path), target.name)):
            hit = self.imports.lookup(rules, child, name)
            return self.evaluator.variables.value_of(hit) if hit is not None else None
        whole = Module(None if target.kind == "namespace" else target.path, None, target.qualified_name)
        members = self.imports.members(rules, whole, name)
        if not members and (space := self.imports.namespace(rules, f"{target.qualified_name}.{name}")):
            return Value(Sort.MODULE, value.resolution, (), space)
        return self.evaluator.variables.value_of(Hit(value.resolution, members)) if members else None


def find_rooted(imports: Imports, rules: ResolutionRules, steps: Sequence[str]) -> tuple[Hit, int] | None:
    """Return what is defined in a namespace, and how many steps lead to it."""
    n_names = count_names(steps)
    for n_steps in range(n_names, 0, -1):
        namespace = Module(None, None, rules.separator.join(steps[: n_steps - 1]))
        members = imports.members(rules, namespace, steps[n_steps - 1])
        if members:
            return Hit(Resolution.IMPORT, members), n_steps
    return None


def find_qualified(imports: Imports, site: Site, steps: Steps) -> tuple[Hit, int] | None:
    """`A\\B` where `A` is an imported namespace, or one in that of the file; a bare name is in that of the file."""
    imported = site.names.bound(steps[0], site.source)
    prefix = site.names.namespace
    if imported:
        prefix = site.rules.separator.join(filter(None, [imported[0].receiver, imported[0].name]))
    around = tuple(prefix.split(site.rules.separator)) if prefix else ()
    found = find_rooted(imports, site.rules, (*around, *(steps[1:] if imported else steps)))
    if found is not None and found[1] > len(around):
        return found[0], found[1] - len(around) + bool(imported)
    return None if imported else find_rooted(imports, site.rules, steps)
