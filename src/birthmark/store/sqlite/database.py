"""A database file: migrations, transactions and queries.

This is the common part of the stores of an index and of subscriptions. Failures become one-line errors with advice.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import apsw

from birthmark.errors import BirthmarkError, DamagedError, StoreError
from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.log import require_file
from birthmark.store.tables.database import TABLES, Database

_MIGRATIONS = Path(__file__).parents[1] / "migrations"
_BUSY_MS = 10_000
_PAGE_BYTES = 16_384


class SqliteDatabase(Database):
    """A database file in the folder of a repository's stores."""

    promise = "keeps every identity"  # of a repair
    tables: ClassVar[Mapping[str, str]] = TABLES

    def __init__(self, location: StoreLocation, path: Path, *, writable: bool) -> None:
        self.location, self.path = location, path
        if path.exists():
            require_file(path, path.stat())
        with self._errors():
            self.connection = _connect(path, writable)

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
        """Finish a transaction; subclasses add to it."""

    def check_integrity(self) -> list[str]:
        lines = [str(row[0]) for row in self._query("PRAGMA integrity_check(10)")]
        return [] if lines == ["ok"] else lines

    def _version(self, scripts: Collection[str]) -> int:
        """Return the number of applied migrations."""
        version = int(self._value("PRAGMA user_version") or 0)
        if version > len(scripts):
            raise BirthmarkError(f"{self.path} was made by a newer birthmark; upgrade birthmark to use it")
        return version

    def _migrate(self, scripts: tuple[str, ...]) -> None:
        if self._version(scripts) < len(scripts):
            with self.writing():  # Another process may have migrated it meanwhile.
                for number in range(self._version(scripts), len(scripts)):
                    self.connection.execute(scripts[number])
                    self.connection.execute(f"PRAGMA user_version = {number + 1}")

    def _errors(self) -> AbstractContextManager[None]:
        return _database_errors(self.path, self.promise)

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


@contextmanager
def _database_errors(path: Path, promise: str) -> Iterator[None]:
    """Turn errors of SQLite into one line that says what to do, with the promise of a repair."""
    try:
        yield
    except tuple(_ADVICE) as error:
        make, advice = next(advice for kind, advice in _ADVICE.items() if isinstance(error, kind))
        raise make(f"{path}: {advice.format(promise)}") from error
    except apsw.SQLError as error:
        if not str(error).startswith("no such table"):
            raise
        raise DamagedError(f"{path}: {_DAMAGED[1].format(promise)}") from error


_DAMAGED = DamagedError, "is damaged; run `birthmark doctor`, which {}"
_ADVICE: dict[type[Exception], tuple[type[BirthmarkError], str]] = {
    UnicodeDecodeError: _DAMAGED,
    apsw.MismatchError: _DAMAGED,
    apsw.CorruptError: _DAMAGED,
    apsw.NotADBError: (DamagedError, "is no database; run `birthmark doctor`, which {}"),
    apsw.FullError: (
        StoreError,
        "the disk is full; what was stored before is kept, make room and run the command again",
    ),
    apsw.ReadOnlyError: (BirthmarkError, "not allowed to write here; check the permissions of the folder"),
    apsw.CantOpenError: (BirthmarkError, "cannot be opened; check the permissions of the folder"),
    apsw.BusyError: (BirthmarkError, "is being written by someone else; try again"),
    apsw.ConstraintError: (StoreError, "this would be stored twice; nothing was changed, please report it"),
    apsw.IOError: (
        StoreError,
        "the disk failed or is full; what was stored before is kept, see to it and run the command again",
    ),
}


def _connect(path: Path, writable: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if writable else apsw.SQLITE_OPEN_READONLY
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(_BUSY_MS)
    try:
        connection.execute("PRAGMA schema_version").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.FullError, apsw.IOError) as error:
        if writable:
            raise
        has_no_room = isinstance(error, (apsw.FullError, apsw.IOError))
        log = path.with_name(f"{path.name}-wal")
        connection = _connect_alone(path, has_newer_pages=has_no_room and log.exists() and log.stat().st_size > 0)
    if writable:
        # Most of an index consists of outlines and sources of some kilobytes: larger pages cut the time of writing to a
        # third. An existing index keeps its page size.
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -32000")
    if not writable:  # A writer sorts indexes on disk, to bound its memory.
        connection.execute("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456")
    return connection


def _connect_alone(path: Path, *, has_newer_pages: bool) -> apsw.Connection:
    """Read without memory shared with writers: there is no room for its file, or no permission to make it.

    Pages that are not in the database file yet can only be read while nobody else has it open.
    """
    if not has_newer_pages:
        uri = f"file:{quote(str(path))}?immutable=1"
        return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(_BUSY_MS)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
    return connection


@cache
def migrations(kind: str = "") -> tuple[str, ...]:
    """Return the migrations of the index, or of the file of subscriptions, in order."""
    return tuple(path.read_text("utf-8") for path in sorted((_MIGRATIONS / kind).glob("[0-9]*.sql")))


@cache
def index_script() -> str:
    """Return the script that creates the indexes left out while a first index is loaded."""
    return (_MIGRATIONS / "indexes.sql").read_text("utf-8")
