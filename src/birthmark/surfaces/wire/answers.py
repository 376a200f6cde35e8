"""Documents of answers about a REF: show, resolve, callers and callees, and what was deleted from a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from birthmark.app.freshness import Freshness
from birthmark.graph.edges import Edge
from birthmark.model import Entity
from birthmark.queries.ledger_queries import DeletedIdentity
from birthmark.queries.life import LedgerEvent
from birthmark.queries.resolve import ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.wire.changes import (
    ConfidenceField,
    EvidenceField,
    LocationDocument,
    location_document,
    location_or_null,
)
from birthmark.surfaces.wire.definitions import (
    ChunkDocument,
    EntityDocument,
    NodeDocument,
    chunk_document,
    indexed_entity_document,
    node_document,
)
from birthmark.surfaces.wire.document import Document, doc, make
from birthmark.surfaces.wire.index import FreshnessDocument, freshness_document
from birthmark.vocabulary import Change, RefStatus, Resolution


class ShownDocument(EntityDocument, frozen=True):
    """An entity with its source."""

    source: str
    freshness: FreshnessDocument


class LedgerEventDocument(Document, frozen=True):
    """What happened to an identity at a run of the index, or at a commit that was replayed."""

    change: Annotated[str, doc("`born moved modified renamed relocated deleted revived`")]
    revision: str | None
    branch: str | None
    at: Annotated[int, doc("Unix seconds")]
    before: LocationDocument | None
    after: Annotated[LocationDocument | None, doc("null if it was deleted")]
    evidence: EvidenceField
    confidence: ConfidenceField


class IdentityDocument(Document, frozen=True):
    """An identity as it was born."""

    mark: str
    key: str
    path: str
    start_line: int
    end_line: int


class LocationAtDocument(Document, frozen=True):
    """Where an entity was at a revision."""

    revision: str
    place: Annotated[LocationDocument | None, doc("null if it was not there")]


class ResolvedDocument(Document, frozen=True):
    """Where any id is now, or what became of it."""

    ref: Annotated[str, doc("as asked")]
    status: RefStatus
    entity: EntityDocument | None
    events: Annotated[list[LedgerEventDocument], doc("from birth on")]
    candidates: Annotated[list[IdentityDocument], doc("what it may be, if that is ambiguous")]
    node: Annotated[NodeDocument | None, doc("where the node is now that the REF named")]
    chunk: Annotated[ChunkDocument | None, doc("where the chunk is now that the REF named")]
    freshness: FreshnessDocument
    at: Annotated[LocationAtDocument | UnsetType, doc("with `--at REV` only")] = UNSET


class DeletedDocument(Document, frozen=True):
    """What was deleted from a file."""

    mark: str
    key: str
    before: Annotated[LocationDocument, doc("where it was before it was deleted")]
    revision: str | None
    at: Annotated[int, doc("when it was deleted, in Unix seconds")]
    entity: Annotated[EntityDocument | None, doc("where it is now, if it is present again")]


class SiteDocument(Document, frozen=True):
    """Where one definition mentions another."""

    path: str
    line: int


class EdgeDocument(Document, frozen=True):
    """A mention that connects the entity with another."""

    entity: Annotated[
        EntityDocument | None,
        doc("the far end; null for the top level of a file, and where there is none or more than one candidate"),
    ]
    edge: str
    depth: int
    resolution: Resolution
    name: Annotated[str, doc("as it is written at the site")]
    candidates: Annotated[int, doc("how many definitions may be meant")]
    site: SiteDocument


class EdgesDocument(Document, frozen=True):
    """An entity with its callers or callees."""

    entity: EntityDocument
    results: list[EdgeDocument]
    freshness: FreshnessDocument


def shown_document(indexed: IndexedEntity, source: str, freshness: Freshness) -> ShownDocument:
    entity = asdict(indexed_entity_document(indexed))
    return ShownDocument(**entity, source=source, freshness=freshness_document(freshness))


def resolved_document(
    answer: ResolvedRef, freshness: Freshness, at: tuple[str, Entity | None] | None = None
) -> ResolvedDocument:
    """`at` is a commit and where the entity was there, if that was asked for."""
    return ResolvedDocument(
        answer.ref,
        answer.status,
        indexed_entity_document(answer.indexed) if answer.indexed else None,
        [_event_document(event) for event in answer.events],
        [make(IdentityDocument, identity) for identity in answer.candidates],
        node_document(answer.node[1], answer.node[2], answer.node[0]) if answer.node else None,
        chunk_document(answer.chunk[0].path, answer.chunk[0].outline, answer.chunk[1]) if answer.chunk else None,
        freshness_document(freshness),
        UNSET if at is None else LocationAtDocument(at[0], location_or_null(at[1])),
    )


def _event_document(ledger_event: LedgerEvent) -> LedgerEventDocument:
    event, run = ledger_event.event, ledger_event.run
    return make(
        LedgerEventDocument,
        event,
        revision=run.revision,
        branch=run.branch,
        at=run.at,
        before=location_or_null(ledger_event.before),
        after=None if event.change == Change.DELETED else location_document(event),
    )


def deleted_document(deleted: DeletedIdentity) -> DeletedDocument:
    event, run = deleted.deletion.event, deleted.deletion.run
    return DeletedDocument(
        deleted.identity.mark,
        deleted.identity.key,
        location_document(event),
        run.revision,
        run.at,
        indexed_entity_document(deleted.indexed) if deleted.indexed else None,
    )


def edges_document(
    indexed: IndexedEntity, edges: Iterable[tuple[Edge, IndexedEntity | None]], freshness: Freshness
) -> EdgesDocument:
    results = [_edge_document(edge, other) for edge, other in edges]
    return EdgesDocument(indexed_entity_document(indexed), results, freshness_document(freshness))


def _edge_document(edge: Edge, other: IndexedEntity | None) -> EdgeDocument:
    return make(
        EdgeDocument,
        edge,
        entity=indexed_entity_document(other) if other else None,
        depth=1,
        candidates=edge.n_candidates,
        site=SiteDocument(edge.source_path, edge.line),
    )
