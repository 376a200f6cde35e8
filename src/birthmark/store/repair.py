"""Bring a ledger back into an empty database: from the log, or from what a damaged database still holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from birthmark.store.log import LedgerLog, Rows
from birthmark.store.port import LEDGER
from birthmark.store.sqlite import SqliteStore, ledger_columns
from birthmark.store.subscriptions import TABLES, SubscriptionStore

_BATCH = 1000


def restore_ledger(store: SqliteStore, log: LedgerLog, damaged: Path | None) -> int:
    """Returns how many rows there were. Only where the log has nothing is the damaged database looked into."""
    n_rows = sum(store.take_over(record) for record in log.records())
    if n_rows == 0 and damaged is not None:
        n_rows = sum(store.take_over(record) for record in _salvage(damaged))
    store.rewrite_log(log)
    return n_rows


def restore_subscriptions(store: SubscriptionStore, damaged: Path) -> int:
    """Returns how many rows of the damaged file could be read."""
    return sum(store.take_over(table, _readable(damaged, f"SELECT * FROM {table}")) for table in TABLES)


def _salvage(damaged: Path) -> Iterator[Rows]:
    """A table at a time, as far as it can be read."""
    for table in ("extractions", *LEDGER):
        rows = _readable(damaged, f"SELECT {ledger_columns(table)} FROM {table}")
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
