"""The store in PostgreSQL beside the one in SQLite, on the same files in the same run; COPY beside plain inserts.

    python benchmarks/postgres.py REPOSITORY

Prints the processor time of this program with its workers, that of the server, and the time on the clock. The server is
that of the tests, started for the run.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # comes with the server, without stubs

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres_server import fresh_database, server_process

from birthmark.app.indexing.index import index_worktree
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.stores import temporary_index, writing
from birthmark.app.workspace.workspace import REPOSITORY, STORE, find_workspace
from birthmark.server.postgres.staging import copy_rows
from birthmark.server.postgres.store import PostgresStore
from birthmark.store.model import StoreLocation
from birthmark.store.tables.database import TABLES

N_ROWS = 50_000


def measure(what: str, act: Callable[[], object]) -> None:
    started, ours, theirs = time.perf_counter(), own_seconds(), server_seconds()
    act()
    wall, ours, theirs = time.perf_counter() - started, own_seconds() - ours, server_seconds() - theirs
    print(f"{what:40} {ours:8.2f} s  {theirs:8.2f} s server  {wall:8.2f} s on the clock")


def own_seconds() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def server_seconds() -> float:
    """Of all processes of the server, those that have ended included."""
    server = server_process()
    used = float(sum(server.cpu_times()[:4]))
    for child in server.children():
        try:
            used += sum(child.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return used


def index(root: Path) -> None:
    workspace = find_workspace(root)
    with writing(workspace, 0) as store:
        index_worktree(store, workspace)


def ask(root: Path) -> None:
    """Every hundredth definition by its mark, and its uses."""
    with open_session(root) as session:
        store, number = session.store, session.view.number
        for row in list(store.all_entities(number))[::100]:
            store.entities_marked(number, [row.mark])
            store.entities_named(number, [row.name])
            store.files_referring(number, [row.name])
            store.events_of([row.identity])


def compare_inserts(url: str) -> None:
    columns = ("repository", *TABLES["entities"].split())
    with closing(PostgresStore(StoreLocation(Path(), url, "inserts"), writable=True)) as store:

        def rows(version: int) -> list[tuple[object, ...]]:
            return [
                (
                    store.number,
                    version,
                    n,
                    n,
                    n,
                    "fn",
                    f"name_{n}",
                    f"Name.name_{n}",
                    "c" * 16,
                    n,
                    n + 5,
                    True,
                    f"{n:016x}",
                )
                for n in range(N_ROWS)
            ]

        def insert() -> None:
            values = ", ".join(f"${n}" for n in range(1, len(columns) + 1))
            with store.writing():
                statement = f"INSERT INTO birthmark.entities ({', '.join(columns)}) VALUES ({values})"  # noqa: S608
                store.connection.cursor().executemany(statement, rows(1))

        def copy() -> None:
            with store.writing():
                copy_rows(store.connection, "entities", columns, rows(2))

        measure(f"{N_ROWS:,} rows by INSERT, pipelined", insert)
        measure(f"{N_ROWS:,} rows by COPY", copy)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    root = parser.parse_args().repository.resolve()
    url = fresh_database()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".birthmark"))
        with temporary_index() as store:
            index_worktree(store, find_workspace(copy))  # So that what is imported and read once is not measured.
        measure("first index, SQLite", lambda: index(copy))
        measure("index with nothing to do, SQLite", lambda: index(copy))
        measure("questions, SQLite", lambda: ask(copy))
        os.environ[STORE], os.environ[REPOSITORY] = url, "one"
        measure("first index, PostgreSQL", lambda: index(copy))
        measure("index with nothing to do, PostgreSQL", lambda: index(copy))
        measure("questions, PostgreSQL", lambda: ask(copy))
        os.environ[REPOSITORY] = "a fork"
        measure("first index of a fork, PostgreSQL", lambda: index(copy))
    compare_inserts(url)


if __name__ == "__main__":
    main()
