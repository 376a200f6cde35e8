"""Find the far end of a reference in a snapshot.

Takes the Symbols of a snapshot and a Reference; gives a ResolvedReference. It depends on what `answers.py` records as
looked up, and on nothing else. What is sure comes first: a definition in the same file, then one that an import leads
to; only then are all definitions of that name candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from birthmark.graph.answers import Answer
from birthmark.graph.candidates import MENTIONS, Candidates, bare_name, fitting, ordered
from birthmark.graph.evaluation.hierarchy import inherited
from birthmark.graph.evaluation.model import Site, Sort, Value
from birthmark.graph.evaluation.values import Evaluator
from birthmark.graph.file_names import SELVES, FileNames
from birthmark.graph.modules.exports import find_qualified
from birthmark.graph.modules.imports import Hit, Imports, RulesOf
from birthmark.graph.modules.modules import Modules
from birthmark.graph.reading.paths import ROOT, UNKNOWN, steps_of
from birthmark.graph.reading.references import CALLED, NOT_WRITTEN, Reference
from birthmark.graph.symbols import Definition, Symbols
from birthmark.languages.rules import ResolutionRules
from birthmark.model import FUNCTION_LIKE
from birthmark.vocabulary import Resolution

_MOST_BASES = 20
_MOST_OF_A_NAME = 16  # definitions that a name means in one file
RESOLUTION = 8  # raised when the same sources give other edges

_Answer = TypeVar("_Answer")


class ResolvedReference(NamedTuple):
    """One target where it is sure, candidates by name; a mere path for a module, or for what it makes at run time.

    The path is that of a file, or of a folder where a folder is one package. What is called on something unknown may be
    outside of the repository as well, so a candidate for it is not claimed, even if it is the only one.
    """

    resolution: Resolution
    targets: tuple[Definition, ...] = ()
    path: str | None = None
    is_claimed: bool = True
    # Of a dispatch: the method without a body that the targets implement; else the signatures of the target.
    declaration: tuple[Definition, ...] = ()

    @property
    def claimed(self) -> tuple[Definition, ...]:
        """Return the claimed targets: one definition, or all implementations of one."""
        is_one = len(self.targets) == 1 or self.resolution is Resolution.DISPATCH
        return self.targets if self.is_claimed and is_one else ()

    @property
    def ends(self) -> tuple[Definition, ...]:
        """Return the ends of edges: what is claimed, and the method that this implements; never a signature."""
        return (*self.declaration, *self.targets) if self.resolution is Resolution.DISPATCH else self.claimed


class Resolver:
    """Resolves the references of one snapshot; it caches its answers, so a new snapshot needs a new one."""

    def __init__(self, symbols: Symbols, rules_of: RulesOf, modules: Modules | None = None) -> None:
        self.imports = Imports(symbols, rules_of, modules)
        self.answers = self.imports.answers
        self.evaluator = Evaluator(self.imports)
        self.known: dict[FileNames, dict[tuple[object, ...], ResolvedReference]] = {}
        self.candidates = Candidates(self.imports, self.evaluator)
        self.identities: dict[int, tuple[object, tuple[int, ...]]] = {}  # by the ids of tuples, with these

    def with_lookups(self, ask: Callable[..., _Answer], *arguments: object) -> tuple[_Answer, set[str | Answer]]:
        """An answer, and what was looked up for it in the snapshot."""
        self.known.clear()
        self.answers.made_from = made_from = set[str | Answer]()
        answer = ask(*arguments)
        self.answers.made_from = set()
        return answer, made_from

    def may_mean_something(self, path: str, language: str, reference: Reference) -> bool:
        """Return True if a name can lead to anything: most names of variables are those of no definition."""
        rules = self.imports.rules(language)
        if rules.static_prefix or self.imports.named(reference.name, rules):
            return True
        head = reference.name if reference.receiver is None else reference.receiver.partition(".")[0]
        return head in self.imports.names(path, rules).imported

    def resolve(self, path: str, language: str, source: Definition | None, reference: Reference) -> ResolvedReference:
        rules = self.imports.rules(source.language if source else language)
        if reference.edge == "imports":
            hit = self.imports.follow(path, rules, reference)
            return self._declared(self._resolved(hit, [target for target in hit.targets if target.kind != "impl"]))
        names = self.imports.names(path, rules)
        name, receiver = reference.name, reference.receiver
        where, stretch = _place_of(names, source, name if receiver is None else receiver.partition(".")[0], reference)
        known = self.known.setdefault(names, {})
        key = where, stretch, name, receiver, reference.edge, reference.n_arguments
        found = known.get(key)
        if found is None:
            found = self._declared(self._resolve(Site(path, rules, names, source, reference.line), reference))
            known[key] = found
        return found

    def identities_of(self, targets: tuple[Definition, ...]) -> tuple[int, ...]:
        """Return the identities of candidates; of many, which many references have, they are found once."""
        if len(targets) <= _MOST_OF_A_NAME:
            return tuple([one.identity for one in targets])
        known = self.identities.get(id(targets))
        if known is None:
            known = self.identities[id(targets)] = targets, _first_of_each(targets)
        return known[1]

    def _declared(self, resolved: ResolvedReference) -> ResolvedReference:
        """With the signatures of the function that it leads to."""
        is_one = len(resolved.claimed) == 1 and not resolved.declaration
        signatures = self.imports.signatures_of(resolved.targets[0]) if is_one else ()
        return resolved._replace(declaration=signatures) if signatures else resolved

    def _resolve(self, site: Site, reference: Reference) -> ResolvedReference:
        value = self._evaluate(site, reference)
        if reference.n_arguments == NOT_WRITTEN and (value is None or not value.targets):
            return ResolvedReference(Resolution.UNRESOLVED)
        if value is None:
            candidates = self.candidates.of(site, reference)
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
                possible = self.candidates.of(site, reference) if reference.is_written else ()
                return ResolvedReference(Resolution.NAME if possible else Resolution.UNRESOLVED, possible, None, False)
            return ResolvedReference(value.resolution, called.targets)
        if value.sort is not Sort.DEFINITION and reference.edge in MENTIONS:
            return ResolvedReference(Resolution.UNRESOLVED)
        targets: Sequence[Definition] = self._macros(value, reference, site.rules)
        targets = targets or fitting(value.targets, reference, site.rules)
        if reference.edge == "calls":
            taking = self._taking(targets, reference.n_arguments)
            if targets and not taking:
                return self._not_taking(site, reference, targets)
            if taking and taking[0] not in targets:
                value = value._replace(resolution=inherited(value.resolution))
            targets = self.imports.definitions_of(taking)
        if not value.is_claimed and targets:
            return ResolvedReference(Resolution.NAME, ordered(targets), is_claimed=False)
        if site.rules.mixes_modules and len(targets) > 1:
            targets = self.evaluator.hierarchy.main_opening(targets)
        place = self.imports.modules.place(value.module)
        is_package = value.sort is Sort.MODULE and site.rules.sees_packages  # It cannot be called.
        if not targets and (value.targets or is_package):
            return ResolvedReference(Resolution.UNRESOLVED)
        if (
            reference.edge == "calls"
            and len(targets) == 1
            and (found := self._implementing(site, targets[0], reference))
        ):
            return ResolvedReference(Resolution.DISPATCH, found, declaration=tuple(targets))
        if len(targets) > 1:
            is_one_set = value.resolution is Resolution.DISPATCH
            return ResolvedReference(Resolution.DISPATCH if is_one_set else Resolution.NAME, ordered(targets))
        return ResolvedReference(value.resolution, tuple(targets), place)

    def _resolved(self, hit: Hit, targets: Sequence[Definition]) -> ResolvedReference:
        if len(targets) > 1:
            return ResolvedReference(Resolution.NAME, ordered(targets))
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
        if name == CALLED:
            value = self.evaluator.evaluate(site, reference.receiver)
            return self.evaluator.exports.main_export(site.rules, value)
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
        is_only = len(self.imports.named(bare_name(reference.name, site.rules), site.rules)) == 1
        is_claimed = is_only and not self.evaluator.hierarchy.is_open(targets[0])
        return ResolvedReference(Resolution.NAME, ordered(targets), is_claimed=is_claimed)

    def _takes(self, target: Definition, n_arguments: int) -> bool:
        names = self.imports.names_of(target)
        ordinal = names.ordinals[target.identity]
        parameters = [one.role for one in names.parameters_of(ordinal)]
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
        return ordered(implementations.of(target, receiver))


def _place_of(names: FileNames, source: Definition | None, head: str, reference: Reference) -> tuple[object, int]:
    """Return a place where a name means the same as here: definition or type around it, and stretch of lines."""
    if (reference.receiver is None or head in names.imported) and names.is_same_everywhere(head):
        return None, 0
    if source is None:
        return None, names.stretch_of(reference)
    own = names.own_type(source, head) if head in SELVES else None
    return (own, 0) if own is not None else (source.identity, names.stretch_of(reference))


def _first_of_each(targets: Iterable[Definition]) -> tuple[int, ...]:
    """Return identities without most of a variable that is assigned ten thousand times, each time from itself."""
    counts: Counter[tuple[str, str]] = Counter()
    first = []
    for one in targets:
        counts[one.path, one.qualified_name] += 1
        if counts[one.path, one.qualified_name] <= _MOST_OF_A_NAME:
            first.append(one.identity)
    return tuple(first)
