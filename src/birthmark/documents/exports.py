"""Documents of `export --jsonl`: a line for the export as a whole, then for each definition, then for each edge."""

from __future__ import annotations

from typing import Annotated

from msgspec.structs import asdict

from birthmark.app.answers.listing.exporting import ExportedEdge
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.answers import SiteDocument
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.document import Document, doc
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import EdgeKind, Resolution

_End = Annotated[str, doc("a mark, or the path of a file for its top level or a module as a whole")]


class ExportDocument(Document, frozen=True, tag_field="record", tag="export"):
    """The first line: what is exported."""

    files: int
    freshness: FreshnessDocument


class ExportedEntityDocument(EntityDocument, frozen=True, tag_field="record", tag="entity"):
    """A definition."""


class ExportedEdgeDocument(Document, frozen=True, tag_field="record", tag="edge"):
    """A use of one definition by another."""

    user: _End
    used: _End
    edge: EdgeKind
    resolution: Resolution
    site: SiteDocument


def export_document(n_files: int, freshness: Freshness) -> ExportDocument:
    return ExportDocument(n_files, freshness_document(freshness))


def exported_entity_document(indexed: IndexedEntity) -> ExportedEntityDocument:
    return ExportedEntityDocument(**asdict(indexed_entity_document(indexed)))


def exported_edge_document(edge: ExportedEdge) -> ExportedEdgeDocument:
    site = SiteDocument(edge.path, edge.line)
    return ExportedEdgeDocument(edge.user, edge.used, edge.edge, edge.resolution, site)
