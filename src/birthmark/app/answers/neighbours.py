"""Who uses what a REF names, for the command line and for HTTP alike."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.answers.refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.graph import edges as graph
from birthmark.graph.edges import Edge
from birthmark.queries.snapshot_view import IndexedEntity


class Neighbours(NamedTuple):
    """An entity, and its edges with the entities at their other ends."""

    indexed: IndexedEntity
    edges: list[tuple[Edge, IndexedEntity | None]]


def find_callers(session: Session, ref: str) -> Neighbours:
    indexed = find_indexed(session, ref)
    edges = graph.callers(session.graph, session.resolver, session.definition(indexed))
    ends = session.entities_of([edge.source.identity if edge.source else None for edge in edges])
    return Neighbours(indexed, list(zip(edges, ends, strict=True)))


def find_callees(session: Session, ref: str) -> Neighbours:
    indexed = find_indexed(session, ref)
    edges = graph.callees(session.graph, session.resolver, session.definition(indexed))
    ends = session.entities_of([edge.target.identity if edge.target else None for edge in edges])
    return Neighbours(indexed, list(zip(edges, ends, strict=True)))
