"""Find the far end of a reference in a snapshot.

Takes the Symbols of a snapshot and a Reference; gives a ResolvedReference. Nothing of it is stored, so no edge can
point at what is gone. What is sure comes first: a definition in the same file, then one that an import leads to; only
then are all definitions of that name candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from posixpath import dirname
from typing import NamedTuple

from birthmark.graph.imports import EXTERNAL, Hit, Imports, RulesOf, package_of
from birthmark.graph.modules import Module, Modules
from birthmark.graph.references import Reference
from birthmark.graph.symbols import Definition, FileNames, Symbols
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE
from birthmark.vocabulary import Resolution

_SEPARATOR = re.compile(r"::|->|\\|\.")
_SELVES = frozenset({"self", "this", "cls", "Self", "$this", "static"})
_SUPERS = frozenset({"super", "base", "parent"})
_MEMBERS = frozenset({"method", "constructor", "field", "member"})
_VALUES = frozenset({"var", "const", "field"})
_ALIASES = _VALUES | {"typedef"}  # `const f = require('./f')` and `using X = A.B` define what they import.
_TYPES = CLASS_LIKE - {"impl"}
# What an edge may lead to: of several definitions those of the first set that holds any.
_CALLED = (frozenset({"fn", "method", "class", "struct", "macro"}), _TYPES | {"typedef", "member"}, _VALUES)
_FITTING = {
    "calls": (_CALLED[0] | {"constructor"}, *_CALLED[1:]),
    "bare": _CALLED,  # `C()` means the class, not the constructor of that name in it.
    "bases": (_TYPES, frozenset({"typedef"}), frozenset({"mod", "namespace"}) | _VALUES),
}


class ResolvedReference(NamedTuple):
    """One target where it is sure, candidates by name; a mere path for a module, or for what it makes at run time.

    The path is that of a file, or of a folder where a folder is one package.
    """

    resolution: Resolution
    targets: tuple[Definition, ...] = ()
    path: str | None = None


_Place = tuple[str, str] | None  # kind and qualified name of the definition that contains a reference


class _Site(NamedTuple):
    """Where a reference is."""

    path: str
    rules: ResolutionRules
    names: FileNames
    source: Definition | None
    edge: str


class Resolver:
    """Resolves the references of one snapshot; it caches its answers, so a new snapshot needs a new one."""

    def __init__(self, symbols: Symbols, rules_of: RulesOf, modules: Modules | None = None) -> None:
        self.imports = Imports(symbols, rules_of, modules)
        self.known: dict[tuple[str, ResolutionRules, _Place, str, str | None, str], ResolvedReference] = {}
        self.bound: dict[tuple[str, ResolutionRules, _Place, bool, str], Hit | None] = {}
        self.candidates: dict[tuple[object, ...], tuple[Definition, ...]] = {}

    def resolve(self, path: str, language: str, source: Definition | None, reference: Reference) -> ResolvedReference:
        rules = self.imports.rules(source.language if source else language)
        if reference.edge == "imports":
            hit = self.imports.follow(path, rules, reference)
            return self._resolved(hit, [target for target in hit.targets if target.kind != "impl"])
        key = (path, rules, _place(source), reference.name, reference.receiver, reference.edge)
        if key not in self.known:
            site = _Site(path, rules, self.imports.names(path, rules), source, reference.edge)
            self.known[key] = self._resolve(site, reference.receiver, reference.name)
        return self.known[key]

    def _resolve(self, site: _Site, receiver: str | None, name: str) -> ResolvedReference:
        hit = self._bind(site, name) if receiver is None else self._qualified(site, receiver, name)
        if hit is None:
            candidates = self._by_name(site, receiver, name)
            return ResolvedReference(Resolution.NAME if candidates else Resolution.UNRESOLVED, candidates)
        return self._resolved(hit, _fitting(hit.targets, site, receiver, name))

    def _resolved(self, hit: Hit, targets: Sequence[Definition]) -> ResolvedReference:
        if len(targets) > 1:
            return ResolvedReference(Resolution.NAME, _ordered(targets))
        if hit.targets and not targets:
            return ResolvedReference(Resolution.UNRESOLVED)
        return ResolvedReference(hit.resolution, tuple(targets), self.imports.modules.place(hit.module))

    def _qualified(self, site: _Site, receiver: str, name: str) -> Hit | None:
        if receiver in _SELVES:
            owner = site.names.owner(site.source) if site.source else ""
            members = site.names.member(owner, name) if owner else ()
            return Hit(Resolution.EXACT, members) if members else None
        hit, parts = self._first(site, receiver)
        for part in (*parts, name):
            if hit is None or hit.resolution is Resolution.EXTERNAL:
                return hit
            hit = self._step(site.rules, hit, part)
        return hit

    def _first(self, site: _Site, receiver: str) -> tuple[Hit | None, list[str]]:
        """What the first part of a receiver means, and the parts that are left."""
        parts = _SEPARATOR.split(receiver)
        if parts[0] in site.rules.path_prefixes:
            module = self.imports.modules.find(site.rules, site.path, receiver, _inner_module(site))
            return (Hit(Resolution.IMPORT, (), module) if module else None), []
        for n_parts in range(len(parts), 1, -1):
            whole = ".".join(parts[:n_parts])  # `import a.b` binds the two at once.
            if whole in site.names.bindings and (hit := self._bind(site, whole)) and hit is not EXTERNAL:
                return hit, parts[n_parts:]
        hit = self._bind(site, parts[0])
        if hit is None and site.rules.sees_modules:
            module = self.imports.modules.find(site.rules, site.path, parts[0])
            hit = Hit(Resolution.IMPORT, (), module) if module else None
        return hit, parts[1:]

    def _step(self, rules: ResolutionRules, hit: Hit, name: str) -> Hit | None:
        """What a name means in what was found so far."""
        if hit.module is not None and not hit.targets:
            found = self.imports.lookup(rules, hit.module, name)
            return found or Hit(Resolution.IMPORT, (), hit.module._replace(scope=""))
        for target in hit.targets:
            if target.kind in ("mod", "namespace") or target.kind in CLASS_LIKE:
                return self._step_into(rules, hit.resolution, target, name)
        return None

    def _step_into(self, rules: ResolutionRules, resolution: Resolution, target: Definition, name: str) -> Hit | None:
        if target.kind == "mod" and (child := self.imports.modules.child(rules, Module(target.path), target.name)):
            return self.imports.lookup(rules, child, name)
        whole = Module(None if target.kind == "namespace" else target.path, None, target.qualified_name)
        members = self.imports.members(rules, whole, name)
        return Hit(resolution, members) if members else None

    def _bind(self, site: _Site, name: str) -> Hit | None:
        """What a bare name means: defined in a scope around, imported, or bound by a wildcard or the folder."""
        key = (site.path, site.rules, _place(site.source), site.edge == "calls", name)
        if key not in self.bound:
            self.bound[key] = self._bind_anew(site, name)
        return self.bound[key]

    def _bind_anew(self, site: _Site, name: str) -> Hit | None:
        names, name = site.names, _bare(name, site.rules)
        scopes = names.visible(site.source, site.edge)
        local = next((found for scope in scopes if (found := names.member(scope, name))), ())
        if any(definition.kind not in _ALIASES for definition in local):
            return Hit(Resolution.EXACT, local)
        bound = names.bound(name, site.source)
        hits = [self.imports.follow(site.path, site.rules, reference) for reference in bound]
        if hits:
            return next((hit for hit in hits if hit is not EXTERNAL), EXTERNAL)
        return Hit(Resolution.EXACT, local) if local else self._bound_by_others(site, name)

    def _bound_by_others(self, site: _Site, name: str) -> Hit | None:
        hit = self.imports.from_wildcards(site.path, site.rules, name)
        if hit is None and site.rules.shares_folder:
            folder = Module(None, package_of(site.path, site.rules))
            members = self.imports.members(site.rules, folder, name)
            hit = Hit(Resolution.IMPORT, members) if members else None
        return hit

    # Candidates

    def _by_name(self, site: _Site, receiver: str | None, name: str) -> tuple[Definition, ...]:
        if receiver is None:
            return self._bare_candidates(site, name)
        is_foreign = receiver[:1].isupper() and receiver.isidentifier() and self._bind(site, receiver) is None
        last = _SEPARATOR.split(receiver)[-1]
        key = (site.rules, site.edge, name, last, is_foreign)
        if key not in self.candidates:
            named = self.imports.named(_bare(name, site.rules), site.rules)
            named = _members_of(named, last, is_foreign) if site.edge == "calls" else named
            self.candidates[key] = _ordered(_fitting(named, site, receiver, name))
        if receiver in _SUPERS and site.source is not None:
            own = (site.path, site.names.owner(site.source))
            return tuple(one for one in self.candidates[key] if (one.path, one.parent) != own)
        return self.candidates[key]

    def _bare_candidates(self, site: _Site, name: str) -> tuple[Definition, ...]:
        """Those in the same folder, or else all; none where a name that the file does not know must be built in."""
        rules, folder = site.rules, dirname(site.path)
        if rules.is_closed and (site.names.bindings or not rules.shares_scripts):
            return ()
        key = (site.rules, site.edge, name, folder)
        if key not in self.candidates:
            named = self.imports.named(_bare(name, site.rules), site.rules)
            barred = frozenset() if rules.sees_class else _MEMBERS - {"method"} if rules.hides_receivers else _MEMBERS
            named = [one for one in named if one.kind not in barred]
            named = [one for one in named if dirname(one.path) == folder] or named
            self.candidates[key] = _ordered(_fitting(named, site, None, name))
        return self.candidates[key]


def _place(source: Definition | None) -> _Place:
    return source and (source.kind, source.qualified_name)


def _members_of(named: list[Definition], last: str, is_foreign: bool) -> list[Definition]:
    """What has its owner's name too, and only that of a class the file does not know; else methods, else any member."""
    own = [one for one in named if one.parent and one.parent.rpartition(".")[2] == last]
    if own or is_foreign:
        return own
    return [one for one in named if one.kind in _MEMBERS] or [one for one in named if one.parent]


def _fitting(definitions: Sequence[Definition], site: _Site, receiver: str | None, name: str) -> Sequence[Definition]:
    role = "bases" if site.edge != "calls" else "bare" if receiver is None else "calls"
    mark = site.rules.macro_mark
    if mark and site.edge == "calls":
        definitions = [one for one in definitions if (one.kind == "macro") == name.endswith(mark)]
    for kinds in _FITTING[role]:
        if fitting := [one for one in definitions if one.kind in kinds]:
            return fitting
    return ()


def _bare(name: str, rules: ResolutionRules) -> str:
    return name.removesuffix(rules.macro_mark)


def _inner_module(site: _Site) -> str:
    scopes = site.names.visible(site.source, "calls")
    return next((scope for scope in scopes if site.names.kinds.get(scope) == "mod"), "")


def _ordered(definitions: Iterable[Definition]) -> tuple[Definition, ...]:
    return tuple(sorted(definitions, key=lambda one: (one.path, one.start_line, one.qualified_name)))
