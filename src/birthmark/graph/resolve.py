"""Find the far end of a reference in a snapshot.

Takes the Symbols of a snapshot and a Reference; gives a ResolvedReference. Nothing of it is stored, so no edge can
point at what is gone. What is sure comes first: a definition in the same file, then one that an import leads to; only
then are all definitions of that name candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from posixpath import dirname
from typing import NamedTuple

from birthmark.graph.hierarchy import inherited
from birthmark.graph.imports import Hit, Imports, RulesOf
from birthmark.graph.kinds import TYPES
from birthmark.graph.model import Site, Sort, Value
from birthmark.graph.modules import Modules
from birthmark.graph.namespaces import find_qualified
from birthmark.graph.paths import ROOT, UNKNOWN, steps_of
from birthmark.graph.references import Reference
from birthmark.graph.symbols import Definition, Symbols
from birthmark.graph.values import Evaluator
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import EdgeKind, Resolution

# Uses that are no calls: they may lead to anything that has the name.
MENTIONS = frozenset({EdgeKind.READS, EdgeKind.WRITES, EdgeKind.TYPES, EdgeKind.DECORATES, EdgeKind.EXPORTS})
_MEMBERS = frozenset({"method", "constructor", "field", "member"})
_VALUES = frozenset({"var", "const", "field"})
_MOST_BASES = 20
# What an edge may lead to: of several definitions those of the first set that holds any.
_CALLED = (frozenset({"fn", "method", "class", "struct", "macro"}), TYPES | {"typedef", "member"}, _VALUES)
_FITTING = {
    "calls": (_CALLED[0] | {"constructor"}, *_CALLED[1:]),
    "bare": _CALLED,  # `C()` means the class, not the constructor of that name in it.
    "bases": (TYPES, frozenset({"typedef"}), frozenset({"mod", "namespace"}) | _VALUES),
}


class ResolvedReference(NamedTuple):
    """One target where it is sure, candidates by name; a mere path for a module, or for what it makes at run time.

    The path is that of a file, or of a folder where a folder is one package. What is called on something unknown may be
    outside of the repository as well, so a candidate for it is not claimed, even if it is the only one.
    """

    resolution: Resolution
    targets: tuple[Definition, ...] = ()
    path: str | None = None
    is_claimed: bool = True
    declaration: tuple[Definition, ...] = ()  # of a dispatch: the method without a body that the targets implement

    @property
    def claimed(self) -> tuple[Definition, ...]:
        """What it leads to: one definition, or all implementations of one."""
        is_one = len(self.targets) == 1 or self.resolution is Resolution.DISPATCH
        return self.targets if self.is_claimed and is_one else ()


class Resolver:
    """Resolves the references of one snapshot; it caches its answers, so a new snapshot needs a new one."""

    def __init__(self, symbols: Symbols, rules_of: RulesOf, modules: Modules | None = None) -> None:
        self.imports = Imports(symbols, rules_of, modules)
        self.evaluator = Evaluator(self.imports)
        self.known: dict[tuple[object, ...], ResolvedReference] = {}
        self.candidates: dict[tuple[object, ...], tuple[Definition, ...]] = {}

    def resolve(self, path: str, language: str, source: Definition | None, reference: Reference) -> ResolvedReference:
        rules = self.imports.rules(source.language if source else language)
        if reference.edge == "imports":
            hit = self.imports.follow(path, rules, reference)
            return self._resolved(hit, [target for target in hit.targets if target.kind != "impl"])
        names = self.imports.names(path, rules)
        identity = source.identity if source is not None else None
        line = reference.line if names.has_values(reference) else 0
        key = (path, rules, identity, line, reference.name, reference.receiver, reference.edge, reference.n_arguments)
        if key not in self.known:
            self.known[key] = self._resolve(Site(path, rules, names, source, reference.line), reference)
        return self.known[key]

    def _resolve(self, site: Site, reference: Reference) -> ResolvedReference:
        value = self._evaluate(site, reference)
        if value is None:
            candidates = self._by_name(site, reference)
            resolution = Resolution.NAME if candidates else Resolution.UNRESOLVED
            may_be_member = site.rules.hides_receivers and any(one.parent for one in candidates)
            is_unsure = site.rules.declares_first or site.rules.calls_bare or may_be_member
            is_claimed = reference.receiver is None and not is_unsure
            return ResolvedReference(resolution, candidates, is_claimed=is_claimed)
        if value.sort is Sort.EXTERNAL:
            return ResolvedReference(Resolution.EXTERNAL)
        if value.sort is Sort.INSTANCE and reference.edge == "calls":
            called = self.evaluator.steps.member(site.rules, value, "__call__")
            if called is None or not called.targets:
                return ResolvedReference(Resolution.UNRESOLVED)
            return ResolvedReference(value.resolution, called.targets)
        if value.sort is not Sort.DEFINITION and reference.edge in MENTIONS:
            return ResolvedReference(Resolution.UNRESOLVED)
        targets: Sequence[Definition] = self._macros(value, reference, site.rules)
        targets = targets or _fitting(value.targets, reference, site.rules)
        if reference.edge == "calls":
            taking = self._taking(targets, reference.n_arguments)
            if targets and not taking:
                return self._not_taking(site, reference, targets)
            if taking and taking[0] not in targets:
                value = value._replace(resolution=inherited(value.resolution))
            targets = self._defined(taking)
        if not value.is_claimed and targets:
            return ResolvedReference(Resolution.NAME, _ordered(targets), is_claimed=False)
        if site.rules.mixes_modules and len(targets) > 1:
            targets = self.evaluator.hierarchy.main_opening(targets)
        place = self.imports.modules.place(value.module)
        if value.targets and not targets:
            return ResolvedReference(Resolution.UNRESOLVED)
        if (
            reference.edge == "calls"
            and len(targets) == 1
            and (found := self._implementing(site, targets[0], reference))
        ):
            return ResolvedReference(Resolution.DISPATCH, found, declaration=tuple(targets))
        if len(targets) > 1:
            is_one_set = value.resolution is Resolution.DISPATCH
            return ResolvedReference(Resolution.DISPATCH if is_one_set else Resolution.NAME, _ordered(targets))
        return ResolvedReference(value.resolution, tuple(targets), place)

    def _resolved(self, hit: Hit, targets: Sequence[Definition]) -> ResolvedReference:
        if len(targets) > 1:
            return ResolvedReference(Resolution.NAME, _ordered(targets))
        if hit.targets and not targets:
            return ResolvedReference(Resolution.UNRESOLVED)
        return ResolvedReference(hit.resolution, tuple(targets), self.imports.modules.place(hit.module))

    def _evaluate(self, site: Site, reference: Reference) -> Value | None:
        name = reference.name.removesuffix(site.rules.macro_mark) if site.rules.macro_mark else reference.name
        if reference.receiver is None:
            if name == "super" and site.rules.calls_bare:
                return self.evaluator.bare_names.inherited(site)
            outer = site
            if reference.edge in ("inherits", "implements") and site.source is not None:
                around = site.names.outer(site.source)
                outer = site._replace(source=site.names.definitions[around] if around >= 0 else None)
            if reference.edge in MENTIONS:
                return self.evaluator.mentioned.name(outer, name)
            is_constructor = site.rules.super_constructs and reference.edge == "calls"
            constructed = self.evaluator.owners.constructed(site, name) if is_constructor else None
            bind = self.evaluator.called.name if outer is site else self.evaluator.scopes.bind
            return constructed or bind(outer, name)
        if reference.receiver == UNKNOWN:
            return None
        if reference.edge in MENTIONS:
            return self.evaluator.mentioned.member(site, reference.receiver, name)
        if reference.receiver.startswith(ROOT) and not site.rules.calls_bare:
            return self.evaluator.evaluate(site, f"{reference.receiver}.{name}")
        if site.rules.names_namespace:
            steps = (*steps_of(reference.receiver), name)
            found = find_qualified(self.imports, site, steps)
            if found is not None and found[1] == len(steps):
                return self.evaluator.variables.value_of(found[0])
        if reference.receiver == ROOT:
            return self.evaluator.bare_names.at_top(site, name)
        if reference.edge == "calls":
            return self.evaluator.called.member(site, reference.receiver, name)
        return self.evaluator.evaluate(site, f"{reference.receiver}.{name}")

    def _macros(self, value: Value, reference: Reference, rules: ResolutionRules) -> list[Definition]:
        """Functions that are called as macros."""
        if not rules.macro_mark or not reference.name.endswith(rules.macro_mark):
            return []
        files = {one.path: self.imports.names(one.path, rules) for one in value.targets}
        return [one for one in value.targets if files[one.path].ordinals[one.identity] in files[one.path].macros]

    def _taking(self, targets: Sequence[Definition], n_arguments: int) -> Sequence[Definition]:
        """Of functions of one name, those that can be called with so many arguments, or else those of a base."""
        if n_arguments < 0 or any(one.kind not in FUNCTION_LIKE for one in targets):
            return targets
        found = targets
        for _ in range(_MOST_BASES):
            if taking := [one for one in found if self._takes(one, n_arguments)]:
                return taking
            is_method = bool(found) and all(one.kind == "method" for one in found)
            found = self.evaluator.implementations.overridden(found[0]) if is_method else ()
        return ()

    def _not_taking(self, site: Site, reference: Reference, targets: Sequence[Definition]) -> ResolvedReference:
        """A function of that name that cannot be called so is another one, unless there can be no other."""
        is_only = len(self.imports.named(_bare(reference.name, site.rules), site.rules)) == 1
        is_claimed = is_only and not self.evaluator.hierarchy.is_open(targets[0])
        return ResolvedReference(Resolution.NAME, _ordered(targets), is_claimed=is_claimed)

    def _defined(self, targets: Sequence[Definition]) -> Sequence[Definition]:
        """A declaration and its definition are one thing in two places."""
        defined = [self.imports.definition_of(one) for one in targets]
        return [*{one.identity: one for one in defined}.values()]

    def _takes(self, target: Definition, n_arguments: int) -> bool:
        names = self.imports.names_of(target)
        ordinal = names.ordinals[target.identity]
        parameters = [one.role for one in names.parameters.get(ordinal, ())]
        least, most = parameters.count("parameter"), 1000 if "rest" in parameters else len(parameters)
        return least - (ordinal in names.extended) <= n_arguments <= most  # What is extended may be the receiver.

    def _implementing(self, site: Site, target: Definition, reference: Reference) -> tuple[Definition, ...]:
        """Those of a method that is declared without a body."""
        implementations = self.evaluator.implementations
        if not implementations.is_abstract(target):
            return ()
        if reference.receiver is None:
            receiver = self.evaluator.owners.owner(site)
        else:
            value = self.evaluator.evaluate(site, reference.receiver)
            receiver = value.targets[0] if value is not None and len(value.targets) == 1 else None
        return _ordered(implementations.of(target, receiver))

    # Candidates

    def _by_name(self, site: Site, reference: Reference) -> tuple[Definition, ...]:
        receiver, edge, name = reference.receiver, reference.edge, reference.name
        if receiver is None:
            return self._bare_candidates(site, reference)
        is_foreign = (
            receiver[:1].isupper() and receiver.isidentifier() and self.evaluator.scopes.bind(site, receiver) is None
        )
        last = receiver.rpartition(".")[2]
        key = (site.rules, edge, name, last, is_foreign, _is_bundle(site.path, site.rules.bundle_paths))
        if key not in self.candidates:
            named = self._named(site, _bare(name, site.rules))
            named = _members_of(named, last, is_foreign) if edge == "calls" or edge in MENTIONS else named
            self.candidates[key] = _ordered(self._defined(_fitting(named, reference, site.rules)))
        return self.candidates[key]

    def _bare_candidates(self, site: Site, reference: Reference) -> tuple[Definition, ...]:
        """Those in the same folder, or else all; none where a name that the file does not know must be built in."""
        rules, folder, name = site.rules, dirname(site.path), reference.name
        if site.names.is_bound(site.source, name) or (
            rules.is_closed and (site.names.bindings or not rules.shares_scripts)
        ):
            return ()
        key = (site.rules, reference.edge, name, folder)
        if key not in self.candidates:
            named = self._named(site, _bare(name, site.rules))
            is_open = rules.sees_class and reference.edge not in MENTIONS
            barred = frozenset() if is_open else _MEMBERS - {"method"} if rules.hides_receivers else _MEMBERS
            named = [one for one in named if one.kind not in barred and not (rules.shares_scripts and one.parent)]
            named = [one for one in named if dirname(one.path) == folder] or named
            self.candidates[key] = _ordered(self._defined(_fitting(named, reference, rules)))
        return self.candidates[key]

    def _named(self, site: Site, name: str) -> list[Definition]:
        """All of a name, but those in bundles only for a bundle."""
        named, bundles = self.imports.named(name, site.rules), site.rules.bundle_paths
        if _is_bundle(site.path, bundles):
            return named
        return [one for one in named if not _is_bundle(one.path, bundles)] if bundles else named


@lru_cache(1 << 14)
def _is_bundle(path: str, bundle_paths: str) -> bool:
    return bool(bundle_paths) and re.search(bundle_paths, path) is not None


def _members_of(named: list[Definition], last: str, is_foreign: bool) -> list[Definition]:
    """What has its owner's name too, and only that of a class the file does not know; else methods, else any member."""
    own = [one for one in named if one.parent and one.parent.rpartition(".")[2] == last]
    if own or is_foreign:
        return own
    return [one for one in named if one.kind in _MEMBERS] or [one for one in named if one.parent]


def _fitting(definitions: Sequence[Definition], reference: Reference, rules: ResolutionRules) -> Sequence[Definition]:
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


def _bare(name: str, rules: ResolutionRules) -> str:
    return name.removesuffix(rules.macro_mark)


def _ordered(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    return tuple(sorted(definitions, key=lambda one: (one.path, one.start_line, one.qualified_name)))
