"""JSON lines: the export, its definitions and its edges, a document each."""

from __future__ import annotations

from typing import IO

from birthmark.app.answers.listing.exporting import Export
from birthmark.documents.document import Document, encode_line
from birthmark.documents.uses import export_document, exported_edge_document, exported_entity_document
from birthmark.surfaces.formats.exports.counts import ExportCounts


def write_json_lines(export: Export, out: IO[bytes]) -> ExportCounts:
    counts = ExportCounts()

    def write(document: Document) -> None:
        out.write(encode_line(document) + b"\n")

    write(export_document(len(export.paths), export.freshness))
    for file in export.files():
        for indexed in file.entities:
            write(exported_entity_document(indexed))
        counts = counts.plus(1, len(file.entities))
    for edge in export.edges():
        write(exported_edge_document(edge))
        counts = counts.plus(n_edges=1)
    return counts
