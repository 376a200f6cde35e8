"""Edges between the definitions of a snapshot: callers, callees, and everything that a definition uses.

Takes a GraphStore and a Resolver over it; gives Edges. References are stored with their file, and resolved on demand.
`uses_of` also reads the text of a file, and gives a UsedDefinition for each far end, by the line of its first use. It
includes names that have a single candidate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from birthmark.graph.evaluation.model import CERTAINTY
from birthmark.graph.reading.mentions import find_mentions
from birthmark.graph.reading.references import GIVES_NAME, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition, Symbols
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import EdgeKind, Resolution

_GIVES_NAME = GIVES_NAME | {"imports"}


ReferenceSite = tuple[str, str, Definition | None, Reference]  # path, language, the definition around it
_WORD = re.compile(r"[^\W\d][\w$]*")


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


def callers(store: GraphStore, resolver: Resolver, target: Definition) -> list[Edge]:
    """The call sites that lead to a definition, or may do so; the sure ones first."""
    known = store.references_named(names_of(store, resolver, target))
    return in_order(edges_to(target, (site for site in known if site[3].edge == "calls"), resolver))


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
            targets = (*resolved.declaration, *resolved.claimed) or (None,)
            edges += [_edge(source, source.path, reference, resolved, target) for target in targets]
    return edges


def recursive_calls(store: GraphStore, resolver: Resolver, target: Definition) -> list[Edge]:
    """The calls of a definition in itself, where these are certain: no network has an edge from a node to itself."""
    found = callees(store, resolver, target)
    return [edge for edge in found if edge.target is not None and edge.target.identity == target.identity]


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
    """What a reference calls the thing: an argument has the name of its parameter."""
    return resolver.evaluator.arguments.parameters(alias, rules) if edge == "passes" else (alias,)


class UsedDefinition(NamedTuple):
    """The far end of a use, and its first place."""

    target: Definition
    edge: EdgeKind
    resolution: Resolution
    line: int


def uses_of(store: GraphStore, resolver: Resolver, sources: Sequence[Definition], text: str) -> list[UsedDefinition]:
    """Of a definition and all that is in it; `text` is that of their file."""
    own = {source.identity for source in sources}
    found: dict[int, UsedDefinition] = {}
    for use in sorted(_all_uses(store, resolver, sources, text), key=lambda use: (use.line, use.target)):
        if use.target.identity not in own:
            found.setdefault(use.target.identity, use)
    return list(found.values())


def _all_uses(
    store: GraphStore, resolver: Resolver, sources: Sequence[Definition], text: str
) -> Iterator[UsedDefinition]:
    known: defaultdict[str, list[Reference]] = defaultdict(list)
    for source in sources:
        for reference in store.references_inside(source):
            known[reference.name].append(reference)
            edge = EdgeKind.READS if reference.edge in GIVES_NAME else EdgeKind(reference.edge)
            yield from _uses(resolver.resolve(source.path, source.language, source, reference), edge, reference.line)
            if edge is EdgeKind.CALLS and reference.receiver is None:  # What is called may be held by a variable.
                read = msgspec.structs.replace(reference, edge=EdgeKind.READS)
                found = resolver.resolve(source.path, source.language, source, read)
                yield from _uses(found, EdgeKind.READS, reference.line)
    outer = sources[0]
    lexical = load_registry().lexical_of(outer.language)
    lines = text.split("\n")[: outer.end_line]
    code = "\n".join(["" if number < outer.start_line else line for number, line in enumerate(lines, 1)])
    bound = resolver.imports.names(outer.path, resolver.imports.rules(outer.language)).imported
    for name in sorted(set(_WORD.findall(code))):
        if name in bound or store.named(name):
            for mention in find_mentions(code, name, lexical, sources, known[name], is_type=True):
                source = next(one for one in reversed(sources) if one.start_line <= mention.line <= one.end_line)
                resolved = resolver.resolve(outer.path, outer.language, source, mention.as_reference())
                yield from _uses(resolved, mention.edge, mention.line)


def _uses(resolved: ResolvedReference, edge: EdgeKind, line: int) -> Iterator[UsedDefinition]:
    single = resolved.targets if len(resolved.targets) == 1 else ()
    for target in (*resolved.declaration, *resolved.claimed) or single:
        yield UsedDefinition(target, edge, resolved.resolution, line)
