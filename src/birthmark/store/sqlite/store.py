"""The index in SQLite: one file that many may read while one writes.

A write is one transaction; what it adds to the ledger is appended to the log (`log.py`) before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from birthmark.errors import BirthmarkError, DamagedError
from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.cache import SqliteCache
from birthmark.store.sqlite.connect import migrations
from birthmark.store.sqlite.files import ledger_log
from birthmark.store.sqlite.log import LedgerLog
from birthmark.store.sqlite.search import SearchTables
from birthmark.store.tables.commits import CommitTables
from birthmark.store.tables.copying import CopiedIndex
from birthmark.store.tables.database import Rows
from birthmark.store.tables.ledger import LedgerTables
from birthmark.store.tables.packages import PackageTables
from birthmark.store.tables.schema import LEDGER, having, select_ledger
from birthmark.store.tables.snapshots import SnapshotTables


class SqliteStore(CopiedIndex, SnapshotTables, LedgerTables, CommitTables, PackageTables, SearchTables, SqliteCache):
    """Opens an index; a writable one is migrated, and its log reconciled unless it is left out."""

    _places = "json_each(?) AS place", "place.value ->> 0", "place.value ->> 1"

    def __init__(self, location: StoreLocation, *, writable: bool = False, with_log: bool = True) -> None:
        super().__init__(location, writable=writable)
        self.log = ledger_log(location) if with_log else None
        with self._errors():
            version = self._version(migrations())
            if version == 0 and (not writable or (self.log is not None and self.log.size())):
                raise DamagedError(
                    f"{self.path}: the index is empty; run `birthmark doctor`, which keeps every identity"
                )
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
        finally:
            self._forget_transaction()

    def _before_commit(self, *, is_last: bool) -> None:
        if self._added:
            if is_last or self._has_indexes():
                self._build_indexes()
                self._add_searched_names()
            if self.log is not None:
                self._set_log_end(self.log.append(self._log_record()))

    def meta(self, name: str) -> Value:
        return self._value("SELECT value FROM meta WHERE name = ?", name)

    def set_meta(self, name: str, value: Value) -> None:
        self._replace("meta", [(name, value)])

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

    def _reconcile(self, log: LedgerLog) -> None:
        """Make the log agree with the database: cut off what was never committed, write what is missing."""
        if self.is_behind(log):
            raise DamagedError(
                f"{self.path}: is older than its ledger; run `birthmark doctor`, which keeps every identity"
            )
        end = self._log_end()
        if log.size() > end:
            log.truncate(end)
        elif log.size() < end:
            self.rewrite_log(log)

    def is_behind(self, log: LedgerLog) -> bool:
        """Whether the log has more than the one transaction that may have failed: this is an older copy, say."""
        return sum(1 for _ in log.records(self._log_end())) > 1

    def log_is_whole(self) -> bool:
        """Whether the log has every identity."""
        records = self.log.records() if self.log is not None else ()
        return sum(len(rows.get("identities", ())) for rows in records) == self.count_identities()

    def _log_end(self) -> int:
        return int(self.meta("log_end") or 0)

    def _set_log_end(self, end: int) -> None:
        self.set_meta("log_end", end)

    def rewrite_log(self, log: LedgerLog) -> None:
        """Write the log anew from the database."""
        with self._errors():
            self._set_log_end(log.rewrite(self.ledger()))

    def ledger(self) -> Iterator[Rows]:
        """All rows of the ledger, a table at a time."""
        for table in ("extractions", *LEDGER):
            yield {table: self._query(select_ledger(table))}

    def import_rows(self, record: Rows) -> int:
        """Add rows of a ledger that are not known yet; returns how many were given."""
        with self.writing():
            for table, rows in record.items():
                self._add(table, rows)
        return sum(len(rows) for rows in record.values())
