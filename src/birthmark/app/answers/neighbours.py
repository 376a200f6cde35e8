"""Who uses what a REF names, for the command line and for HTTP alike."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from birthmark.app.answers.refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.graph.candidates import MENTIONS
from birthmark.graph.edges import Edge, callees, in_order
from birthmark.graph.users import ALL_USES, CALLS, REFERENCES, SUBCLASSES, users
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
        edges += users(session.graph, session.resolver, target, kinds & MENTIONS)
    return Neighbours(indexed, in_order(edges))


def find_callees(session: Session, ref: str) -> Neighbours:
    indexed = find_indexed(session, ref)
    return Neighbours(indexed, callees(session.graph, session.resolver, session.definition(indexed)))


def with_ends(session: Session, edges: list[Edge], end: End) -> list[tuple[Edge, IndexedEntity | None]]:
    """Edges with the entities at one of their ends in full."""
    ends = [edge.source if end == "source" else edge.target for edge in edges]
    shown = session.store.entities_of(session.view.number, {one.identity for one in ends if one is not None})
    held = session.view.hold_all(shown)
    return [(edge, held[one.identity] if one is not None else None) for edge, one in zip(edges, ends, strict=True)]
