"""The store in PostgreSQL beside the one in SQLite, on the same files in the same run; COPY beside plain inserts.

    python benchmarks/postgres.py REPOSITORY [--from-history] [--readers 32] [--seconds 10]

With a history that is replayed, the rows of both stores are compared, through the port. Readers are processes that ask
one after the other while a worktree is edited and indexed again and again. Prints the processor time of this program
with its workers, that of the server, and the time on the clock. The server is that of the tests, started for the run.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # comes with the server, without stubs

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres_server import fresh_database, server_process

from birthmark.app.copying.copy import CopyOptions, copy_stores
from birthmark.app.copying.places import find_places, worktree_names
from birthmark.app.copying.rows import digest, renamed
from birthmark.app.indexing.index import index_worktree
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.session import asking
from birthmark.app.workspace.store_choice import REPOSITORY, STORE
from birthmark.app.workspace.stores import open_at, temporary_index, writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.store.model import StoreLocation
from birthmark.store.postgres.staging import copy_rows
from birthmark.store.postgres.store import PostgresStore
from birthmark.store.tables.schema import TABLES

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


def replay(root: Path) -> None:
    workspace = find_workspace(root)
    with writing(workspace, 0) as store:
        replay_worktree(store, workspace)
        index_worktree(store, workspace)


def fresh(root: Path) -> None:
    shutil.rmtree(root / ".birthmark")


def copy_all(source: str, target: str, root: Path) -> None:
    copy_stores(*find_places(source, target, root), CopyOptions(0, is_restart=False, progress=lambda *_: None))


def ask(root: Path) -> None:
    """Every hundredth definition by its mark, and its uses."""
    with asking(root) as session:
        store, number = session.store, session.view.number
        for row in list(store.all_entities(number))[::100]:
            store.entities_marked(number, [row.mark])
            store.entities_named(number, [row.name])
            store.files_referring(number, [row.name])
            store.events_of([row.identity])


def compare_rows(root: Path, url: str) -> None:
    """All rows of both stores, without the times of runs and of files, and how files are on disk."""
    ours, theirs = find_places(str(root), url, root)
    rename = worktree_names(ours, theirs)
    n_rows = 0
    with closing(open_at(ours.location)) as left, closing(open_at(theirs.location)) as right:
        for table in left.copied_tables:
            if table in ("extractions", "meta"):
                continue  # The first are compared with versions; the others are what each store knows of itself.
            found = digest(timeless(table, renamed(table, left.rows_of(table), rename)))
            if found != digest(timeless(table, right.rows_of(table))):
                print(f"{table} differ")
            n_rows += found[0]
    print(f"{n_rows:,} rows compared")


def timeless(table: str, rows: Iterable[Sequence[object]]) -> Iterable[Sequence[object]]:
    if table == "files":
        return ((*row[:3], *row[7:]) for row in rows)
    return (row[:4] for row in rows) if table == "runs" else rows


def ask_on(root: Path, seconds: float, seed: int) -> list[float]:
    """What each question took; of a definition by its name: where it is, who refers to it and what happened to it."""
    chance, taken = random.Random(seed), []  # noqa: S311 - no secret depends on it
    with asking(root) as session:
        store, number = session.store, session.view.number
        rows = list(store.all_entities(number))
        stop_at = time.monotonic() + seconds
        while time.monotonic() < stop_at:
            row, started = chance.choice(rows), time.perf_counter()
            with store.reading():
                store.entities_marked(number, [row.mark])
                store.files_referring(number, [row.name])
                store.events_of([row.identity])
            taken.append(time.perf_counter() - started)
    return taken


def compare_readers(root: Path, n_readers: int, seconds: float) -> None:
    """Of readers while a fold writes: how long 50 and 99 of 100 questions take."""
    with ProcessPoolExecutor(n_readers, get_context("spawn")) as readers:
        asked = [readers.submit(ask_on, root, seconds, number) for number in range(n_readers)]
        n_writes, edited = 0, next(iter(sorted(root.rglob("*.py"))))
        before = edited.read_bytes()
        while not all(reader.done() for reader in asked):
            n_writes += 1
            edited.write_bytes(before + b"\n\ndef written_%d():\n    return %d\n" % (n_writes, n_writes))
            index(root)
        edited.write_bytes(before)
        taken = sorted(one for reader in asked for one in reader.result())
    p50, p99 = (taken[int(len(taken) * share)] * 1000 for share in (0.5, 0.99))
    print(f"{n_readers} readers, {n_writes} updates: {len(taken):,} answers, p50 {p50:.1f} ms, p99 {p99:.1f} ms")


def compare_inserts(url: str) -> None:
    columns = ("repository", *TABLES["entities"].split())
    with closing(PostgresStore(StoreLocation(Path(), url, "inserts"), writable=True)) as store:

        def rows(version: int) -> list[tuple[object, ...]]:
            return [
                (store.number, version, n, n, n, "fn", f"name_{n}", f"Name.name_{n}", "c" * 16, n, n + 5, True)
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
    parser.add_argument("--from-history", action="store_true")
    parser.add_argument("--readers", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    root = options.repository.resolve()
    url = fresh_database()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".birthmark"))
        with temporary_index() as store:
            index_worktree(store, find_workspace(copy))  # So that what is imported and read once is not measured.
        measure("first index, SQLite", lambda: index(copy))
        measure("index with nothing to do, SQLite", lambda: index(copy))
        measure("questions, SQLite", lambda: ask(copy))
        compare_readers(copy, options.readers, options.seconds)
        if options.from_history:
            fresh(copy)
            measure("replay, SQLite", lambda: replay(copy))
        os.environ[STORE], os.environ[REPOSITORY] = url, "one"
        measure("first index, PostgreSQL", lambda: index(copy))
        measure("index with nothing to do, PostgreSQL", lambda: index(copy))
        measure("questions, PostgreSQL", lambda: ask(copy))
        compare_readers(copy, options.readers, options.seconds)
        if options.from_history:
            os.environ[REPOSITORY] = "replayed"
            measure("replay, PostgreSQL", lambda: replay(copy))
            compare_rows(copy, url)
            os.environ[REPOSITORY] = "copied"
            measure("copy to PostgreSQL", lambda: copy_all(str(copy), url, copy))
            fresh(copy)
            measure("copy from PostgreSQL", lambda: copy_all(url, str(copy), copy))
        os.environ[REPOSITORY] = "a fork"
        measure("first index of a fork, PostgreSQL", lambda: index(copy))
    compare_inserts(url)


if __name__ == "__main__":
    main()
