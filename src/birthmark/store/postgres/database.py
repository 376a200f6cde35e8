"""A repository's rows in a database: transactions, queries, and rows in bulk by COPY."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from typing import Any, ClassVar

from psycopg.pq import TransactionStatus

from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation, shown_url
from birthmark.store.port import Value
from birthmark.store.postgres.connect import Connection, give, server_errors, take
from birthmark.store.postgres.escapes import escape_row, needs_escapes, unescape_row
from birthmark.store.postgres.locks import WRITING, check_lock
from birthmark.store.postgres.schema import has_escapes, mark_escapes, migrations, read_repository, register
from birthmark.store.postgres.staging import copy_rows, replace_rows
from birthmark.store.postgres.translation import translate
from birthmark.store.tables.database import Database
from birthmark.store.tables.schema import TABLES

_PORTION = 2000  # rows that are fetched at once
# The same questions are asked again and again, about few things each: to plan one takes longer than to answer it. A
# writer does not keep plans, for its tables may have been empty when it made them.
_READER = "SET default_transaction_read_only = on; SET plan_cache_mode = force_generic_plan"


class PostgresDatabase(Database):
    """What one repository has. Who writes registers it; who reads must find it."""

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
        """As the database takes them; that there are escapes is written down with the first."""
        if not needs_escapes(rows):
            return rows
        if not self._has_escapes:
            mark_escapes(self.connection, self.number)
            self._has_escapes = True
        return [escape_row(row) for row in rows]

    def _array(self, values: Collection[Value]) -> list[Value]:
        return list(values)
