"""The cache of extractions: what was extracted from a content in a language by an extractor."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from typing import Any

import msgspec

from birthmark.model import Level
from birthmark.store.model import ContentKey, PackedExtraction
from birthmark.store.port import Value
from birthmark.store.tables.database import Database
from birthmark.store.tables.schema import TABLES, having

EXTRACTION = tuple(TABLES["extractions"].split()[1:])
ENTITIES_ONLY = -1  # as the number of chunks: the level of the extraction
AT_LEVEL = {
    Level.ENTITIES: "outline IS NOT NULL",
    Level.OUTLINE: f"outline IS NOT NULL AND n_chunks != {ENTITIES_ONLY}",
    Level.NODES: "nodes IS NOT NULL",
}


class CacheTable(Database):
    """Extractions, by their numbers."""

    def put_extractions(self, extractor: str, packed: Iterable[tuple[ContentKey, PackedExtraction]]) -> None:
        """Add to the cache. The number of an extraction is assigned here; one without an outline keeps its number."""
        self._put_extractions([_extraction_row(key, extractor, one) for key, one in packed])

    @abstractmethod
    def _put_extractions(self, rows: list[tuple[Value, ...]]) -> None:
        """Rows have the columns of `EXTRACTION`, of which the first three are their key."""

    def extractions(self, keys: Collection[ContentKey], extractor: str, level: Level) -> dict[ContentKey, int]:
        found = self._query(
            f"""SELECT content, language, extraction FROM extractions
                WHERE content IN (SELECT unhex(value) FROM json_each(?)) AND extractor = ? AND {AT_LEVEL[level]}""",
            self._contents([content_id for content_id, _ in keys]),
            extractor,
        )
        return {(content, language): extraction for content, language, extraction in found}

    @abstractmethod
    def _contents(self, content_ids: Collection[bytes]) -> Any:
        """What `unhex(value)` of `json_each(?)` reads."""

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        rows = self._query(
            f"SELECT extraction, content, language FROM extractions WHERE extractor = ? AND NOT ({AT_LEVEL[level]})",
            extractor,
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]:
        statement = having("SELECT extraction, outline FROM extractions", "extraction") + " AND outline IS NOT NULL"
        return self._each(statement, self._array(extractions))

    def source(self, extraction: int) -> bytes | None:
        source = self._value("SELECT source FROM extractions WHERE extraction = ?", extraction)
        return source if isinstance(source, bytes) else None

    def nodes(self, extraction: int) -> bytes | None:
        nodes = self._value("SELECT nodes FROM extractions WHERE extraction = ?", extraction)
        return nodes if isinstance(nodes, bytes) else None


def _extraction_row(key: ContentKey, extractor: str, packed: PackedExtraction) -> tuple[Value, ...]:
    level, *values, _ = msgspec.structs.astuple(packed)
    if level is Level.ENTITIES:
        values[5] = ENTITIES_ONLY
    return (*key, extractor, *values)
