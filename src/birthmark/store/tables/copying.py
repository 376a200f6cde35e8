"""All rows of a store in a form that every store shares, to fill one store from another.

Stores agree on all numbers except those of extractions, which repositories of a database share: a version comes with
the key of its extraction instead. What a store derives from other rows, such as search indexes, is left out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from birthmark.store.model import COPY
from birthmark.store.port import Value
from birthmark.store.tables.caches import EXTRACTION, CacheTables
from birthmark.store.tables.database import TABLES

Row = Sequence[Any]
_OF_ONE_STORE = frozenset({COPY, "log_end", "log_number", "log_stale", "last_searched_key"})  # in `meta`
# The part of the cache that is copied: extractions of versions, and the texts of manifests.
_CACHED = """FROM extractions WHERE extraction IN (SELECT extraction FROM versions)
             OR language = '' AND content IN (SELECT content FROM files)"""
_VERSIONS = "version, path_id, content, language, extractor, run, identities"


class CopiedIndex(CacheTables):
    """Copy an index; `meta` comes last, because it describes the rest."""

    copied_tables = (*(table for table in TABLES if table != "meta"), "meta")

    @abstractmethod
    def meta(self, name: str) -> Value: ...

    @abstractmethod
    def set_meta(self, name: str, value: Value) -> None: ...

    def _selection(self, table: str) -> tuple[str, str]:
        if table == "extractions":
            return ", ".join(EXTRACTION), _CACHED
        if table == "versions":
            return _VERSIONS, "FROM versions JOIN extractions USING (extraction)"
        return super()._selection(table)

    def rows_of(self, table: str, skip: int = 0) -> Iterator[Row]:
        if table == "meta":
            return iter(self._settings()[skip:])
        rows, convert = super().rows_of(table, skip), self._converters.get(table)
        return rows if convert is None else (convert(self, row) for row in rows)

    def count_rows(self, table: str) -> int:
        return len(self._settings()) if table == "meta" else super().count_rows(table)

    def put_rows(self, table: str, rows: Sequence[Row]) -> None:
        put = self._putters.get(table)
        if put is None:
            super().put_rows(table, rows)
        else:
            put(self, rows)

    def _settings(self) -> list[Row]:
        names = [row[0] for row in self._query("SELECT name FROM meta ORDER BY name")]
        return [(name, self.meta(name)) for name in names if name not in _OF_ONE_STORE]

    def _put_settings(self, rows: Sequence[Row]) -> None:
        for name, value in rows:
            self.set_meta(name, value)

    def _put_versions(self, rows: Sequence[Row]) -> None:
        found = self._query(
            """SELECT content, language, extractor, extraction FROM extractions
               WHERE content IN (SELECT unhex(value) FROM json_each(?))""",
            self._contents(list({row[2] for row in rows})),
        )
        numbers = {((row[0], row[1]), row[2]): row[3] for row in found}
        self._insert(
            "versions",
            [
                (version, path_id, numbers[(content, language), extractor], run, identities)
                for version, path_id, content, language, extractor, run, identities in rows
            ],
        )

    def _read_posting(self, row: Row) -> Row:
        network, used, *rest = row
        return (network, self._unpack_node(used), *rest)

    def _put_postings(self, rows: Sequence[Row]) -> None:
        self._insert("postings", [(row[0], self._node(row[1]), *row[2:]) for row in rows])

    _converters: ClassVar[Mapping[str, Callable[[Any, Row], Row]]] = {"postings": _read_posting}
    _putters: ClassVar[Mapping[str, Callable[[Any, Sequence[Row]], None]]] = {
        "extractions": lambda self, rows: self._put_extractions(list(rows)),
        "versions": _put_versions,
        "postings": _put_postings,
        "meta": _put_settings,
    }
