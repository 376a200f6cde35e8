"""Walked histories beside `git log -L` in the same run: in a process that is open, and as a whole command.

    python benchmarks/walked.py ORACLES CLONES [--oracle NAME] [--sample N] [--seed N] [--keep FILE]

For a random sample of an oracle's entities, three things run one after another: the whole answer of `birthmark history`
in this process, in a repository that is opened for it and closed after it, so that nothing is at hand; the command
`python -m birthmark history`; and `git log -L` over the same lines. Times are those of processors, with all children,
and those of the clock, which depend on what else runs. `--keep` writes the answers of the commands, one a line, so that
those of two versions can be compared. `BIRTHMARK_PURE=1` measures what runs without the extension module.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from commands import run_command
from predictions import Row
from tracking import clone_of, git_command, read_rows, with_clones

from birthmark.app.histories.histories import find_subject, read_derived_history
from birthmark.app.workspace.repository import open_repository
from birthmark.errors import BirthmarkError
from birthmark.syntax.native import load_native


class Used(NamedTuple):
    """Seconds."""

    cpu: float
    wall: float


class Measured(NamedTuple):
    """One entity; `answer` is that of the command."""

    row: Row
    opened: Used
    command: Used
    git: Used
    answer: bytes


WAYS: dict[str, Callable[[Measured], Used]] = {
    "opened": lambda one: one.opened,
    "command": lambda one: one.command,
    "git log -L": lambda one: one.git,
}
AVERAGES: dict[str, Callable[[list[float]], float]] = {"mean": statistics.fmean, "median": statistics.median}


def main() -> None:
    options = read_options()
    rows = read_rows(options.oracles / options.oracle / "training.jsonl")
    rows = with_clones(rows, options.oracle, options.clones)
    chance = random.Random(options.seed)  # noqa: S311 -- no secret depends on it
    chosen = sorted(chance.sample(rows, min(options.sample, len(rows))), key=lambda row: str(row["repo"]))
    measured = list(measure_all(chosen, options.clones))
    if options.keep is not None:
        lines = [json.dumps({"id": one.row["id"], "answer": json.loads(one.answer)}) for one in measured]
        options.keep.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    print(f"{options.oracle}: {len(measured)} entities, {'native' if load_native() is not None else 'pure'}\n")
    print_table(measured)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("oracles", type=Path)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--oracle", default="codetracker-method")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file for the answers")
    return parser.parse_args()


def measure_all(rows: list[Row], clones: Path) -> Iterator[Measured]:
    """What runs first warms up the disk, and this process: that is left out."""
    for number, row in enumerate([*rows[:1], *rows]):
        folder = clone_of(row["repo"], clones)
        try:
            measured = measure(row, folder)
        except BirthmarkError as error:
            print(f"{row['id']} is left out: {error}", file=sys.stderr)
            continue
        if number:
            yield measured


def measure(row: Row, folder: Path) -> Measured:
    ref, revision = f"{row['path']}:{row['start_line']}", row["start_commit"]
    before, start = cpu_seconds(), time.perf_counter()
    with open_repository(folder) as past:
        subject = find_subject(past, ref, revision)
        read_derived_history(past, subject)
        wall = time.perf_counter() - start
    opened = Used(cpu_seconds() - before, wall)
    command = [sys.executable, "-m", "birthmark", "history", ref, "--at", revision, "--json"]
    git = git_command(row, (subject.entity.start_line, subject.entity.end_line))
    by_command, by_git = run_command(command, folder), run_command(git, folder)
    for run in (by_command, by_git):
        if run.failure is not None:
            raise BirthmarkError(run.failure)
    used = [Used(run.cpu_seconds, run.seconds) for run in (by_command, by_git)]
    return Measured(row, opened, used[0], used[1], by_command.output)


def cpu_seconds() -> float:
    """Of this process and all children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def print_table(measured: list[Measured]) -> None:
    """Milliseconds, and how many times as long as git."""
    titles = ["repository", "entities", *WAYS, "opened/git", "command/git", "by the clock"]
    print("| " + " | ".join(titles) + " |")
    print("|---|---:|" + "---:|" * len(WAYS) + "---:|---:|---:|")
    for repository in sorted({str(one.row["repo"]) for one in measured}):
        print_line(repository, [one for one in measured if one.row["repo"] == repository], statistics.fmean)
    for name, average in AVERAGES.items():
        print_line(f"all, {name}", measured, average)


def print_line(title: str, measured: list[Measured], average: Callable[[list[float]], float]) -> None:
    cpu = [average([way(one).cpu for one in measured]) for way in WAYS.values()]
    wall = [average([way(one).wall for one in measured]) for way in WAYS.values()]
    figures = [f"{seconds * 1e3:.0f}" for seconds in cpu]
    ratios = [f"{seconds / cpu[-1]:.2f}" for seconds in cpu[:-1]]
    clock = ", ".join(f"{seconds / wall[-1]:.2f}" for seconds in wall[:-1])
    print("| " + " | ".join([title, str(len(measured)), *figures, *ratios, clock]) + " |")


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # A command that compiles itself each time is no command in use.
    main()
