"""How long queries take in SQLite and in PostgreSQL while many read and one writes.

    python benchmarks/readers.py REPOSITORY [--readers 32] [--seconds 8] [--pause 0.1]

Each reader is a process with the index open that asks where a definition is, who refers to it and what happened to it,
one query after the other, about definitions that were drawn at random; meanwhile a file is edited and indexed, again
and again. Without a pause more is asked than the machine can answer, and a time is mostly that of waiting for a core,
so that it is measured once so, and once with a pause after each query.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from threading import Barrier
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres_server import fresh_database

from birthmark.app.indexing.index import index_worktree
from birthmark.app.workspace.stores import reading, writing
from birthmark.app.workspace.workspace import REPOSITORY, STORE, find_workspace
from birthmark.store.model import SnapshotEntity

_CONTEXT = get_context("forkserver")  # A fork of this process would share its connections.
_N_DRAWN = 1_000
_EDITED = "\n\ndef birthmark_benchmark():\n    return {}\n"


class Load(NamedTuple):
    """How many read, for how long, and how long each rests after a query."""

    n_readers: int
    seconds: float
    pause: float


def choose(url: str) -> None:
    """The store of this process: a database, or the one in the repository's folder."""
    os.environ.update({STORE: url, REPOSITORY: "one"} if url else {})


def draw(root: Path) -> list[SnapshotEntity]:
    with reading(find_workspace(root)) as store:
        rows = sorted(store.all_entities(store.snapshots()[0].snapshot))
        return random.Random(1).sample(rows, _N_DRAWN)  # noqa: S311 -- the same every time


def read(root: Path, url: str, drawn: list[SnapshotEntity], seed: int, load: Load, start: Barrier) -> list[float]:
    """Milliseconds of each query."""
    choose(url)
    chance, times = random.Random(seed), list[float]()  # noqa: S311 -- the same every time
    with reading(find_workspace(root)) as store:
        number = store.snapshots()[0].snapshot
        start.wait()
        end = time.perf_counter() + load.seconds
        while time.perf_counter() < end:
            row = chance.choice(drawn)
            for ask in (
                lambda row=row: store.entities_marked(number, [row.mark]),
                lambda row=row: store.files_referring(number, [row.name]),
                lambda row=row: store.events_of([row.identity]),
            ):
                began = time.perf_counter()
                ask()
                times.append((time.perf_counter() - began) * 1000)
                time.sleep(load.pause)
    return times


def index(root: Path) -> None:
    workspace = find_workspace(root)
    with writing(workspace, 30.0) as store:
        index_worktree(store, workspace)


def edit(root: Path, number: int) -> None:
    path = min((path for path in root.rglob("*.py") if 3000 < path.stat().st_size < 9000), key=str)
    path.write_text(path.read_text("utf-8").partition(_EDITED[:25])[0] + _EDITED.format(number), "utf-8")


def measure(root: Path, url: str, load: Load) -> None:
    choose(url)
    index(root)
    drawn = draw(root)
    with _CONTEXT.Manager() as manager, _CONTEXT.Pool(load.n_readers) as pool:
        start = manager.Barrier(load.n_readers + 1)
        found = [pool.apply_async(read, (root, url, drawn, seed, load, start)) for seed in range(load.n_readers)]
        start.wait()
        n_updates, end = 0, time.perf_counter() + load.seconds
        while time.perf_counter() < end:
            edit(root, n_updates)
            index(root)
            n_updates += 1
        times = [one for result in found for one in result.get()]
    p, rate = quantiles(times, n=100), len(times) / load.seconds
    figures = f"p50 {p[49]:7.1f} ms  p99 {p[98]:7.1f} ms  {rate:7.0f} queries/s  {n_updates} updates"
    print(
        f"{'PostgreSQL' if url else 'SQLite':12} {load.pause:4.2f} s pause  {figures}  load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--readers", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--pause", type=float, default=0.1)
    options = parser.parse_args()
    _CONTEXT.set_forkserver_preload(["birthmark.app.workspace.stores", "birthmark.server.postgres.store"])
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "copy")
        shutil.copytree(options.repository, root, symlinks=True, ignore=shutil.ignore_patterns(".birthmark"))
        for url in ("", fresh_database()):
            for pause in (0.0, options.pause):
                measure(root, url, Load(options.readers, options.seconds, pause))


if __name__ == "__main__":
    main()
