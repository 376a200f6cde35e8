"""The cache of extractions in the file of the index."""

from __future__ import annotations

import json
from collections.abc import Collection

from birthmark.store.port import Value
from birthmark.store.sqlite.database import SqliteDatabase
from birthmark.store.tables.cache import EXTRACTION, CacheTable

_PUT = f"""
    INSERT INTO extractions ({", ".join(EXTRACTION)}) VALUES ({", ".join("?" * len(EXTRACTION))})
    ON CONFLICT DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in EXTRACTION[3:])}"""


class SqliteCache(CacheTable, SqliteDatabase):
    """Extractions, by their numbers."""

    def _put_extractions(self, rows: list[tuple[Value, ...]]) -> None:
        with self._errors(), self.connection:  # a transaction of its own, or a part of the open one
            self.connection.executemany(_PUT, rows)

    def _contents(self, content_ids: Collection[bytes]) -> str:
        return json.dumps([content_id.hex() for content_id in content_ids])

    def forget_outlines(self) -> None:
        """What was packed by another version of this program cannot be unpacked; the sources stay."""
        self._execute("UPDATE extractions SET outline = NULL, nodes = NULL")
