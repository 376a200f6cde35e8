"""One writer at a time: an advisory lock of a repository, which ends with its connection, whatever ends that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation
from birthmark.store.postgres.connect import Connection, give, server_errors, take
from birthmark.store.postgres.schema import register

WRITING = 1_651_077_746  # the first number of locks of transactions, in an index (one more) or its subscriptions
_WRITER = 1_651_077_748  # of locks of a writer, for all that it does; the second number is the repository's
_POLL_SECONDS = 0.05
_HOLDER = """
    SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = $2 AND database = (
        SELECT oid FROM pg_database WHERE datname = current_database())"""


@contextmanager
def repository_lock(location: StoreLocation, wait_seconds: float) -> Iterator[None]:
    """Hold the lock; an error names the process that has it when the wait is over."""
    connection = take(location.url)
    try:
        with server_errors(location.url):
            number = register(connection, location, of_index=True)
            _lock(connection, number, time.monotonic() + wait_seconds)
        yield
    finally:
        if not connection.closed:
            connection.execute("SELECT pg_advisory_unlock_all()")  # at once; the pool does so when it has time
        give(location.url, connection)


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
