"""Thirty repositories in PostgreSQL: one machine's pool beside Ray on 1, 2 and 4 workers and two nodes; a fork; kills.

    python benchmarks/fleet.py REPOSITORY... [--count N] [--commits N] [--most-files 150] [--workers "1 2"] [--kills N]

Each repository is a folder of one of the bare ones that are given, with the newest commits that touched it. Processor
time is that of all processes but the server's, sampled. A cluster is running before it is measured, as that of an
organisation is; its workers start while it is. It has a token of its own, so that no other program can use it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import psutil  # type: ignore[import-untyped]  # comes with the server, without stubs
import psycopg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fleet_parts import make_fleet, make_fork
from postgres_server import fresh_database

from birthmark.app.workspace.stores import reading
from birthmark.app.workspace.workspace import STORE, find_workspace
from birthmark.server.fleet.catalog import list_repositories
from stored_rows import rows_of

FORKING = ("command", "workers")
SAMPLE_SECONDS = 0.1
PORT = 26_379
KINDS = {  # by a part of a command, the first that is in it
    "raylet/raylet": "raylet",
    "gcs_server": "gcs",
    "-m birthmark": "command",
    "multiprocessing": "processes of the command",
    "Agent": "agents",
    "ray::": "workers",
    "_worker.py": "workers",
    "git ": "git",
    "/ray": "agents",  # what `ray start` starts besides
}


# Running


Digests = dict[tuple[str, str], str]  # by the name of a repository and what the rows are of


class Run(NamedTuple):
    """What a refresh did, and what it took."""

    done: list[dict[str, Any]]
    seconds: float
    used: dict[str, float]  # processor time by what used it

    @property
    def processor(self) -> float:
        return sum(self.used.values())

    @property
    def n_extracted(self) -> int:
        return sum(one["extracted"] for one in self.done)


class Sampler:
    """The processor time of all processes below this one, by what they are."""

    def __init__(self) -> None:
        self._used: dict[tuple[int, float], tuple[str, float]] = {}
        self._stop, self._me = Event(), psutil.Process()
        self._thread = Thread(target=self._watch, daemon=True)
        self._look()
        self._before = self._sums()
        self._thread.start()

    def _watch(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            self._look()

    def _look(self) -> None:
        for process in self._me.children(recursive=True):
            with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                key, used = (process.pid, process.create_time()), sum(process.cpu_times()[:2])
                kind = self._used[key][0] if key in self._used else "others"
                self._used[key] = (kind_of(process) if kind == "others" else kind, used)

    def _sums(self) -> dict[str, float]:
        sums: defaultdict[str, float] = defaultdict(float)
        for kind, used in self._used.values():
            sums[kind] += used
        return sums

    def stop(self) -> dict[str, float]:
        self._look()
        self._stop.set()
        self._thread.join()
        return {kind: used - self._before.get(kind, 0.0) for kind, used in self._sums().items()}


def kind_of(process: psutil.Process) -> str:
    """By the first words of its command; those that extract have that of the process that forked them."""
    kind, parent = kind_of_words(process), process.parent()
    is_forked = kind in FORKING and parent is not None and kind == kind_of_words(parent)
    return "extracting" if is_forked else kind


def kind_of_words(process: psutil.Process) -> str:
    words = " ".join(process.cmdline()[:8])
    return next((kind for part, kind in KINDS.items() if part in words), "others")


def birthmark(url: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "birthmark", "--store", url, "fleet", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> str:
    output, errors = process.communicate()
    if process.returncode:
        sys.exit(errors)
    return output


def refresh(url: str, *arguments: str, beside: Callable[[subprocess.Popen[str]], None] = lambda _: None) -> Run:
    """`beside` is done meanwhile."""
    sampler, started = Sampler(), time.perf_counter()
    process = birthmark(url, "refresh", "--from-history", "--json", *arguments)
    thread = Thread(target=beside, args=(process,))
    thread.start()
    done = json.loads(finish(process))
    seconds = time.perf_counter() - started
    thread.join()
    return Run(done, seconds, sampler.stop())


def new_fleet(parts: list[Path]) -> str:
    url = fresh_database()
    finish(birthmark(url, "add", *map(str, parts)))
    return url


@contextmanager
def cluster(*processors: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A node for each number, each with so many workers, joined by address."""
    ray = str(Path(sys.executable).parent / "ray")
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DISABLE_IMPORT_WARNING": "1"}
    nodes: list[subprocess.Popen[bytes]] = []
    for number in processors:
        where = [f"--address=127.0.0.1:{PORT}"] if nodes else ["--head", f"--port={PORT}", "--include-dashboard=false"]
        command = [ray, "start", *where, f"--num-cpus={number}", "--block"]
        nodes.append(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        time.sleep(8.0)
    try:
        yield nodes
    finally:
        for node in reversed(nodes):
            end_tree(node)


def end_tree(node: subprocess.Popen[bytes]) -> None:
    below = psutil.Process(node.pid).children(recursive=True) if node.poll() is None else []
    for process in (*below, psutil.Process(node.pid)) if node.poll() is None else ():
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    node.wait()


def digests(url: str) -> Digests:
    """Of all rows of each repository, table by table, but for the numbers of extractions and times of runs."""
    os.environ[STORE] = url
    found: Digests = {}
    for one in list_repositories(url):
        workspace = find_workspace(Path(one.source))
        with reading(workspace) as store:
            rows = rows_of(store, workspace.worktree)
        found |= {(one.name, table): sha256(repr(part).encode()).hexdigest() for table, part in rows.items()}
    return found


def compare(found: Digests, expected: Digests) -> None:
    differing = sorted(key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key))
    print(f"  rows are the same: {not differing}", flush=True)
    for name, table in differing:
        print(f"    other {table} in {name}")


# Kills


def kill_some(
    process: subprocess.Popen[str], nodes: list[subprocess.Popen[bytes]], url: str, chance: random.Random
) -> None:
    """A worker or a backend every few seconds; the second node's raylet once."""
    n_rounds = 0
    while process.poll() is None:
        time.sleep(chance.uniform(1.0, 3.0))
        n_rounds += 1
        if n_rounds == 3:
            kill_process(nodes[1], "raylet", chance)
        elif n_rounds % 2:
            kill_process(nodes[0], "ray::run_", chance)
        else:
            kill_backend(url)


def kill_process(node: subprocess.Popen[bytes], name: str, chance: random.Random) -> None:
    """A worker that runs something, or the raylet; agents of Ray end their raylet, and that of the head the command."""
    with suppress(psutil.NoSuchProcess):
        below = [one for one in psutil.Process(node.pid).children(recursive=True) if name in "".join(one.cmdline()[:1])]
        if below:
            victim = chance.choice(below)
            print(f"  killed {''.join(victim.cmdline()[:1]).rpartition('/')[2]}")
            victim.kill()


def kill_backend(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        ours = "application_name LIKE 'birthmark%' OR application_name LIKE '%(process %'"
        statement = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours} ORDER BY random() LIMIT 1"  # noqa: S608
        print(f"  killed {len(connection.execute(statement).fetchall())} backend of PostgreSQL")


def report(what: str, run: Run, base: Run | None = None) -> None:
    over = f"  {run.processor / base.processor - 1:+7.1%}  {base.seconds / run.seconds:5.2f}x" if base else ""
    rate = len(run.done) / run.seconds
    print(
        f"{what:28} {run.seconds:7.1f} s  {run.processor:7.1f} s processor  {rate:5.2f} repositories/s{over}",
        flush=True,
    )
    parts = sorted(run.used.items(), key=lambda one: -one[1])
    print("  " + ", ".join(f"{kind} {used:.1f}" for kind, used in parts if used >= 0.05), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+", metavar="REPOSITORY")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--commits", type=int, default=12)
    parser.add_argument("--most-files", type=int, default=150)
    parser.add_argument("--workers", default="1 2 4 1+1", help="of the nodes of each cluster")
    parser.add_argument("--without-rows", action="store_true", help="do not compare them, which takes long")
    parser.add_argument("--kills", type=int, default=1, help="runs with kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        token = Path(folder, "token")
        token.write_text(secrets.token_hex(32))
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}
        parts = make_fleet(options.repositories, Path(folder), options.count, options.commits, options.most_files)
        clusters = [tuple(map(int, one.split("+"))) for one in options.workers.split()]
        expected = measure(parts, clusters, with_rows=not options.without_rows)
        for number in range(options.kills):
            measure_kills(parts, expected, random.Random(options.seed + number))  # noqa: S311 -- no secret depends on it


def measure(parts: list[Path], clusters: list[tuple[int, ...]], *, with_rows: bool) -> Digests:
    """The rows without kills, as digests."""
    address = ("--ray", f"127.0.0.1:{PORT}")
    url = new_fleet(parts)
    plain = refresh(url)
    expected = digests(url) if with_rows else {}
    n_commits = sum(one["commits"] for one in plain.done)
    print(f"{len(parts)} repositories, {n_commits} commits, {plain.n_extracted} files parsed")
    report("plain pool", plain)
    measure_fork(url, parts[0], plain)
    for processors in clusters:
        with cluster(*processors):
            url = new_fleet(parts)
            run = refresh(url, *address)
            report(f"Ray, workers of nodes: {'+'.join(map(str, processors))}", run, plain)
            if with_rows:
                compare(digests(url), expected)
    if clusters:
        report("plain pool, once more", refresh(new_fleet(parts)), plain)
    return expected


def measure_kills(parts: list[Path], expected: Digests, chance: random.Random) -> None:
    with cluster(1, 1) as nodes:
        url, address = new_fleet(parts), f"127.0.0.1:{PORT}"
        run = refresh(url, "--ray", address, beside=lambda process: kill_some(process, nodes, url, chance))
        report("Ray 1+1, with kills", run)
        while failed := [one for one in list_repositories(url) if one.failures]:
            print(f"  {len(failed)} failed and are tried again; the first: {failed[0].problem}")
            refresh(url, "--retry")
        compare(digests(url), expected)


def measure_fork(url: str, original: Path, first: Run) -> None:
    fork = make_fork(original)
    finish(birthmark(url, "add", str(fork)))
    (done,) = refresh(url, f"{os.uname().nodename}:{fork}").done
    n_contents = next(one["extracted"] for one in first.done if one["name"].endswith(original.name)) + 1
    hits = 1 - done["extracted"] / n_contents
    print(
        f"a fork of {original.name}: {done['extracted']} of {n_contents} contents parsed, hits {hits:.1%}", flush=True
    )


if __name__ == "__main__":
    main()
