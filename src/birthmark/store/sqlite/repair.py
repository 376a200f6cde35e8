"""Restore a ledger into an empty database: from the log, or from the readable rows of a damaged database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from birthmark.store.sqlite.log import LedgerLog
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions
from birthmark.store.tables.database import Rows
from birthmark.store.tables.schema import LEDGER, select_ledger
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES

_BATCH = 1000


def restore_ledger(store: SqliteStore, log: LedgerLog, damaged: Path | None) -> int:
    """Returns how many rows there were. The damaged database is read only where the log has nothing."""
    n_rows = sum(store.import_rows(record) for record in log.records())
    if n_rows == 0 and damaged is not None:
        n_rows = sum(store.import_rows(record) for record in _salvage(damaged))
    store.rewrite_log(log)
    return n_rows


def restore_subscriptions(store: SqliteSubscriptions, damaged: Path) -> int:
    """Returns how many rows of the damaged file could be read."""
    return sum(store.import_rows(table, _readable(damaged, f"SELECT * FROM {table}")) for table in SUBSCRIPTION_TABLES)


def _salvage(damaged: Path) -> Iterator[Rows]:
    """A table at a time, as far as it can be read."""
    for table in ("extractions", *LEDGER):
        rows = _readable(damaged, select_ledger(table))
        for first in range(0, len(rows), _BATCH):
            yield {table: rows[first : first + _BATCH]}


def _readable(damaged: Path, query: str) -> list[Any]:
    """The rows that come before an error."""
    rows = []
    with suppress(apsw.Error):
        source = apsw.Connection(str(damaged), flags=apsw.SQLITE_OPEN_READONLY)
        for row in source.execute(query):
            rows.append(row)  # noqa: PERF402 (what was read before an error counts)
    return rows


def set_aside(database: Path) -> Path:
    """Rename a damaged file, without the files that SQLite keeps beside it."""
    aside = database.with_name(f"{database.stem}.damaged-{int(time.time())}.db")
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    database.replace(aside)
    return aside
