"""Make the tables, by numbered migrations, know the repositories in them, and lock one for its writer.

The advisory lock of a repository ends with its connection, whatever ends that. A writer that lost it so may have a
successor by now: it commits nothing more, and its successor waits for what it commits at that moment.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import psycopg
from psycopg import errors

from birthmark.errors import BirthmarkError
from birthmark.server.postgres.connect import Connection, give, lent, server_errors, take
from birthmark.store.model import StoreLocation, shown_url

_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 1_651_077_745  # of migrations, among the advisory locks of the database
_FIND = """
    SELECT (SELECT max(migration) FROM birthmark.migrations), repository, has_index, has_subscriptions
    FROM (SELECT) AS nothing LEFT JOIN birthmark.repositories ON name = $1"""
_REGISTER = """
    INSERT INTO birthmark.repositories (name, has_index, has_subscriptions) VALUES ($1, $2, NOT $2)
    ON CONFLICT (name) DO UPDATE SET has_index = repositories.has_index OR excluded.has_index,
                                     has_subscriptions = repositories.has_subscriptions OR excluded.has_subscriptions
    RETURNING repository"""


class RepositoryRecord(NamedTuple):
    """The state of a repository in the database; without a number it is not registered."""

    version: int
    repository: int | None = None
    has_index: bool = False
    has_subscriptions: bool = False


@cache
def migrations() -> tuple[str, ...]:
    """The scripts that lead from nothing to the newest version, in order."""
    return tuple(path.read_text("utf-8") for path in sorted(_MIGRATIONS.glob("[0-9]*.sql")))


def find_repository(location: StoreLocation) -> RepositoryRecord:
    """Return the record of a repository; tables need not be there."""
    with lent(location.url) as connection:
        return read_repository(connection, location)


def database_bytes(location: StoreLocation) -> int:
    """Return the size of the whole database."""
    with lent(location.url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(row[0]) if row else 0


def delete_rows(location: StoreLocation) -> bool:
    """Delete all rows of a repository; whether there were any. Extractions stay: other repositories share them."""
    with lent(location.url) as connection:
        delete = "DELETE FROM birthmark.repositories WHERE name = $1"
        return connection.execute(delete, (location.repository,)).rowcount > 0


def read_repository(connection: Connection, location: StoreLocation) -> RepositoryRecord:
    try:
        row = connection.execute(_FIND, (location.repository,)).fetchone()
    except (errors.UndefinedTable, errors.InvalidSchemaName):
        return RepositoryRecord(0)
    assert row is not None
    found = RepositoryRecord(row[0] or 0, row[1], bool(row[2]), bool(row[3]))
    if found.version > len(migrations()):
        raise BirthmarkError(f"{shown_url(location.url)}: was made by a newer birthmark; upgrade birthmark to use it")
    return found


def register(connection: Connection, location: StoreLocation, *, of_index: bool) -> int:
    """The number of a repository; tables are made where there are none, or where they are those of an older program."""
    found = read_repository(connection, location)
    if found.version < len(migrations()):
        migrate(connection)
        found = RepositoryRecord(len(migrations()))
    if found.repository is not None and (found.has_index if of_index else found.has_subscriptions):
        return found.repository
    row = connection.execute(_REGISTER, (location.repository, of_index)).fetchone()
    assert row is not None
    return int(row[0])


def has_escapes(connection: Connection, repository: int) -> bool:
    """Return whether texts of a repository have what is written otherwise here, see `database.py`."""
    query = "SELECT has_escapes FROM birthmark.repositories WHERE repository = $1"
    row = connection.execute(query, (repository,)).fetchone()
    return bool(row and row[0])


def mark_escapes(connection: Connection, repository: int) -> None:
    connection.execute("UPDATE birthmark.repositories SET has_escapes = true WHERE repository = $1", (repository,))


def migrate(connection: Connection) -> None:
    """One process at a time, in one transaction."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock($1)", (_LOCK,))
        connection.execute("CREATE SCHEMA IF NOT EXISTS birthmark")
        connection.execute("CREATE TABLE IF NOT EXISTS birthmark.migrations (migration integer PRIMARY KEY)")
        row = connection.execute("SELECT coalesce(max(migration), 0) FROM birthmark.migrations").fetchone()
        assert row is not None
        for number, script in enumerate(migrations()[row[0] :], row[0] + 1):
            connection.execute(script)
            connection.execute("INSERT INTO birthmark.migrations VALUES ($1)", (number,))


WRITING = 1_651_077_746  # the first number of locks of transactions, in an index (one more) or its subscriptions
_WRITER = 1_651_077_748  # of locks of a writer, for all that it does; the second number is the repository's
_POLL_SECONDS = 0.05
_held: dict[tuple[str, int], Connection] = {}  # by this process: URL of the store and repository
_HOLDER = """
    SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2 AND database = (
        SELECT oid FROM pg_database WHERE datname = current_database())"""


@contextmanager
def lock_repository(location: StoreLocation, wait_seconds: float) -> Iterator[None]:
    """Hold the lock; an error names the process that has it when the wait is over."""
    connection = take(location.url)
    try:
        with server_errors(location.url):
            number = register(connection, location, of_index=True)
            _lock(connection, number, time.monotonic() + wait_seconds)
            _await_transaction(connection, number)
        with _holding((location.url, number), connection):
            yield
    finally:
        with suppress(psycopg.Error):  # A lock whose connection is lost is free.
            connection.execute("SELECT pg_advisory_unlock_all()")  # at once; the pool does so when it has time
        give(location.url, connection)


@contextmanager
def _holding(key: tuple[str, int], connection: Connection) -> Iterator[None]:
    _held[key] = connection
    try:
        yield
    finally:
        del _held[key]


def check_lock(url: str, repository: int) -> None:
    """Fail where this process had the lock of a repository, and lost it with its connection."""
    if connection := _held.get((url, repository)):
        connection.execute("SELECT 1")


def _await_transaction(connection: Connection, repository: int) -> None:
    lock = (WRITING + True, repository)
    connection.execute("SELECT pg_advisory_lock($1::integer, $2::integer)", lock)
    connection.execute("SELECT pg_advisory_unlock($1::integer, $2::integer)", lock)


def _lock(connection: Connection, repository: int, deadline: float) -> None:
    while not _try_lock(connection, repository):
        if time.monotonic() >= deadline:
            row = connection.execute(_HOLDER, (_WRITER, repository)).fetchone()
            holder = row[0] if row and row[0] else "another process"
            raise BirthmarkError(f"the index is being written by {holder}; wait for it, or stop it")
        time.sleep(_POLL_SECONDS)


def _try_lock(connection: Connection, repository: int) -> bool:
    lock = (_WRITER, repository)
    row = connection.execute("SELECT pg_try_advisory_lock($1::integer, $2::integer)", lock).fetchone()
    return bool(row and row[0])
