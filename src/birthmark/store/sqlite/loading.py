"""How a first index is loaded, and what a transaction adds to the ledger remembered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.connect import index_script
from birthmark.store.sqlite.database import SqliteDatabase
from birthmark.store.sqlite.files import index_file
from birthmark.store.tables.database import Rows
from birthmark.store.tables.numbers import NumberedTables
from birthmark.store.tables.schema import LEDGER


class LoadedTables(NumberedTables, SqliteDatabase):
    """Inserts rows; indexes of a first index are built when it is loaded."""

    def __init__(self, location: StoreLocation, *, writable: bool) -> None:
        super().__init__(location, index_file(location), writable=writable)
        self._forget_transaction()

    def _forget_transaction(self) -> None:
        super()._forget_transaction()
        self._added: Rows = {}

    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        if table in LEDGER:
            rows = list(rows)
            self._added.setdefault(table, []).extend(rows)
        super()._insert(table, rows)

    def _build_indexes(self) -> None:
        """Those of a first index are built once it is loaded."""
        self.connection.execute(index_script())

    def _has_indexes(self) -> bool:
        """False before the last transaction of a first index."""
        return bool(self._query("SELECT 1 FROM sqlite_schema WHERE name = 'identities_by_mark'"))
