"""Candidates of a reference, by its name alone, where nothing else is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from posixpath import dirname

from birthmark.graph.answers import Known
from birthmark.graph.evaluation.model import Site
from birthmark.graph.evaluation.values import Evaluator
from birthmark.graph.modules.imports import Imports
from birthmark.graph.reading.references import Reference
from birthmark.graph.symbols import TYPES, Definition
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import EdgeKind

# Uses that are no calls: they may lead to anything that has the name.
MENTIONS = frozenset({EdgeKind.READS, EdgeKind.WRITES, EdgeKind.TYPES, EdgeKind.DECORATES, EdgeKind.EXPORTS})
_MEMBERS = frozenset({"method", "constructor", "field", "member"})
_VALUES = frozenset({"var", "const", "field"})
# What an edge may lead to: of several definitions those of the first set that holds any.
_CALLED = (frozenset({"fn", "method", "class", "struct", "macro"}), TYPES | {"typedef", "member"}, _VALUES)
_FITTING = {
    "calls": (_CALLED[0] | {"constructor"}, *_CALLED[1:]),
    "bare": _CALLED,  # `C()` means the class, not the constructor of that name in it.
    "bases": (TYPES, frozenset({"typedef"}), frozenset({"mod", "namespace"}) | _VALUES),
}


class Candidates:
    def __init__(self, imports: Imports, evaluator: Evaluator) -> None:
        self.imports, self.evaluator = imports, evaluator
        self.known: Known = {}
        self.known_owners: Known = {}

    def of(self, site: Site, reference: Reference) -> tuple[Definition, ...]:
        receiver, edge, name = reference.receiver, reference.edge, reference.name
        if receiver is None:
            return self._bare(site, reference)
        may_be_foreign = receiver[:1].isupper() and receiver.isidentifier()
        may_be_foreign = may_be_foreign and not site.names.is_bound(site.source, receiver)
        is_foreign = may_be_foreign and self.evaluator.scopes.bind(site, receiver) is None
        last = receiver.rpartition(".")[2]
        last = last if last in self._owners(site, bare_name(name, site.rules)) else ""
        key = (site.rules, edge, name, last, is_foreign, _is_bundle(site.path, site.rules.bundle_paths))
        arguments = site, reference, last, is_foreign
        return self.imports.answers.once(self.known, key, self._members, *arguments) or ()

    def _owners(self, site: Site, name: str) -> frozenset[str]:
        """The simple names of what has members of a name. Other receivers have the same candidates, all of them."""
        key = (site.rules, name, _is_bundle(site.path, site.rules.bundle_paths))
        return self.imports.answers.once(self.known_owners, key, self._find_owners, site, name) or frozenset()

    def _find_owners(self, site: Site, name: str) -> frozenset[str]:
        return frozenset(map(_owner_name, self._named(site, name))) - {""}

    def _members(self, site: Site, reference: Reference, last: str, is_foreign: bool) -> tuple[Definition, ...]:
        named = self._named(site, bare_name(reference.name, site.rules))
        is_narrowed = reference.edge == "calls" or reference.edge in MENTIONS
        has_modules = bool(site.rules.binds or site.rules.default_name)  # which variables may hold
        named = _members_of(named, last, is_foreign, has_modules) if is_narrowed else named
        return ordered(self.imports.definitions_of(fitting(named, reference, site.rules)))

    def _bare(self, site: Site, reference: Reference) -> tuple[Definition, ...]:
        """Those in the same folder, or else all; none where a name that the file does not know must be built in."""
        rules, folder, name = site.rules, dirname(site.path), reference.name
        is_shared = rules.shares == "scripts"
        is_closed = rules.is_closed and not rules.macro_mark and (site.names.imported or not is_shared)
        if is_closed or site.names.is_bound(site.source, name):
            return ()
        key = (site.rules, reference.edge, name, folder, _is_bundle(site.path, rules.bundle_paths))
        return self.imports.answers.once(self.known, key, self._near, site, reference, folder) or ()

    def _near(self, site: Site, reference: Reference, folder: str) -> tuple[Definition, ...]:
        rules = site.rules
        named = self._named(site, bare_name(reference.name, rules))
        is_open = rules.sees_class and reference.edge not in MENTIONS
        barred = frozenset() if is_open else _MEMBERS - {"method"} if rules.hides_receivers else _MEMBERS
        named = [one for one in named if one.kind not in barred and not (rules.shares == "scripts" and one.parent)]
        if rules.is_closed and rules.macro_mark:
            named = [one for one in named if one.kind == "macro"]
        named = [one for one in named if dirname(one.path) == folder] or named
        return ordered(self.imports.definitions_of(fitting(named, reference, rules)))

    def _named(self, site: Site, name: str) -> list[Definition]:
        """All of a name, but those in bundles only for a bundle."""
        named, bundles = self.imports.named(name, site.rules), site.rules.bundle_paths
        if _is_bundle(site.path, bundles):
            return named
        return [one for one in named if not _is_bundle(one.path, bundles)] if bundles else named


@lru_cache(1 << 14)
def _is_bundle(path: str, bundle_paths: str) -> bool:
    return bool(bundle_paths) and re.search(bundle_paths, path) is not None


def _members_of(named: list[Definition], last: str, is_foreign: bool, has_modules: bool) -> list[Definition]:
    """Return members called with their owner's name, of classes the file does not know; else methods, else any.

    What no type has may be that of a module.
    """
    own = [one for one in named if last and _owner_name(one) == last]
    if own or is_foreign:
        return own
    return [one for one in named if one.kind in _MEMBERS] or [one for one in named if one.parent or has_modules]


def _owner_name(definition: Definition) -> str:
    return definition.parent.rpartition(".")[2] if definition.parent else ""


def fitting(definitions: Sequence[Definition], reference: Reference, rules: ResolutionRules) -> Sequence[Definition]:
    role = (
        "bases" if reference.edge in ("inherits", "implements") else "bare" if reference.receiver is None else "calls"
    )
    if rules.calls_bare and reference.name == "super":
        role = "calls"
    if reference.edge == "binds" or reference.edge in MENTIONS:
        return definitions
    if rules.macro_mark and reference.edge == "calls":
        is_macro = reference.name.endswith(rules.macro_mark)
        definitions = [one for one in definitions if (one.kind == "macro") == is_macro]
    for kinds in _FITTING[role]:
        if fitting := [one for one in definitions if one.kind in kinds]:
            return fitting
    return ()


def bare_name(name: str, rules: ResolutionRules) -> str:
    return name.removesuffix(rules.macro_mark)


def ordered(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    return tuple(sorted(definitions, key=lambda one: (one.path, one.start_line, one.qualified_name)))
