"""How numbers are allotted: each table's go on from its last; paths have theirs behind the port.

Within a transaction ranges are allotted from memory, so that what is loaded in bulk asks the database once a table.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.connect import index_script
from birthmark.store.sqlite.database import Database
from birthmark.store.sqlite.files import index_file
from birthmark.store.sqlite.schema import LEDGER, TABLES, Rows, having, insert_into


class NumberedTables(Database):
    """Inserts rows, and remembers what a transaction adds to the ledger."""

    def __init__(self, location: StoreLocation, *, writable: bool) -> None:
        super().__init__(location, index_file(location), writable=writable)
        self._forget_transaction()

    def _forget_transaction(self) -> None:
        self._added: Rows = {}
        self._last: dict[str, int] = {}
        self._path_ids: dict[str, int] = {}

    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        if table in LEDGER:
            rows = list(rows)
            self._added.setdefault(table, []).extend(rows)
        self.connection.executemany(insert_into(table), rows)

    def _build_indexes(self) -> None:
        """Those of a first index are built once it is loaded."""
        self.connection.execute(index_script())

    def _has_indexes(self) -> bool:
        """False before the last transaction of a first index."""
        return bool(self._query("SELECT 1 FROM sqlite_schema WHERE name = 'identities_by_mark'"))

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
