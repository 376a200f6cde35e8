"""All rows of an index as its database holds them, read by plain SQL: what one store holds, any other must hold.

Left out is what differs by nature: the status of files on disk, what a worktree is called, numbers of extractions,
which repositories share, and what each database derives for itself, to search in. The order of rows does not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import apsw
import psycopg

from birthmark.app.workspace.workspace import STORE, name_repository

Rows = dict[str, list[str]]

_LEFT_OUT = {
    "repository",
    "worktree",  # A database that others share calls it by machine and folder.
    *("mtime_ns", "ctime_ns", "inode"),
    *("from_kind", "from_name", "simple_name"),  # computed from the key
}
_NO_TABLES = ("searched_", "sqlite_", "meta", "extractions", "versions")
_NO_INDEX = {"contents", "fleet_repositories", "notes", "outbox", "scans", "subscriptions", "tokens"}
# SQLite has numbers and texts in one column, PostgreSQL texts after a sign.
_MIXED = {"postings": {"used"}}
_MARKED = """CASE typeof("{0}") WHEN 'text' THEN '=' || "{0}" ELSE CAST("{0}" AS TEXT) END"""
_COLUMNS = """SELECT relname, attname FROM pg_partitioned_table JOIN pg_class ON oid = partrelid
              JOIN pg_attribute ON attrelid = oid WHERE attnum > 0 AND NOT attisdropped"""
_VERSIONS = "SELECT version, path_id, run, identities, content, language, extractor, outline, source"


def database_rows(root: Path) -> Rows:
    """Of the index of a folder, in the store that is chosen, by table."""
    home, url = root / ".birthmark", os.environ.get(STORE)
    return _postgres_rows(url, name_repository(home)) if url else _sqlite_rows(home / "index.db")


def _sqlite_rows(file: Path) -> Rows:
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    rows = {"versions": _plain(connection.execute(f"{_VERSIONS} FROM versions JOIN extractions USING (extraction)"))}
    for table in _compared(tables):
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        mixed = _MIXED.get(table, ())
        wanted = ", ".join((_MARKED if name in mixed else '"{}"').format(name) for name in _wanted(columns))
        rows[table] = _plain(connection.execute(f"SELECT {wanted} FROM {table}"))  # noqa: S608 -- our own tables
    connection.close()
    return rows


def _postgres_rows(url: str, name: str) -> Rows:
    with psycopg.connect(url) as connection:
        number = connection.execute("SELECT repository FROM birthmark.repositories WHERE name = %s", [name]).fetchone()
        assert number is not None
        own = f"WHERE repository = {number[0]}"
        columns: dict[str, list[str]] = {}
        for table, column in connection.execute(_COLUMNS):
            columns.setdefault(table, []).append(column)
        versions = f"{_VERSIONS} FROM birthmark.versions JOIN birthmark.extractions USING (extraction) {own}"
        rows = {"versions": _plain(connection.execute(versions))}
        for table in _compared(columns):
            wanted = ", ".join(f'"{name}"' for name in _wanted(columns[table]))
            select = f"SELECT {wanted} FROM birthmark.{table} {own}"  # noqa: S608 -- our own tables
            rows[table] = _plain(connection.execute(select))
    return rows


def _compared(tables: Iterable[str]) -> list[str]:
    return [table for table in tables if table not in _NO_INDEX and not table.startswith(_NO_TABLES)]


def _wanted(columns: Iterable[str]) -> list[str]:
    return sorted(set(columns) - _LEFT_OUT)


def _plain(rows: Iterable[Any]) -> list[str]:
    """A truth value is a number in SQLite."""
    return sorted(repr([int(value) if isinstance(value, bool) else value for value in row]) for row in rows)
