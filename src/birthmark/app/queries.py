"""Answers about a REF, for the command line and for HTTP alike."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.refs import find_indexed, find_matches
from birthmark.app.session import Session
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.graph import edges as graph
from birthmark.graph.edges import Edge
from birthmark.model import Entity
from birthmark.queries.ref import RefMatches
from birthmark.queries.resolve import ResolvedRef, resolve_ref
from birthmark.queries.snapshot_view import IndexedEntity


class ShownEntity(NamedTuple):
    """An entity, the file it is in, and its own text."""

    indexed: IndexedEntity
    file: bytes
    text: str


class Neighbours(NamedTuple):
    """An entity, and its edges with the entities at their other ends."""

    indexed: IndexedEntity
    edges: list[tuple[Edge, IndexedEntity | None]]


class ResolvedAt(NamedTuple):
    """What became of a REF; and the commit that was named, with where the entity was there."""

    resolved: ResolvedRef
    location: tuple[str, Entity | None] | None


def show_ref(session: Session, ref: str) -> ShownEntity:
    indexed = find_indexed(session, ref)
    file = session.view.at_version(indexed.version)
    assert file is not None
    source = session.view.source(file.version) or b""
    return ShownEntity(
        indexed, source, source[indexed.entity.start_byte : indexed.entity.end_byte].decode("utf-8", "replace")
    )


def resolve_at(session: Session, ref: str, revision: str | None) -> ResolvedAt:
    try:
        found = find_matches(session, ref)
    except NotFoundError:
        found = RefMatches([])
    resolved = resolve_ref(session.view, ref, found, session.read_nodes, session.read_interior)
    return ResolvedAt(resolved, None if revision is None else _location_at(session, resolved, revision))


def _location_at(session: Session, resolved: ResolvedRef, revision: str) -> tuple[str, Entity | None]:
    from birthmark.app.replay import find_at_revision

    if resolved.identity is None:
        raise BirthmarkError(f"{resolved.ref}: is not a single entity, so it has no location at a revision; name one")
    return find_at_revision(session, resolved.identity.identity, revision)


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
