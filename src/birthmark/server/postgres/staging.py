"""Rows in bulk: by COPY into a table or, where some may be there already, into a staging table and from there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from birthmark.server.postgres.connect import Connection

_FEW = 50  # rows for which a staging table is not worth it
_types: dict[tuple[str, tuple[str, ...]], list[int]] = {}  # of columns, by their table; they are PostgreSQL's own
_guarded: WeakKeyDictionary[Connection, bool] = WeakKeyDictionary()


def copy_rows(connection: Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Add rows, of which none may be there."""
    if rows and _may_copy(connection):
        _copy(connection, f"birthmark.{table}", table, tuple(columns), rows)
    elif rows:
        _stage(connection, table, tuple(columns), rows, "")


def replace_rows(
    connection: Connection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    key: Sequence[str],
    condition: str = "",
) -> None:
    """Put rows in the place of those that have the same key and fulfil a condition; without a key, add what is new."""
    columns = tuple(columns)
    if key:
        places = [columns.index(name) for name in key]
        by_key = {tuple(row[place] for place in places): row for row in rows}
        rows = [by_key[one] for one in sorted(by_key)]  # in one order, so that no two writers deadlock
    _stage(connection, table, columns, rows, _on_conflict(columns, tuple(key)) + condition)


def _stage(
    connection: Connection, table: str, columns: tuple[str, ...], rows: Sequence[Sequence[Any]], on_conflict: str
) -> None:
    names = _quoted(columns)
    if len(rows) < _FEW:
        values = ", ".join(f"${number}" for number in range(1, len(columns) + 1))
        insert = f"INSERT INTO birthmark.{table} ({names}) VALUES ({values}) {on_conflict}"
        connection.cursor().executemany(insert, rows)
        return
    staging = f"pg_temp.staged_{table}"
    same = f"SELECT {names} FROM birthmark.{table} WITH NO DATA"
    connection.execute(f"CREATE TEMPORARY TABLE IF NOT EXISTS staged_{table} AS {same}")
    _copy(connection, staging, table, columns, rows)
    connection.execute(f"INSERT INTO birthmark.{table} ({names}) SELECT {names} FROM {staging} {on_conflict}")
    connection.execute(f"TRUNCATE {staging}")


def _may_copy(connection: Connection) -> bool:
    """PostgreSQL copies nothing into a table whose rows are guarded from the role."""
    if connection not in _guarded:
        row = connection.execute("SELECT row_security_active('birthmark.versions')").fetchone()
        _guarded[connection] = bool(row and row[0])
    return not _guarded[connection]


def _copy(
    connection: Connection, target: str, table: str, columns: tuple[str, ...], rows: Sequence[Sequence[Any]]
) -> None:
    types = _column_types(connection, table, columns)
    with connection.cursor().copy(f"COPY {target} ({_quoted(columns)}) FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(types)
        for row in rows:
            copy.write_row(row)


def _column_types(connection: Connection, table: str, columns: tuple[str, ...]) -> list[int]:
    if (table, columns) not in _types:
        found = connection.execute(f"SELECT {_quoted(columns)} FROM birthmark.{table} LIMIT 0").description or []
        _types[table, columns] = [column.type_code for column in found]
    return _types[table, columns]


@lru_cache(256)
def _on_conflict(columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    if not key:
        return "ON CONFLICT DO NOTHING"
    changes = ", ".join(f'"{name}" = excluded."{name}"' for name in columns if name not in key)
    return f"ON CONFLICT ({_quoted(key)}) DO UPDATE SET {changes}"


def _quoted(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in columns)
