"""Subscriptions, notes, scans and messages in a file next to the index.

Documents that people wrote, and the contents accepted with them, are also in a log.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from birthmark.errors import BirthmarkError, StoreError
from birthmark.store.model import DocumentTable, StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.database import migrations
from birthmark.store.sqlite.log import subscription_file, subscription_log
from birthmark.store.sqlite.logged import LoggedDatabase
from birthmark.store.tables.database import Rows
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES, SubscriptionTables

_DELETED = "-"  # before the name of a table: ids of deleted rows
Written = dict[tuple[str, Value], Sequence[Value] | None]  # by table and id; None for deleted rows


class SqliteSubscriptions(LoggedDatabase, SubscriptionTables):
    """Open the file, which is created if missing, and read-only if it may not be written or the disk is full.

    Many processes may have it open at the same time.
    """

    promise = "keeps what was acknowledged"
    tables = SUBSCRIPTION_TABLES
    logged_tables = (*map(str, DocumentTable), "contents")
    _written: Written

    def __init__(self, location: StoreLocation, *, with_log: bool = True) -> None:
        path = subscription_file(location)
        self._failure: StoreError | None = None  # raised by every write
        self.log, self.mended, self._written = subscription_log(location) if with_log else None, [], {}
        is_writable = not path.exists() or all(map(_may_write, (path, path.parent)))
        try:
            self._open(location, path, is_writable=is_writable)
        except StoreError as error:
            if not is_writable or not path.exists():
                raise
            self._failure = error
            self._open(location, path, is_writable=False)

    def _open(self, location: StoreLocation, path: Path, *, is_writable: bool) -> None:
        super().__init__(location, path, writable=is_writable)
        scripts = migrations("subscriptions")
        with self._errors():
            version = self._version(scripts)
            self._require_log(version)
            if version == 0 and not is_writable:  # There was no room for its tables.
                self.connection = apsw.Connection(":memory:")
                self.connection.execute("\n".join(scripts))
            elif is_writable:
                self._migrate(scripts)
            elif version < len(scripts):
                raise BirthmarkError(f"{path}: was made by an older birthmark and may not be written; allow writing it")
        if self.log is not None and is_writable:
            self._reconcile(self.log)

    # Transactions

    @contextmanager
    def writing(self, *, is_last: bool = True) -> Iterator[None]:
        if self._failure is not None:
            raise self._failure
        self._written = {}
        with super().writing(is_last=is_last):
            yield

    def _write_rows(self, verb: str, table: str, rows: Iterable[Sequence[Value]]) -> None:
        rows = list(rows)
        if table not in self.logged_tables:
            super()._write_rows(verb, table, rows)
        elif not self.connection.in_transaction:
            with self.writing():
                self._write_rows(verb, table, rows)
        else:
            super()._write_rows(verb, table, rows)
            self._written.update({(table, row[0]): row for row in rows})

    def _delete(self, table: str, column: str, values: Collection[Value], **having: Value) -> None:
        if not self.connection.in_transaction:
            with self.writing():
                self._delete(table, column, values, **having)
        else:
            super()._delete(table, column, values, **having)
            self._written.update(dict.fromkeys((table, value) for value in values))

    def _before_commit(self, *, is_last: bool) -> None:
        written, self._written = self._written, {}
        record: Rows = {}
        for (table, id_), row in written.items():
            record.setdefault(table if row is not None else _DELETED + table, []).append(row or (id_,))
        if record:
            self._append_to_log(record)

    # The log

    def logged_rows(self) -> Iterator[Rows]:
        for table in self.logged_tables:
            yield {table: self._query(f"SELECT {', '.join(self.tables[table].split())} FROM {table}")}

    def _has_logged_rows(self) -> bool:
        return any(rows for record in self.logged_rows() for rows in record.values())

    def _compare_rows(self, records: Iterator[Rows], name: str) -> list[str]:
        logged, stored = _replay(records), _replay(self.logged_rows())
        differing = sorted({table for (table, _), _ in set(logged.items()) ^ set(stored.items())})
        return [f"{table}: differs from {name}" for table in differing]

    def import_rows(self, record: Rows) -> int:
        """Apply a record of a log; return its number of rows."""
        with self.writing():
            for name, rows in record.items():
                table = name.removeprefix(_DELETED)
                if name == table:
                    self._replace(table, rows)
                else:
                    self._delete(table, self.tables[table].split()[0], [row[0] for row in rows])
        return sum(len(rows) for rows in record.values())


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _replay(records: Iterator[Rows]) -> dict[tuple[str, Value], int]:
    """Return hashes of the rows that exist after all records."""
    found: dict[tuple[str, Value], int] = {}
    for record in records:
        for name, rows in record.items():
            for row in rows:
                if name.startswith(_DELETED):
                    found.pop((name.removeprefix(_DELETED), row[0]), None)
                else:
                    found[name, row[0]] = hash(tuple(row))
    return found
