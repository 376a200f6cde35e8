"""Connections to a server, taken from a pool; failures become errors of one line that never hold a password."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolTimeout

from birthmark.errors import BirthmarkError, StoreError
from birthmark.store.model import hide_password, shown_url

Connection = psycopg.Connection[Any]
_MOST = 100  # connections of a process
_WAIT_SECONDS = 30.0
_IDLE_SECONDS = 10.0  # for which a connection is kept: a server has a hundred for all, to open one takes milliseconds
_CONNECT_SECONDS = "10"
# Questions are many and small: to start processes for one, or to compile it, takes longer than to answer it.
_SETTINGS = "SET max_parallel_workers_per_gather = 0; SET jit = off"
_making = Lock()
_ADVICE: tuple[tuple[tuple[type[Exception], ...], type[BirthmarkError], str], ...] = (
    (
        (errors.ReadOnlySqlTransaction, errors.InsufficientPrivilege),
        BirthmarkError,
        "not allowed to write here; connect as a role that may, see docs/how-to/use-postgresql.md ({})",
    ),
    ((errors.UniqueViolation,), StoreError, "this would be stored twice; nothing was changed, please report it ({})"),
    ((errors.DiskFull,), StoreError, "the server's disk is full; nothing was changed ({})"),
    ((errors.QueryCanceled, errors.LockNotAvailable), BirthmarkError, "the server was too slow; try again ({})"),
    ((psycopg.OperationalError,), BirthmarkError, "the server cannot be used: {}"),
    ((psycopg.Error,), StoreError, "the database refused a statement; nothing was changed, please report it: {}"),
)


@contextmanager
def server_errors(url: str) -> Iterator[None]:
    """Raise what a failing server means to its user as one line."""
    try:
        yield
    except psycopg.Error as error:
        make, advice = next((make, advice) for kinds, make, advice in _ADVICE if isinstance(error, kinds))
        raise make(f"{shown_url(url)}: {advice.format(_line(error, url))}") from None


def _line(error: psycopg.Error, url: str) -> str:
    """The first line of what the server said, without the password, should it repeat that."""
    lines = (error.diag.message_primary or str(error) or type(error).__name__).strip().splitlines()
    return hide_password(lines[-1].strip(), url)


def take(url: str) -> Connection:
    """An open connection; give it back with `give`."""
    with server_errors(url):
        try:
            return _pool(url).getconn()
        except PoolTimeout:
            _open(url).close()  # which says why
            raise


def give(url: str, connection: Connection) -> None:
    _pool(url).putconn(connection)


@contextmanager
def lent(url: str) -> Iterator[Connection]:
    """Lend a connection for some statements."""
    connection = take(url)
    try:
        with server_errors(url):
            yield connection
    finally:
        give(url, connection)


def _pool(url: str) -> ConnectionPool[Connection]:
    """One for all threads: a connection goes back to where it is from."""
    with _making:
        return _make_pool(url)


@cache
def _make_pool(url: str) -> ConnectionPool[Connection]:
    """The first connection is opened here, so that the reason is known where none can be had."""
    _open(url).close()
    pool = ConnectionPool(
        url,
        min_size=0,
        max_size=_MOST,
        timeout=_WAIT_SECONDS,
        max_idle=_IDLE_SECONDS,
        kwargs=_options(),
        check=ConnectionPool.check_connection,
        configure=_configure,
        reset=_reset,
        open=True,
    )
    atexit.register(pool.close, 1.0)
    return pool


def _options() -> dict[str, Any]:
    command = " ".join(["birthmark", *sys.argv[1:2]])[:40]
    return {
        "autocommit": True,
        "cursor_factory": psycopg.RawCursor,
        "connect_timeout": _CONNECT_SECONDS,
        "application_name": f"{command} (process {os.getpid()})",
    }


def _open(url: str) -> Connection:
    try:
        return psycopg.connect(url, **_options())
    except psycopg.ProgrammingError as error:  # Options that libpq does not know, say.
        raise psycopg.OperationalError(str(error)) from None


def _configure(connection: Connection) -> None:
    connection.server_cursor_factory = psycopg.RawServerCursor
    connection.execute(_SETTINGS)


def _reset(connection: Connection) -> None:
    """Release the locks and settings of the last user of the connection."""
    connection.execute("SELECT pg_advisory_unlock_all()")
    connection.execute(f"RESET ALL; {_SETTINGS}")
