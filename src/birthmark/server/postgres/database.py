"""A repository's rows in a database: transactions, queries, and rows in bulk by COPY.

Statements of `store/tables/` are written for SQLite and translated. A table of one repository is its rows of the table
that all repositories share; their number is a part of the statement, so that other partitions are left out when it is
planned. PostgreSQL does not take NUL, which names in broken sources may have: NUL and the character after it are
written as two characters each, which keeps the order of texts. Few repositories have any; those are marked, so that the
texts of all others are read as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from itertools import count
from typing import Any, ClassVar

from psycopg.pq import TransactionStatus

from birthmark.errors import BirthmarkError
from birthmark.server.postgres.connect import Connection, give, server_errors, take
from birthmark.server.postgres.schema import (
    WRITING,
    check_lock,
    has_escapes,
    mark_escapes,
    migrations,
    read_repository,
    register,
)
from birthmark.server.postgres.staging import copy_rows, replace_rows
from birthmark.store.model import StoreLocation, shown_url
from birthmark.store.port import Value
from birthmark.store.tables.database import TABLES, Database
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES

_PORTION = 2000  # rows that are fetched at once
# The same questions are asked again and again, about few things each: to plan one takes longer than to answer it. A
# writer does not keep plans, for its tables may have been empty when it made them.
_READER = "SET default_transaction_read_only = on; SET plan_cache_mode = force_generic_plan"
_ESCAPED = {"\0": "\x01\x01", "\x01": "\x01\x02"}
_MEANT = {escaped: character for character, escaped in _ESCAPED.items()}
_TO_ESCAPE = re.compile("[\0\x01]")
_ESCAPE = re.compile("\x01[\x01\x02]")
SCHEMA = "birthmark"
_SHARED = frozenset({"extractions"})  # by all repositories
_OWN = frozenset({*TABLES, *SUBSCRIPTION_TABLES, "present", "searched_names", "searched_texts"}) - _SHARED
_HINTS = ((r"CROSS JOIN", "JOIN"), (r" INDEXED BY \w+", ""), (r"\+snapshot\b", "snapshot"))  # for SQLite's planner
_ARRAY = re.compile(r"IN \(SELECT (?:value|unhex\(value\)) FROM json_each\((\?\d*)\)\)")
_CHANGED = re.compile(r"\b(DELETE FROM|UPDATE) (\w+)\b(.*?)\bWHERE\b", re.DOTALL)
_COPIED = re.compile(r"\bINSERT INTO (\w+) \((.*?)\)\s+SELECT\b", re.DOTALL)
_READ = re.compile(r"\b(FROM|JOIN) (\w+)\b(?![.(])(?: AS (\w+))?")
_PARAMETER = re.compile(r"\?(\d*)")


class PostgresDatabase(Database):
    """The rows of one repository. Writers register the repository; readers require it."""

    tables: ClassVar[Mapping[str, str]] = TABLES
    primary_keys: ClassVar[Mapping[str, tuple[str, ...]]]  # of tables in which rows are replaced
    is_index: ClassVar[bool] = True
    _names = count(1)
    _n_inserted = 0  # rows, in the transaction

    def __init__(self, location: StoreLocation, *, writable: bool) -> None:
        self.location = location
        self.connection: Connection = take(location.url)
        try:
            with self._errors():
                self.number = self._open(writable)
                self._has_escapes = has_escapes(self.connection, self.number)
        except BaseException:
            self.close()
            raise

    def _open(self, writable: bool) -> int:
        if writable:
            return register(self.connection, self.location, of_index=self.is_index)
        found = read_repository(self.connection, self.location)
        if found.repository is None:
            raise BirthmarkError(f"{self.repository}: there is no index; run `birthmark index` first")
        if found.version < len(migrations()):
            raise BirthmarkError(
                f"{self.repository}: was made by an older birthmark; run `birthmark index` to upgrade it"
            )
        self.connection.execute(_READER)
        return found.repository

    @property
    def repository(self) -> str:
        return f"{shown_url(self.location.url)} ({self.location.repository})"

    def mend_log(self) -> list[str]:
        """The server keeps its own log."""
        return []

    def close(self) -> None:
        give(self.location.url, self.connection)

    @contextmanager
    def writing(self, *, is_last: bool = True) -> Iterator[None]:
        with self._errors():
            self.connection.execute("BEGIN")
            self._n_inserted = 0
            try:
                lock = (WRITING + self.is_index, self.number)
                self.connection.execute("SELECT pg_advisory_xact_lock($1::integer, $2::integer)", lock)
                yield
                self._before_commit(is_last=is_last)
                if self.is_index:
                    check_lock(self.location.url, self.number)
                self.connection.execute("COMMIT")
            except BaseException:
                if not self.connection.closed:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._errors():
            self.connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        try:
            yield
        finally:
            if not self.connection.closed:
                with self._errors():
                    self.connection.execute("ROLLBACK")

    def _before_commit(self, *, is_last: bool) -> None:
        """For what else must be done before a transaction ends."""

    def _errors(self) -> AbstractContextManager[None]:
        return server_errors(self.location.url)

    def _query(self, statement: str, *values: Any) -> list[Any]:
        with self._errors():
            rows = self.connection.execute(translate(statement, self.number), escape_row(values)).fetchall()
        return [unescape_row(row) for row in rows] if self._has_escapes else rows

    def _each(self, statement: str, *values: Any) -> Iterator[Any]:
        is_open = self.connection.info.transaction_status is not TransactionStatus.IDLE
        name = f"rows_{next(self._names)}"
        with self._errors(), self.connection.cursor(name, withhold=not is_open) as cursor:
            cursor.itersize = _PORTION
            rows = cursor.execute(translate(statement, self.number), escape_row(values))
            yield from map(unescape_row, rows) if self._has_escapes else rows

    def _execute(self, statement: str, *values: Any) -> int:
        with self._errors():
            return self.connection.execute(translate(statement, self.number), self._escaped([values])[0]).rowcount

    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        own = self._own(rows)
        self._n_inserted += len(own)
        with self._errors():
            copy_rows(self.connection, table, self._columns(table), own)

    def _replace(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        key = ("repository", *self.primary_keys[table])
        with self._errors():
            replace_rows(self.connection, table, self._columns(table), self._own(rows), key)

    def _add(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        with self._errors():
            replace_rows(self.connection, table, self._columns(table), self._own(rows), ())

    def _columns(self, table: str) -> tuple[str, ...]:
        return ("repository", *self.tables[table].split())

    def _own(self, rows: Iterable[Sequence[Value]]) -> list[Sequence[Value]]:
        return self._escaped([(self.number, *row) for row in rows])

    def _escaped(self, rows: list[Sequence[Any]]) -> list[Sequence[Any]]:
        """Escape rows for the database, and record in the repository that it has escapes."""
        if not any(_is_special(value) for row in rows for value in row):
            return rows
        if not self._has_escapes:
            mark_escapes(self.connection, self.number)
            self._has_escapes = True
        return [escape_row(row) for row in rows]

    def _array(self, values: Collection[Value]) -> list[Value]:
        return list(values)


def escape_row(row: Sequence[Any]) -> Sequence[Any]:
    return tuple(map(_escape, row)) if any(map(_is_special, row)) else row


def unescape_row(row: Sequence[Any]) -> Sequence[Any]:
    return tuple(map(_unescape, row))


def _is_special(value: Any) -> bool:
    if type(value) is list:
        return any(map(_is_special, value))
    return isinstance(value, str) and ("\0" in value or "\x01" in value)


def _escape(value: Any) -> Any:
    if isinstance(value, list):
        return [_escape(one) for one in value]
    return _TO_ESCAPE.sub(lambda found: _ESCAPED[found[0]], value) if isinstance(value, str) else value


def _unescape(value: Any) -> Any:
    return _ESCAPE.sub(lambda found: _MEANT[found[0]], value) if isinstance(value, str) else value


@lru_cache(4096)
def translate(statement: str, repository: int) -> str:
    """Values are numbered: `?`, `?` becomes `$1`, `$2`."""
    for hint, replacement in _HINTS:
        statement = re.sub(hint, replacement, statement)
    statement = _ARRAY.sub(r"= ANY(\1)", statement)
    statement = _CHANGED.sub(rf"\1 {SCHEMA}.\2\3WHERE repository = {repository} AND", statement)
    statement = _COPIED.sub(rf"INSERT INTO {SCHEMA}.\1 (repository, \2) SELECT {repository},", statement)
    statement = _READ.sub(lambda found: _table(found[1], found[2], found[3], repository), statement)
    numbers = count(1)
    return _PARAMETER.sub(lambda found: f"${found[1] or next(numbers)}", statement)


def _table(verb: str, name: str, alias: str | None, repository: int) -> str:
    if name in _SHARED:
        return f"{verb} {SCHEMA}.{name} AS {alias or name}"
    if name in _OWN:
        return f"{verb} (SELECT * FROM {SCHEMA}.{name} WHERE repository = {repository}) AS {alias or name}"
    return f"{verb} {name}" + (f" AS {alias}" if alias else "")
