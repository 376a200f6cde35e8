"""Two tables in Parquet, of entities and of edges, for data frames and databases.

pyarrow writes them. It is an extra, `birthmark[parquet]`, because it is larger than all else that is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import IO, Any

from birthmark.app.answers.listing.exporting import Export, ExportedEdge
from birthmark.errors import BirthmarkError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.exports.counts import ExportCounts

FILES = ("entities.parquet", "edges.parquet")
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
