"""Who uses what a REF names, for the command line and for HTTP alike."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from birthmark.app.answers.refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.graph.edges import Edge, callees
from birthmark.graph.users import ALL_USES, CALLS, REFERENCES, SUBCLASSES, users
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import EdgeKind

# Uses by the words that narrow them.
USES = {"calls": CALLS, "references": REFERENCES, "subclasses": SUBCLASSES}


class Neighbours(NamedTuple):
    """An entity, and its edges with the entities at their other ends."""

    indexed: IndexedEntity
    edges: list[tuple[Edge, IndexedEntity | None]]


def find_users(session: Session, ref: str, words: Collection[str] = ()) -> Neighbours:
    """All uses, or those of some words."""
    kinds: frozenset[EdgeKind] = frozenset().union(*(USES[word] for word in words)) if words else ALL_USES
    indexed = find_indexed(session, ref)
    edges = users(session.graph, session.resolver, session.definition(indexed), kinds)
    ends = session.entities_of([edge.source.identity if edge.source else None for edge in edges])
    return Neighbours(indexed, list(zip(edges, ends, strict=True)))


def find_callees(session: Session, ref: str) -> Neighbours:
    indexed = find_indexed(session, ref)
    edges = callees(session.graph, session.resolver, session.definition(indexed))
    ends = session.entities_of([edge.target.identity if edge.target else None for edge in edges])
    return Neighbours(indexed, list(zip(edges, ends, strict=True)))
