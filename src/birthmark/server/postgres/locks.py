"""One writer at a time: an advisory lock of a repository, which ends with its connection, whatever ends that.

A writer that lost it so may have a successor by now: it commits nothing more, and its successor waits for what it
commits at that moment.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psycopg

from birthmark.errors import BirthmarkError
from birthmark.server.postgres.connect import Connection, give, server_errors, take
from birthmark.server.postgres.schema import register
from birthmark.store.model import StoreLocation

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
