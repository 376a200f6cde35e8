"""The replay of whole histories: commits a second, cold and warm, and where the time goes.

    python benchmarks/replay.py REPOSITORY [REPOSITORY ...] [--jobs N]

Works on scratch clones without a worktree; the repositories themselves are only read. Cold is a first replay. Warm is
one with a full cache and an empty ledger: nothing is parsed, all is folded. Again is one that finds nothing new. The
processor time of the workers is that of extracting; the rest is the fold, the database and git's share of our own.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import apsw

from birthmark.app.indexing.index import IndexOptions
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import FOLDER, find_workspace
from birthmark.ledger.replay import Replayed
from birthmark.store.tables.database import LEDGER

LIMIT = 200.0  # commits a second, cold, with two workers
MEGABYTE = 1 << 20
SHOWN = ("snapshots", "files", "entities", "reference_names")


class Figures(NamedTuple):
    """What one replay took; processor times in seconds, of this process and of the workers."""

    replayed: Replayed
    seconds: float
    own: float
    workers: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores, {arguments.jobs} workers, load {os.getloadavg()[0]:.1f} before the start")
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            measure_repository(repository.resolve(), Path(scratch), arguments.jobs)


def measure_repository(repository: Path, scratch: Path, n_workers: int) -> None:
    root = scratch / repository.name
    command = ("git", "clone", "--quiet", "--shared", "--no-checkout", str(repository), str(root))
    subprocess.run(command, check=True)
    print(f"\n{repository.name:26} {'seconds':>8} {'commits/s':>9} {'limit':>6} {'':6} {'own CPU':>8} {'workers':>8}")
    print_row("  cold", replay(root, n_workers), LIMIT)
    forget_ledger(root / FOLDER)
    print_row("  warm", replay(root, n_workers))
    print_row("  again", replay(root, n_workers))
    sizes = {path.name: path.stat().st_size / MEGABYTE for path in (root / FOLDER).iterdir()}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  index {sizes['index.db']:,.0f} MB, its log {sizes['ledger.log']:,.1f} MB; peak memory {peak:,.0f} MB")


def replay(root: Path, n_workers: int) -> Figures:
    workspace = find_workspace(root)
    started, before = time.perf_counter(), (_used(resource.RUSAGE_SELF), _used(resource.RUSAGE_CHILDREN))
    with writing(workspace, 0) as store:
        replayed = replay_worktree(store, workspace, IndexOptions(n_workers))
    seconds = time.perf_counter() - started
    own, workers = _used(resource.RUSAGE_SELF) - before[0], _used(resource.RUSAGE_CHILDREN) - before[1]
    return Figures(replayed, seconds, own, workers)


def _used(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def forget_ledger(home: Path) -> None:
    """Leave nothing but the cache."""
    connection = apsw.Connection(str(home / "index.db"))
    for table in (*LEDGER, *SHOWN):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608, our own names
    connection.execute("DELETE FROM meta WHERE name = 'log_end'")
    connection.close()
    (home / "ledger.log").unlink()


def print_row(label: str, figures: Figures, limit: float | None = None) -> None:
    replayed = figures.replayed
    rate = replayed.n_new / figures.seconds
    verdict = "" if limit is None else "met" if rate >= limit else "missed"
    bound = "" if limit is None else f"{limit:.0f}"
    changes = ", ".join(f"{number:,} {change}" for change, number in replayed.changes.items())
    cells = f"{figures.seconds:8.1f} {rate:9.0f} {bound:>6} {verdict:6} {figures.own:8.1f} {figures.workers:8.1f}"
    counts = f"{replayed.n_new:,} commits, {replayed.n_extracted:,} extracted, {len(replayed.problems):,} problems"
    print(f"{label:26} {cells}  {counts}; {changes}", flush=True)


if __name__ == "__main__":
    main()
