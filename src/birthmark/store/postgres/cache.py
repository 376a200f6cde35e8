"""The cache of extractions, which all repositories of a database share."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from birthmark.model import Level
from birthmark.store.model import ContentKey
from birthmark.store.port import Value
from birthmark.store.postgres.connect import Connection, give, take
from birthmark.store.postgres.database import PostgresDatabase
from birthmark.store.postgres.staging import replace_rows
from birthmark.store.tables.cache import AT_LEVEL, ENTITIES_ONLY, EXTRACTION, CacheTable

# What another repository has extracted with more detail is kept.
_RANK = f"CASE WHEN {{0}}.nodes IS NOT NULL THEN 2 WHEN {{0}}.n_chunks <> {ENTITIES_ONLY} THEN 1 ELSE 0 END"
_NO_LESS = f" WHERE extractions.outline IS NULL OR {_RANK.format('excluded')} >= {_RANK.format('extractions')}"
_OURS = "extraction IN (SELECT extraction FROM versions)"


class PostgresCache(CacheTable, PostgresDatabase):
    """Extractions, by numbers that hold for all repositories."""

    @cached_property
    def _beside(self) -> Connection:
        """What is put is of use to all at once, and is not taken back with a transaction.

        Nor does it wait for one: others may put the same at the same time.
        """
        return take(self.location.url)

    def close(self) -> None:
        if "_beside" in self.__dict__:
            give(self.location.url, self._beside)
        super().close()

    def _put_extractions(self, rows: list[tuple[Value, ...]]) -> None:
        with self._errors(), self._beside.transaction():
            replace_rows(self._beside, "extractions", EXTRACTION, rows, EXTRACTION[:3], _NO_LESS)

    def _contents(self, content_ids: Collection[bytes]) -> list[bytes]:
        return list(content_ids)

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        """Of this repository."""
        rows = self._query(
            f"""SELECT extraction, content, language FROM extractions
                WHERE extractor = ? AND NOT ({AT_LEVEL[level]}) AND {_OURS}""",
            extractor,
        )
        return {row[0]: ContentKey(row[1], row[2]) for row in rows}

    def forget_outlines(self) -> None:
        """Those of this repository; others have packed theirs in the same way, or make them again."""
        statement = f"SELECT extraction FROM extractions WHERE outline IS NOT NULL AND {_OURS}"
        numbers = [row[0] for row in self._query(statement)]
        forget = "UPDATE birthmark.extractions SET outline = NULL, nodes = NULL WHERE extraction = ANY($1)"
        if numbers:
            with self._errors():
                self._beside.execute(forget, (numbers,))
