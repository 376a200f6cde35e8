"""How long a fleet of repositories takes on 1 to 256 workers: a discrete simulation over task times of a real replay.

    python benchmarks/simulate_fleet.py REPOSITORY [--commits N] [--repositories N] [--plot FILE]

First the oldest N commits of REPOSITORY are replayed into PostgreSQL, where every task of a worker is timed, and so are
the fold and the server. Then a fleet is simulated whose repositories have as many commits as drawn from a log-normal
distribution around --mean, a few of them very many. The time of each task is drawn from those that were measured.
Portions of a history are extracted, paired and folded: a portion is paired when it is extracted, and folded when it is
paired and the one before is folded; a fold takes a worker, then a core of the database. Equal seeds make equal fleets.
"""

from __future__ import annotations

import argparse
import heapq
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from plot import Line, draw
from postgres import server_seconds
from postgres_server import fresh_database

from birthmark.app.indexing.index import update_folder
from birthmark.app.workspace.workspace import REPOSITORY, STORE
from birthmark.extraction import calls, extractor

WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
DATABASES = {"database of 4 cores": 4, "of 16 cores": 16, "of 64 cores": 64}
PORTION = 64  # commits
SPREAD = 1.2  # of the logarithm of a repository's commits
EXTRACT, PAIR, FOLD, STORED = range(4)
TIMES = "BIRTHMARK_BENCHMARK_TIMES"


class TaskTimes(NamedTuple):
    """Seconds of processor time that were measured; those of folds and of the server are means of a commit."""

    extractions: list[float]
    pairings: list[float]
    n_commits: int
    fold: float
    server: float


def timed_call(payload: bytes) -> bytes:
    """What a worker does, with a line about each task."""
    started = time.process_time()
    result = calls.run_call(payload)
    kind = "pair" if b"pairing_task" in payload[:80] else "extract"
    line = f"{kind} {time.process_time() - started:.7f}\n".encode()
    with open(os.environ[TIMES], "ab", buffering=0) as file:
        file.write(line)
    return result


def measure(repository: Path, n_commits: int) -> TaskTimes:
    extractor.run_call = timed_call  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        clone, times = Path(folder, "clone"), Path(folder, "times")
        git("clone", "-q", "--shared", str(repository), str(clone))
        commits = git("-C", str(clone), "rev-list", "--reverse", "HEAD").split()[:n_commits]
        git("-C", str(clone), "checkout", "-q", "-B", "measured", commits[-1])
        os.environ |= {STORE: fresh_database(), REPOSITORY: "measured", TIMES: str(times)}
        before, server = own_seconds(), server_seconds()
        update_folder(clone, 0, from_history=True)
        fold, server = own_seconds() - before, server_seconds() - server
        found = defaultdict(list)
        for line in times.read_text().splitlines():
            kind, seconds = line.split()
            found[kind].append(float(seconds))
    return TaskTimes(found["extract"], found["pair"], len(commits), fold / len(commits), server / len(commits))


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout  # noqa: S607


def own_seconds() -> float:
    """Of this process alone, which folds."""
    return sum(resource.getrusage(resource.RUSAGE_SELF)[:2])


class Portion(NamedTuple):
    """Seconds of what is done with some commits of a repository."""

    extract: float
    pair: float
    fold: float
    stored: float


Fleet = list[list[Portion]]


def draw_fleet(times: TaskTimes, n_repositories: int, mean: float, generator: random.Random) -> Fleet:
    middle = math.log(mean) - SPREAD**2 / 2  # of which the mean is that
    sizes = [max(1, round(generator.lognormvariate(middle, SPREAD))) for _ in range(n_repositories)]
    return [list(draw_portions(times, size, generator)) for size in sizes]


def draw_portions(times: TaskTimes, n_commits: int, generator: random.Random) -> Iterator[Portion]:
    for first in range(0, n_commits, PORTION):
        n = min(PORTION, n_commits - first)
        yield Portion(
            draw_sum(times.extractions, n * len(times.extractions) / times.n_commits, generator),
            draw_sum(times.pairings, n * len(times.pairings) / times.n_commits, generator),
            n * times.fold,
            n * times.server,
        )


def draw_sum(seconds: Sequence[float], n: float, generator: random.Random) -> float:
    return sum(generator.choices(seconds, k=max(1, round(n)))) if seconds else 0.0


Task = tuple[int, int, int]  # repository, portion, step


def simulate(fleet: Fleet, n_workers: int, n_cores: int) -> float:
    """Seconds until all is stored. Who waits is served by repository, then by portion."""
    free = {True: n_cores, False: n_workers}  # whether it is stored
    waiting: dict[bool, list[Task]] = {True: [], False: []}
    events: list[tuple[float, Task]] = []
    done: set[Task] = set()
    now = 0.0

    def want(task: Task) -> None:
        heapq.heappush(waiting[task[2] == STORED], task)

    for number, portions in enumerate(fleet):
        for index in range(len(portions)):
            want((number, index, EXTRACT))
    while True:
        for is_stored, queue in waiting.items():
            while queue and free[is_stored]:
                task = heapq.heappop(queue)
                free[is_stored] -= 1
                heapq.heappush(events, (now + fleet[task[0]][task[1]][task[2]], task))
        if not events:
            return now
        now, task = heapq.heappop(events)
        free[task[2] == STORED] += 1
        done.add(task)
        for following in next_tasks(task, done, len(fleet[task[0]])):
            want(following)


def next_tasks(task: Task, done: set[Task], n_portions: int) -> Iterator[Task]:
    number, index, step = task
    if step in (EXTRACT, FOLD):
        yield number, index, step + 1
    elif step == PAIR and (index == 0 or (number, index - 1, STORED) in done):
        yield number, index, FOLD
    elif step == STORED and index + 1 < n_portions and (number, index + 1, PAIR) in done:
        yield number, index + 1, FOLD


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("--commits", type=int, default=2000)
    parser.add_argument("--repositories", type=int, default=300)
    parser.add_argument("--mean", type=float, default=5000.0, help="commits of a repository")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    times = measure(options.repository.resolve(), options.commits)
    print_times(times)
    fleet = draw_fleet(times, options.repositories, options.mean, random.Random(options.seed))  # noqa: S311
    lines = simulate_all(fleet)
    if options.plot:
        title = f"{options.repositories} repositories replayed, simulated"
        options.plot.write_text(draw(title, "workers", "repositories an hour", lines), "utf-8")


def print_times(times: TaskTimes) -> None:
    for name, seconds in (("extraction", times.extractions), ("pairing", times.pairings)):
        ordered = sorted(seconds)
        at = [ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.9, 0.99)]
        mean = sum(ordered) / len(ordered) * 1000
        print(
            f"{len(ordered):,} tasks of {name}: mean {mean:.1f} ms, median {at[0]:.1f}, "
            f"p90 {at[1]:.1f}, p99 {at[2]:.1f}; {len(ordered) / times.n_commits:.2f} a commit"
        )
    print(f"fold {times.fold * 1000:.1f} ms a commit, server {times.server * 1000:.1f} ms a commit")


def simulate_all(fleet: Fleet) -> list[Line]:
    n_commits = PORTION * sum(map(len, fleet))
    work = sum(sum(portion[:STORED]) for portions in fleet for portion in portions)
    longest = max(sum(portion.fold + portion.stored for portion in portions) for portions in fleet)
    print(f"{len(fleet)} repositories, up to {n_commits:,} commits; work {work / 3600:.1f} h")
    print(f"the longest fold of one of them: {longest / 60:.0f} min")
    sorted_fleet = sorted(fleet, key=len, reverse=True)
    wanted = [(name, fleet, n_cores) for name, n_cores in DATABASES.items()]
    wanted.append(("of 64, largest first", sorted_fleet, DATABASES["of 64 cores"]))
    lines = []
    for name, ordered, n_cores in wanted:
        line = Line(name)
        for n_workers in WORKERS:
            seconds = simulate(ordered, n_workers, n_cores)
            line.add(n_workers, len(fleet) / seconds * 3600)
            rate, share = line.points[-1][1], work / seconds / n_workers
            print(f"{n_workers:4} workers, {name}: {seconds / 60:8.1f} min, {rate:8.0f} an hour, busy {share:.0%}")
        lines.append(line)
    return lines


if __name__ == "__main__":
    main()
