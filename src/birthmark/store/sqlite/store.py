"""The index in SQLite: one file that many may read while one writes.

A write is one transaction; what it adds to the ledger is appended to the log (`log.py`) before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.cache import SqliteCache
from birthmark.store.sqlite.connect import migrations
from birthmark.store.sqlite.files import ledger_log
from birthmark.store.sqlite.logged import LoggedDatabase
from birthmark.store.sqlite.search import SearchTables
from birthmark.store.tables.commits import CommitTables
from birthmark.store.tables.copying import CopiedIndex
from birthmark.store.tables.database import Rows
from birthmark.store.tables.ledger import LedgerTables
from birthmark.store.tables.merges import MergeTables
from birthmark.store.tables.packages import PackageTables
from birthmark.store.tables.schema import LEDGER, having, select_ledger
from birthmark.store.tables.snapshots import SnapshotTables


class SqliteStore(
    LoggedDatabase,
    CopiedIndex,
    SnapshotTables,
    LedgerTables,
    MergeTables,
    CommitTables,
    PackageTables,
    SearchTables,
    SqliteCache,
):
    """Opens an index; a writable one is migrated, and its log reconciled unless it is left out."""

    logged_tables = ("extractions", *LEDGER)
    compared_tables = LEDGER
    _places = "json_each(?) AS place", "place.value ->> 0", "place.value ->> 1"

    def __init__(self, location: StoreLocation, *, writable: bool = False, with_log: bool = True) -> None:
        super().__init__(location, writable=writable)
        self.log, self.mended = ledger_log(location) if with_log else None, []
        with self._errors():
            version = self._version(migrations())
            self._require_log(version)
            if version == 0 and not writable:
                raise BirthmarkError(f"{self.path}: there is no complete index; run `birthmark index`")
            if writable:
                self._migrate(migrations())
                is_interrupted = not self._has_indexes() and self.has_identities()
                if 0 < version < len(migrations()) or is_interrupted:
                    with super().writing():
                        self._build_indexes()
                        self._add_searched_names()
            elif version < len(migrations()):
                raise BirthmarkError(f"{self.path} was made by an older birthmark; run `birthmark index` to upgrade it")
        if writable and self.log is not None:
            self._reconcile(self.log)

    @contextmanager
    def writing(self, *, is_last: bool = True) -> Iterator[None]:
        self._forget_transaction()
        try:
            with super().writing(is_last=is_last):
                yield
            if self._is_log_stale:
                self._is_log_stale = False
                self._renew_log()
        finally:
            self._forget_transaction()

    def _before_commit(self, *, is_last: bool) -> None:
        if self._added:
            if is_last or self._has_indexes():
                self._build_indexes()
                self._add_searched_names()
            self._append_to_log(self._log_record())

    def tidy(self) -> None:
        """Move what was written lately into the file itself, and refresh the planner's statistics."""
        with self._errors():
            self.connection.execute("PRAGMA optimize")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # The log

    def _log_record(self) -> Rows:
        """What was added, with what its versions were extracted from."""
        used = {int(row[2] or 0) for row in self._added.get("versions", ())}
        return {"extractions": self._rows(having(select_ledger("extractions"), "extraction"), used), **self._added}

    def logged_rows(self) -> Iterator[Rows]:
        for table in self.logged_tables:
            yield {table: self._query(select_ledger(table))}

    def _has_logged_rows(self) -> bool:
        return self.has_identities()

    def import_rows(self, record: Rows) -> int:
        """Add rows of a ledger that are not known yet; returns how many were given."""
        with self.writing():
            for table, rows in record.items():
                self._add(table, rows)
        return sum(len(rows) for rows in record.values())
