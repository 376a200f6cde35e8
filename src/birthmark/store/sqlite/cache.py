"""The cache of extractions: what was extracted from a content in a language by an extractor."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator

import msgspec

from birthmark.model import Level
from birthmark.store.model import ContentKey, PackedExtraction
from birthmark.store.port import Value
from birthmark.store.sqlite.database import Database
from birthmark.store.sqlite.schema import TABLES, having

_ENTITIES_ONLY = -1  # as the number of chunks: the level of the extraction
_AT_LEVEL = {
    Level.ENTITIES: "outline IS NOT NULL",
    Level.OUTLINE: f"outline IS NOT NULL AND n_chunks != {_ENTITIES_ONLY}",
    Level.NODES: "nodes IS NOT NULL",
}


class CacheTable(Database):
    """Extractions, by their numbers."""

    def put_extractions(self, extractor: str, packed: Iterable[tuple[ContentKey, PackedExtraction]]) -> None:
        """Add to the cache. The number of an extraction is assigned here; one without an outline keeps its number."""
        columns = TABLES["extractions"].split()[1:]
        statement = (
            f"INSERT INTO extractions ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
            f" ON CONFLICT DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in columns[3:])}"
        )
        with self._errors(), self.connection:  # a transaction of its own, or a part of the open one
            self.connection.executemany(statement, [_extraction_row(key, extractor, one) for key, one in packed])

    def forget_outlines(self) -> None:
        """What was packed by another version of this program cannot be unpacked; the sources stay."""
        with self._errors():
            self.connection.execute("UPDATE extractions SET outline = NULL, nodes = NULL")

    def extractions(self, keys: Collection[ContentKey], extractor: str, level: Level) -> dict[ContentKey, int]:
        found = self._query(
            f"""SELECT content, language, extraction FROM extractions
                WHERE content IN (SELECT unhex(value) FROM json_each(?)) AND extractor = ? AND {_AT_LEVEL[level]}""",
            json.dumps([key.content_id.hex() for key in keys]),
            extractor,
        )
        return {ContentKey(content, language): extraction for content, language, extraction in found}

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        rows = self._query(
            f"SELECT extraction, content, language FROM extractions WHERE extractor = ? AND NOT ({_AT_LEVEL[level]})",
            extractor,
        )
        return {row[0]: ContentKey(row[1], row[2]) for row in rows}

    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]:
        statement = having("SELECT extraction, outline FROM extractions", "extraction")
        with self._errors():
            for extraction, outline in self.connection.execute(statement, (json.dumps(list(extractions)),)):
                if outline is not None:
                    yield extraction, outline

    def source(self, extraction: int) -> bytes | None:
        source = self._value("SELECT source FROM extractions WHERE extraction = ?", extraction)
        return source if isinstance(source, bytes) else None

    def nodes(self, extraction: int) -> bytes | None:
        nodes = self._value("SELECT nodes FROM extractions WHERE extraction = ?", extraction)
        return nodes if isinstance(nodes, bytes) else None


def _extraction_row(key: ContentKey, extractor: str, packed: PackedExtraction) -> tuple[Value, ...]:
    level, *values, _ = msgspec.structs.astuple(packed)
    if level is Level.ENTITIES:
        values[5] = _ENTITIES_ONLY
    return (*key, extractor, *values)
