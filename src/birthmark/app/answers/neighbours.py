"""Find the uses of what a REF names, what it calls, and what mentions it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.comparison.file_roles import role_of
from birthmark.graph.candidates import MENTIONS
from birthmark.graph.edges import Edge, callees, in_order, recursive_calls
from birthmark.graph.manifests.package import Package
from birthmark.graph.mention_edges import mention_edges
from birthmark.graph.network import Network, NetworkEdge
from birthmark.graph.outer_names import OuterNames
from birthmark.graph.symbols import Definition
from birthmark.graph.users import ALL_USES, CALLS, REFERENCES, SUBCLASSES, Source, languages_of, users
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.stored_network import users_in_network
from birthmark.queries.test_code import is_test_code
from birthmark.vocabulary import EdgeKind, FileRole

End = Literal["source", "target"]

# Uses by the words that narrow them.
USES = {"calls": CALLS, "references": REFERENCES, "subclasses": SUBCLASSES}


EdgeElsewhere = tuple[str, Edge, IndexedEntity | None]  # the repository, and the entity there in full


class Neighbours(NamedTuple):
    """An entity and its edges: in its repository, and to or from others."""

    indexed: IndexedEntity
    edges: list[Edge]
    others: Sequence[EdgeElsewhere] = ()
    packages: Sequence[Package] = ()  # by which others import it
    n_asked: int = 0  # other repositories that depend on the packages, or have no manifest and the name


def find_users(session: Session, ref: str, words: Collection[str] = ()) -> Neighbours:
    """All uses, or those of some words."""
    kinds: frozenset[EdgeKind] = frozenset().union(*(USES[word] for word in words)) if words else ALL_USES
    indexed = find_indexed(session, ref)
    target, network = session.definition(indexed), session.network_at_hand
    if network is None:
        return Neighbours(indexed, users(session.graph, session.resolver, target, kinds))
    edges = users_in_network(network, session.graph, target, kinds)
    if EdgeKind.CALLS in kinds:
        edges += recursive_calls(session.graph, session.resolver, target)
    if not MENTIONS.isdisjoint(kinds):
        sources = _mentioning_sources(session, network, target)
        edges += users(session.graph, session.resolver, target, kinds & MENTIONS, sources=sources)
    return Neighbours(indexed, in_order(edges))


def _mentioning_sources(session: Session, network: Network, target: Definition) -> Iterator[Source] | None:
    """Return the sources that may mention it, from stored mentions and edges; None for an inner definition.

    Mentions are stored only for outer definitions, for the first of several with one qualified name in a file, and only
    if no stronger edge exists.
    """
    if not OuterNames(session.graph, session.resolver.imports).is_outer(target):
        return None
    named = session.graph.named(target.name)
    nodes = [one.identity for one in named if (one.path, one.qualified_name) == (target.path, target.qualified_name)]
    kept = (*network.mentions_of(nodes), *network.users_of(nodes))
    paths = {target.path, *(edge.path for edge in kept)}
    languages = languages_of(session.resolver, target)
    found = ((path, *source) for path in sorted(paths) for source in session.graph.texts(path))
    return (source for source in found if source[1] in languages)


def find_callees(session: Session, ref: str) -> Neighbours:
    indexed = find_indexed(session, ref)
    return Neighbours(indexed, callees(session.graph, session.resolver, session.definition(indexed)))


def find_used(session: Session, ref: str, words: Collection[str] = ()) -> Neighbours:
    """Return what it calls, and its other uses if all edges are available."""
    kinds: frozenset[EdgeKind] = frozenset().union(*(USES[word] for word in words)) if words else ALL_USES
    found = find_callees(session, ref)
    indexed = found.indexed
    calls = [edge for edge in found.edges if edge.target is not None and edge.edge in kinds]
    return Neighbours(indexed, in_order([*calls, *_other_uses(session, session.definition(indexed), kinds - CALLS)]))


def _other_uses(session: Session, source: Definition, kinds: frozenset[EdgeKind]) -> Iterator[Edge]:
    network = session.network_at_hand
    uses = [use for use in network.used_by([source.identity]) if use.edge in kinds] if network is not None else []
    used = session.graph.definitions({use.used for use in uses if isinstance(use.used, int)})
    for use in uses:
        if isinstance(use.used, int):
            ends = source, use.path, use.edge, use.resolution, used[use.used], used[use.used].name
            yield Edge(*ends, use.line, use.n_candidates, use.may_be_outside)


def group_by_end(edges: Iterable[Edge], end: End) -> list[list[Edge]]:
    """The edges of each neighbour, by the definition or, at the top level of a file, by the file."""
    groups: dict[int | str, list[Edge]] = {}
    for edge in edges:
        other = edge.source if end == "source" else edge.target
        groups.setdefault(edge.source_path if other is None else other.identity, []).append(edge)
    return [*groups.values()]


def is_test_edge(edge: Edge) -> bool:
    """Return whether a use is in test code."""
    source = edge.source
    return is_for_tests(edge.source_path, source.language if source else "", source.qualified_name if source else "")


def is_for_tests(path: str, language: str = "", qualified_name: str = "") -> bool:
    """Return whether something is test code; without a language, it is the top level of a file."""
    return is_test_code(path, language, qualified_name) if language else role_of(path) is FileRole.TEST


def with_ends(session: Session, edges: list[Edge], end: End) -> list[tuple[Edge, IndexedEntity | None]]:
    """Edges with the entities at one of their ends in full."""
    ends = [edge.source if end == "source" else edge.target for edge in edges]
    shown = session.store.entities_of(session.view.number, {one.identity for one in ends if one is not None})
    held = session.view.hold_all(shown)
    return [(edge, held[one.identity] if one is not None else None) for edge, one in zip(edges, ends, strict=True)]


def find_mentioning(session: Session, definitions: Iterable[Definition]) -> Iterator[NetworkEdge]:
    """Yield the mentions of definitions; pairs with an edge in the network may be missing."""
    outer_names = OuterNames(session.graph, session.resolver.imports)
    outer, inner = list[Definition](), list[Definition]()
    for one in definitions:
        (outer if outer_names.is_outer(one) else inner).append(one)
    yield from session.network.mentions_of([one.identity for one in outer])
    yield from mention_edges(session.graph, session.resolver, inner)
