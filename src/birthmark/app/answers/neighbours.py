"""Who uses what a REF names, for the command line and for HTTP alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, NamedTuple

from birthmark.app.answers.refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.graph.candidates import MENTIONS
from birthmark.graph.edges import Edge, callees, in_order
from birthmark.graph.network import Network
from birthmark.graph.outer_names import OuterNames
from birthmark.graph.symbols import Definition
from birthmark.graph.users import ALL_USES, CALLS, REFERENCES, SUBCLASSES, Source, languages_of, users
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.stored_network import users_in_network
from birthmark.vocabulary import EdgeKind

End = Literal["source", "target"]

# Uses by the words that narrow them.
USES = {"calls": CALLS, "references": REFERENCES, "subclasses": SUBCLASSES}


class Neighbours(NamedTuple):
    """An entity, and its edges."""

    indexed: IndexedEntity
    edges: list[Edge]


def find_users(session: Session, ref: str, words: Collection[str] = ()) -> Neighbours:
    """All uses, or those of some words."""
    kinds: frozenset[EdgeKind] = frozenset().union(*(USES[word] for word in words)) if words else ALL_USES
    indexed = find_indexed(session, ref)
    target, network = session.definition(indexed), session.network_at_hand
    if network is None:
        return Neighbours(indexed, users(session.graph, session.resolver, target, kinds))
    edges = users_in_network(network, session.graph, target, kinds)
    if not MENTIONS.isdisjoint(kinds):
        sources = _mentioning_sources(session, network, target)
        edges += users(session.graph, session.resolver, target, kinds & MENTIONS, sources=sources)
    return Neighbours(indexed, in_order(edges))


def _mentioning_sources(session: Session, network: Network, target: Definition) -> Iterator[Source] | None:
    """Those that mention it, by what is kept; None for what is inside of something, of which no mentions are kept.

    Of definitions that have one qualified name in one file, mentions are kept of the first ones. What has an edge
    to it that says more has no mention.
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


def with_ends(session: Session, edges: list[Edge], end: End) -> list[tuple[Edge, IndexedEntity | None]]:
    """Edges with the entities at one of their ends in full."""
    ends = [edge.source if end == "source" else edge.target for edge in edges]
    shown = session.store.entities_of(session.view.number, {one.identity for one in ends if one is not None})
    held = session.view.hold_all(shown)
    return [(edge, held[one.identity] if one is not None else None) for edge, one in zip(edges, ends, strict=True)]
