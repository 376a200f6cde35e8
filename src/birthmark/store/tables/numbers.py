"""How numbers are allotted: each table's go on from its last; paths have theirs behind the port.

Within a transaction ranges are allotted from memory, so that what is loaded in bulk asks the database once a table.
"""

from __future__ import annotations

from collections.abc import Collection

from birthmark.store.tables.database import Database
from birthmark.store.tables.schema import TABLES, having


class NumberedTables(Database):
    """What a transaction has allotted is forgotten with it."""

    def _forget_transaction(self) -> None:
        self._last: dict[str, int] = {}
        self._path_ids: dict[str, int] = {}

    def _allot(self, table: str, count: int) -> range:
        if table not in self._last:
            self._last[table] = int(self._value(f"SELECT max({TABLES[table].split()[0]}) FROM {table}") or 0)
        first = self._last[table] + 1
        self._last[table] += count
        return range(first, first + count)

    def _number_paths(self, paths: Collection[str]) -> dict[str, int]:
        """The numbers of paths; new ones get theirs."""
        known = self._path_ids
        if missing := {path: None for path in paths if path not in known}:
            known.update(self._rows(having("SELECT path, path_id FROM paths", "path"), missing))
            new = [path for path in missing if path not in known]
            rows = list(zip(self._allot("paths", len(new)), new, strict=True))
            self._insert("paths", rows)
            known.update((path, number) for number, path in rows)
        return known
