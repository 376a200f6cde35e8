"""A database file: migrations, transactions and queries, with failures said in one line.

What the stores of an index and of subscriptions have in common.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, ClassVar

from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.connect import connect, database_errors
from birthmark.store.sqlite.log import require_file
from birthmark.store.tables.database import Database
from birthmark.store.tables.schema import TABLES


class SqliteDatabase(Database):
    """A file in the folder of a repository's stores."""

    promise = "keeps every identity"  # what a repair does
    tables: ClassVar[Mapping[str, str]] = TABLES

    def __init__(self, location: StoreLocation, path: Path, *, writable: bool) -> None:
        self.location, self.path = location, path
        if path.exists():
            require_file(path, path.stat())
        with self._errors():
            self.connection = connect(path, writable)

    @property
    def repository(self) -> str:
        return str(self.location.folder)

    def close(self) -> None:
        with self._errors():
            self.connection.close()

    @contextmanager
    def writing(self, *, is_last: bool = True) -> Iterator[None]:
        with self._errors():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._before_commit(is_last=is_last)
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        with self._errors():
            self.connection.execute("BEGIN")
        try:
            yield
        finally:
            self.connection.execute("ROLLBACK")

    def _before_commit(self, *, is_last: bool) -> None:
        """For what else must be done before a transaction ends."""

    def check_integrity(self) -> list[str]:
        lines = [str(row[0]) for row in self._query("PRAGMA integrity_check(10)")]
        return [] if lines == ["ok"] else lines

    def _version(self, scripts: Collection[str]) -> int:
        """The number of migrations that were applied."""
        version = int(self._value("PRAGMA user_version") or 0)
        if version > len(scripts):
            raise BirthmarkError(f"{self.path} was made by a newer birthmark; upgrade birthmark to use it")
        return version

    def _migrate(self, scripts: tuple[str, ...]) -> None:
        if self._version(scripts) < len(scripts):
            with self.writing():  # Another process may have done so meanwhile.
                for number in range(self._version(scripts), len(scripts)):
                    self.connection.execute(scripts[number])
                    self.connection.execute(f"PRAGMA user_version = {number + 1}")

    def _errors(self) -> AbstractContextManager[None]:
        return database_errors(self.path, self.promise)

    def _query(self, statement: str, *values: Value) -> list[Any]:
        with self._errors():
            return list(self.connection.execute(statement, values))

    def _each(self, statement: str, *values: Value) -> Iterator[Any]:
        with self._errors():
            yield from self.connection.execute(statement, values)

    def _execute(self, statement: str, *values: Value) -> int:
        with self._errors():
            self.connection.execute(statement, values)
            return self.connection.changes()

    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        self._write_rows("INSERT", table, rows)

    def _replace(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        self._write_rows("INSERT OR REPLACE", table, rows)

    def _add(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        self._write_rows("INSERT OR IGNORE", table, rows)

    def _write_rows(self, verb: str, table: str, rows: Iterable[Sequence[Value]]) -> None:
        columns = self.tables[table].split()
        statement = f"{verb} INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        with self._errors():
            self.connection.executemany(statement, rows)

    def _array(self, values: Collection[Value]) -> str:
        return json.dumps(list(values))
