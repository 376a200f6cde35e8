"""Write an export as JSON Lines or Parquet, and the table of all export formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import IO, Any, NamedTuple

from birthmark.app.answers.exporting import Export, ExportCounts, ExportedEdge
from birthmark.documents.document import Document, encode_line
from birthmark.documents.uses import export_document, exported_edge_document, exported_entity_document
from birthmark.errors import BirthmarkError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.exports.graph_formats import DOT, GRAPHML, MERMAID, write_graph
from birthmark.surfaces.formats.exports.scip import write_scip

PARQUET_FILES = ("entities.parquet", "edges.parquet")
_ROWS = 20_000  # that are in memory at once, and in a row group

# Columns with their types, as pyarrow names them.
_ENTITIES = {
    "mark": "string",
    "key": "string",
    "semantic_id": "string",
    "kind": "string",
    "name": "string",
    "qualified_name": "string",
    "parent": "string",
    "language": "string",
    "path": "string",
    "start_line": "int32",
    "end_line": "int32",
    "start_byte": "int64",
    "end_byte": "int64",
    "signature": "string",
    "content": "string",  # fingerprints
    "interface": "string",
    "body": "string",
}

_EDGES = dict.fromkeys(("user", "used", "edge", "resolution", "path"), "string") | {"line": "int32"}


class ExportFormat(NamedTuple):
    """A format: the function that writes it takes an Export and a binary file, or one for each file of a folder."""

    name: str
    help: str
    write: Callable[..., ExportCounts]
    edge: str = "edge"  # what it calls what is between definitions
    files: tuple[str, ...] = ()  # of a folder


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


def write_parquet(export: Export, *outs: IO[bytes]) -> ExportCounts:
    entities = (indexed for file in export.files() for indexed in file.entities)
    n_entities = _write_table(outs[0], _ENTITIES, map(_entity_row, entities))
    n_edges = _write_table(outs[1], _EDGES, map(ExportedEdge._asdict, export.edges()))
    return ExportCounts(len(export.paths), n_entities, n_edges)


def _entity_row(indexed: IndexedEntity) -> dict[str, object]:
    sources = (indexed, indexed.entity, indexed.fingerprint)
    return {name: next(getattr(source, name) for source in sources if hasattr(source, name)) for name in _ENTITIES}


def _write_table(out: IO[bytes], columns: Mapping[str, str], rows: Iterable[Mapping[str, object]]) -> int:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise BirthmarkError("--parquet needs pyarrow; `pip install 'birthmark[parquet]'` installs it") from error
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in columns.items()])
    remaining, n_rows = iter(rows), 0
    with parquet.ParquetWriter(out, schema) as writer:
        while batch := list(islice(remaining, _ROWS)):
            values: dict[str, Any] = {name: [_text(row[name]) for row in batch] for name in columns}
            writer.write_table(pyarrow.table(values, schema=schema))
            n_rows += len(batch)
    return n_rows


def _text(value: object) -> object:
    """A name that is no Unicode is written with question marks."""
    return str(value).encode("utf-8", "replace").decode() if isinstance(value, str) else value


EXPORT_FORMATS = {
    "scip": ExportFormat("SCIP", "Definitions and references for code search and navigation.", write_scip, "reference"),
    "graphml": ExportFormat("GraphML", "The graph for igraph, Gephi, yEd, networkx.", partial(write_graph, GRAPHML)),
    "dot": ExportFormat("DOT", "The graph for Graphviz.", partial(write_graph, DOT)),
    "mermaid": ExportFormat("Mermaid", "The graph for Markdown pages.", partial(write_graph, MERMAID)),
    "jsonl": ExportFormat("JSON lines", "A document a line: definitions, then edges.", write_json_lines),
    "parquet": ExportFormat(
        "Parquet", "Tables of entities and edges; needs birthmark[parquet].", write_parquet, files=PARQUET_FILES
    ),
}
