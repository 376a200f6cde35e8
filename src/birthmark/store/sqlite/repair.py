"""Restore an empty database from its log and, if that is damaged, from the readable rows of the old database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import apsw

from birthmark.store.sqlite.log import RowLog
from birthmark.store.sqlite.logged import set_aside
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions
from birthmark.store.tables.database import TABLES, Rows, select_ledger
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES

_BATCH = 1000
_TYPES: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "TEXT": (str,), "BLOB": (bytes,), "REAL": (int, float)}


class Restored(NamedTuple):
    """Numbers of rows from the log and from the damaged database, and the damage of the log."""

    n_logged: int
    n_salvaged: int
    log_damage: str

    def describe(self, what: str) -> list[str]:
        lines = [f"{self.n_logged:,} rows of {what} were restored from the log"]
        if self.log_damage:
            lines += [
                f"the log was damaged, too: {self.log_damage}",
                f"{self.n_salvaged:,} rows were read from the damaged database; what neither file has is lost",
            ]
        return lines


def restore_ledger(store: SqliteStore, log: RowLog, damaged: Path | None) -> Restored:
    """Restore the ledger; the damaged database is read only if the log is damaged, too."""
    return _restore(store, log, damaged, store.logged_tables, select_ledger, TABLES)


def restore_subscriptions(store: SqliteSubscriptions, log: RowLog, damaged: Path | None) -> Restored:
    """Restore subscriptions; scans and messages, which are not in the log, are read from the damaged file."""
    for table in SUBSCRIPTION_TABLES.keys() - set(store.logged_tables):
        for record in _salvage(damaged, [table], _select, SUBSCRIPTION_TABLES):
            store.import_rows(record)
    return _restore(store, log, damaged, store.logged_tables, _select, SUBSCRIPTION_TABLES)


def _restore(
    store: SqliteStore | SqliteSubscriptions,
    log: RowLog,
    damaged: Path | None,
    tables: Iterable[str],
    select: Callable[[str], str],
    columns: dict[str, str],
) -> Restored:
    state = log.read()
    n_logged, n_salvaged = sum(store.import_rows(record) for record in log.records(state)), 0
    damage = state.describe() or ("" if state.frames else "it has no record")
    if damage:
        n_salvaged = sum(store.import_rows(record) for record in _salvage(damaged, tables, select, columns))
        if state.size:
            set_aside(log.path)
    if isinstance(store, SqliteStore):
        with store.writing():
            store.apply_merges()
    store.rewrite_log(log, state.newest)
    return Restored(n_logged, n_salvaged, damage)


def _select(table: str) -> str:
    return f"SELECT {', '.join(SUBSCRIPTION_TABLES[table].split())} FROM {table}"


def _salvage(
    damaged: Path | None, tables: Iterable[str], select: Callable[[str], str], columns: dict[str, str]
) -> Iterator[Rows]:
    """Yield the readable rows, a table at a time."""
    if damaged is None or not damaged.is_file():
        return
    for table in tables:
        rows = _readable(damaged, table, select(table), columns[table].split())
        for first in range(0, len(rows), _BATCH):
            yield {table: rows[first : first + _BATCH]}


def _readable(damaged: Path, table: str, query: str, columns: list[str]) -> list[Any]:
    """Return the rows before the first error, without those with values of a wrong type."""
    rows = []
    try:
        source = apsw.Connection(str(damaged), flags=apsw.SQLITE_OPEN_READONLY)
        declared = {row[1]: row[2:4] for row in source.execute(f"PRAGMA table_info({table})")}
        kinds = [declared[name] for name in columns]
        for row in source.execute(query):
            if all(_fits(value, *kind) for value, kind in zip(row, kinds, strict=True)):
                rows.append(row)  # noqa: PERF401 (keep the rows read before an error)
    except (apsw.Error, UnicodeDecodeError, KeyError):
        pass
    return rows


def _fits(value: Any, kind: str, not_null: int) -> bool:
    return not not_null if value is None else isinstance(value, _TYPES.get(kind, (object,)))
