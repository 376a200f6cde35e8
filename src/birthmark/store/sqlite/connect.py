"""Open a database file; its failures become errors of one line that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

import apsw

from birthmark.errors import BirthmarkError, DamagedError, StoreError

MIGRATIONS = Path(__file__).parents[1] / "migrations"
_BUSY_MS = 10_000
_PAGE_BYTES = 16_384


@contextmanager
def database_errors(path: Path, promise: str) -> Iterator[None]:
    """Raise what a failing database means to its owner, and what repairing it promises, as one line."""
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


def connect(path: Path, writable: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if writable else apsw.SQLITE_OPEN_READONLY
    connection = apsw.Connection(str(path), flags=flags)
    connection.set_busy_timeout(_BUSY_MS)
    try:
        connection.execute("PRAGMA schema_version").fetchall()
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        if writable:
            raise
        # Readers of a folder in which they may not write cannot share memory with a writer; there is none.
        uri = f"file:{quote(str(path))}?immutable=1"
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    if writable:
        # Most of an index are outlines and sources of some kilobytes: with larger pages it is written in a third of the
        # time. An index that is there already keeps the size it has.
        connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -32000")
    if not writable:  # A writer's memory stays what it is, however large the index: indexes are sorted on disk.
        connection.execute("PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456")
    return connection


@cache
def migrations() -> tuple[str, ...]:
    """The scripts that lead from nothing to the newest version, in order."""
    return tuple(path.read_text("utf-8") for path in sorted(MIGRATIONS.glob("[0-9]*.sql")))


@cache
def subscription_migrations() -> tuple[str, ...]:
    """The same for subscriptions, which have a file of their own."""
    return tuple(path.read_text("utf-8") for path in sorted((MIGRATIONS / "subscriptions").glob("[0-9]*.sql")))


@cache
def index_script() -> str:
    """What makes the indexes that are left out while a first index is loaded."""
    return (MIGRATIONS / "indexes.sql").read_text("utf-8")
