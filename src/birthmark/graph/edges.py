"""Edges between definitions, resolved from references where no network has them.

Takes a GraphStore and a Resolver over it; gives Edges. The index has all edges of a worktree in its network; here they
are resolved for what has none: old commits, and other repositories that are looked at together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple, Protocol

from birthmark.graph.candidates import MENTIONS
from birthmark.graph.evaluation.model import CERTAINTY
from birthmark.graph.reading.references import CALLED, GIVES_NAME, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition, Symbols
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import EdgeKind, Resolution

CALLS = frozenset({EdgeKind.CALLS})
SUBCLASSES = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES})
REFERENCES = MENTIONS | {EdgeKind.IMPORTS}
ALL_USES = CALLS | SUBCLASSES | REFERENCES
_GIVES_NAME = GIVES_NAME | {"imports"}


ReferenceSite = tuple[str, str, Definition | None, Reference]  # path, language, the definition around it


class GraphStore(Symbols, Protocol):
    """A snapshot's definitions with its references."""

    def references_named(self, names: Collection[str]) -> Iterable[ReferenceSite]:
        """All whose name or alias is among these, with path, language and the definition that contains them."""

    def references_inside(self, definition: Definition) -> Iterable[Reference]:
        """Those of a definition in source order."""


class Edge(NamedTuple):
    """One mention of a thing. Where there are several candidates, no target is named."""

    source: Definition | None  # None: the top level of the file
    source_path: str
    edge: EdgeKind
    resolution: Resolution
    target: Definition | None
    name: str
    line: int
    n_candidates: int
    may_be_outside: bool  # besides the candidates: what it is called on is not known


def users(
    store: GraphStore,
    resolver: Resolver,
    target: Definition,
    kinds: Collection[EdgeKind] = ALL_USES,
    other_names: Collection[str] = (),
) -> list[Edge]:
    """Return the places that use a definition, or may do so; the sure ones first.

    `other_names` are given to it in files that the store does not look into.
    """
    known = store.references_named(names_of(store, resolver, target).union(other_names, {CALLED}))
    edges = [*edges_to(target, (site for site in known if site[3].edge in kinds), resolver)]
    if EdgeKind.OVERRIDES in kinds:
        edges += _overrides(resolver, target)
    if EdgeKind.IMPLEMENTS in kinds:
        edges += _function_of(resolver, target)
    return in_order(edges)


def edges_to(target: Definition, sites: Iterable[ReferenceSite], resolver: Resolver) -> Iterator[Edge]:
    """Of some references, those that lead to a definition, or may do so."""
    known: dict[int, tuple[ResolvedReference, bool]] = {}  # Sites share their candidates, which may be thousands.
    for path, language, source, reference in sites:
        resolved = resolver.resolve(path, language, source, reference)
        shared = id(resolved.targets)  # It is that of no other while it is held here.
        if shared not in known or resolved.declaration:
            known[shared] = resolved, _leads_to(resolved, target)
        if known[shared][1]:
            yield _edge(source, path, reference, resolved, target)


def callees(store: GraphStore, resolver: Resolver, source: Definition) -> list[Edge]:
    """The call sites in a definition with what each leads to."""
    edges = []
    for reference in store.references_inside(source):
        if reference.edge == "calls":
            resolved = resolver.resolve(source.path, source.language, source, reference)
            targets = resolved.ends or ((None,) if reference.is_written or resolved.targets else ())
            edges += [_edge(source, source.path, reference, resolved, target) for target in targets]
    return edges


def in_order(edges: Iterable[Edge]) -> list[Edge]:
    """The sure ones first."""
    return sorted(edges, key=lambda edge: (CERTAINTY[edge.resolution], edge.source_path, edge.line))


def _leads_to(resolved: ResolvedReference, target: Definition) -> bool:
    return any(one.identity == target.identity for one in (*resolved.declaration, *resolved.targets))


def _edge(
    source: Definition | None, path: str, reference: Reference, resolved: ResolvedReference, target: Definition | None
) -> Edge:
    n_candidates = 1 if resolved.claimed else len(resolved.targets)
    site = reference.name, reference.line
    may_be_outside = bool(resolved.targets) and not resolved.is_claimed
    kind = EdgeKind(reference.edge)
    return Edge(source, path, kind, resolved.resolution, target, *site, n_candidates, may_be_outside)


def names_of(store: GraphStore, resolver: Resolver, target: Definition) -> set[str]:
    """The names of a definition: its own, and those under which it is imported, held or passed somewhere."""
    rules = resolver.imports.rules(target.language)
    names = {target.name, f"{target.name}!"} if target.kind == "macro" else {target.name}
    if rules.static_prefix:
        names.add(target.name.rpartition(".")[2])  # `self.x` is called as `x`.
    if rules.setter_mark:
        names |= {f"{name}{rules.setter_mark}" for name in names}
    fresh = names | ({rules.default_name} if rules.default_name else set())
    while fresh:
        aliases = {
            name
            for path, language, source, reference in store.references_named(fresh)
            if reference.edge in _GIVES_NAME
            and reference.alias is not None
            and _leads_to(resolver.resolve(path, language, source, reference), target)
            for name in _names_by(reference.edge, reference.alias, resolver, rules)
        }
        fresh = aliases - names
        names |= fresh
    return names


def _names_by(edge: str, alias: str, resolver: Resolver, rules: ResolutionRules) -> Iterable[str]:
    """Return what a reference calls the thing: an argument has the name of its parameter."""
    return resolver.evaluator.arguments.parameters(alias, rules) if edge == "passes" else (alias,)


def _overrides(resolver: Resolver, target: Definition) -> Iterator[Edge]:
    """The methods of types below that have its name."""
    evaluator = resolver.evaluator
    names = resolver.imports.names_of(target)
    owners = [names.definitions[ordinal] for ordinal in names.by_scope.get(target.parent or "", ())]
    owner = next((one for one in owners if one.kind in CLASS_LIKE), None)
    if owner is None or target.kind not in FUNCTION_LIKE:
        return
    subtypes = evaluator.implementations.subtypes(owner)
    found = {one.identity: one for subtype in subtypes for one in evaluator.members.named(subtype, target.name)}
    for member in found.values():
        if member.identity != target.identity:  # Two types of one name share their members.
            resolution = Resolution.EXACT if member.path == target.path else Resolution.IMPORT
            yield Edge(
                member,
                member.path,
                EdgeKind.OVERRIDES,
                resolution,
                target,
                target.name,
                member.start_line,
                1,
                may_be_outside=False,
            )


def _function_of(resolver: Resolver, target: Definition) -> Iterator[Edge]:
    """The function that implements a signature."""
    function = resolver.imports.function_of(target)
    if function is not target:
        place = target.name, function.start_line, 1
        yield Edge(function, function.path, EdgeKind.IMPLEMENTS, Resolution.EXACT, target, *place, may_be_outside=False)
