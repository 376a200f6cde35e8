"""The cache of extractions: what was extracted from a content in a language by an extractor."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence

from birthmark.store.port import SKETCHED, Value
from birthmark.store.sqlite.database import Database
from birthmark.store.sqlite.schema import TABLES, having

_WITH_NODES, _IN_FULL = "nodes IS NOT NULL", f"outline IS NOT NULL AND n_chunks != {SKETCHED}"


class CacheTable(Database):
    """Extractions, by their numbers."""

    def keep_extractions(self, rows: Iterable[Sequence[Value]]) -> None:
        """Add to the cache. The number of an extraction is the store's to give; a forgotten one has it already."""
        columns = TABLES["extractions"].split()[1:]
        self.connection.executemany(
            f"INSERT INTO extractions ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
            f" ON CONFLICT DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in columns[3:])}",
            rows,
        )

    def forget_outlines(self) -> None:
        """What was packed by another version of this program cannot be unpacked; the sources stay."""
        with self._errors():
            self.connection.execute("UPDATE extractions SET outline = NULL, nodes = NULL")

    def extractions(
        self,
        contents: Collection[tuple[bytes, str]],
        extractor: str,
        *,
        with_nodes: bool = False,
        or_sketched: bool = False,
    ) -> dict[tuple[bytes, str], int]:
        """The extractions that are kept, by content and language; with their nodes, or only sketched, where asked."""
        kept = "outline IS NOT NULL" if or_sketched else _WITH_NODES if with_nodes else _IN_FULL
        found = self._query(
            f"""SELECT content, language, extraction FROM extractions
                WHERE content IN (SELECT unhex(value) FROM json_each(?)) AND extractor = ? AND {kept}""",
            json.dumps([content.hex() for content, _ in contents]),
            extractor,
        )
        return {(content, language): extraction for content, language, extraction in found}

    def sketches(self, extractions: Collection[int]) -> dict[int, tuple[bytes, str]]:
        """Those of them that are mere sketches, with content and language."""
        statement = having("SELECT extraction, content, language FROM extractions", "extraction")
        rows = self._rows(f"{statement} AND n_chunks = {SKETCHED}", extractions)
        return {row[0]: (row[1], row[2]) for row in rows}

    def forgotten(self, extractor: str) -> dict[int, tuple[bytes, str]]:
        """The extractions whose outlines are no longer kept, with content and language."""
        statement = "SELECT extraction, content, language FROM extractions WHERE outline IS NULL AND extractor = ?"
        return {row[0]: (row[1], row[2]) for row in self._query(statement, extractor)}

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
