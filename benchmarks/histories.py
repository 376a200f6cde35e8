"""Histories from the ledger beside walked ones and `git log -L`: whether they are equal, and how long each takes.

    python benchmarks/histories.py REPOSITORY [REPOSITORY ...] [--sample N] [--walked N] [--seed N] [--jobs N]

Each REPOSITORY is replayed in a scratch clone, or is used as it is where it was replayed before. For a random sample of
the functions at HEAD, the whole answer of `birthmark history` is taken in a process that is open; then, for the first
ones, the same history is walked, with all outlines at hand, and `git log -L` is run over the same lines. Times are
those of processors, of git's processes, too; only the time of `git cat-file` for a few commit objects is not counted.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from birthmark.app.histories.histories import find_subject, read_derived_history
from birthmark.app.histories.lineages import open_recorded
from birthmark.app.histories.subjects import HistorySubject, start_of
from birthmark.app.indexing.index import IndexOptions
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.repository import OpenRepository, open_repository
from birthmark.app.workspace.stores import has_index, writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.history.follow import follow_lineage, shared_walk
from birthmark.history.lineage import F, Lineage, NotRecordedError
from birthmark.model import FUNCTION_LIKE


class Measured(NamedTuple):
    """Seconds of the history of one function; where it was not walked, it was not compared."""

    name: str
    answer: float
    recorded: float | None  # None: it had to be walked
    walked: float | None = None
    git: float | None = None
    is_equal: bool = True


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--walked", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for repository in options.repositories:
        with ExitStack() as stack:
            root = replayed(repository.resolve(), stack, options.jobs)
            report(repository.name, measure_repository(root, options))


def replayed(repository: Path, stack: ExitStack, n_workers: int) -> Path:
    if has_index(find_workspace(repository)):
        return repository
    scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="birthmark-benchmark-")))
    root = scratch / repository.name
    command = ("git", "clone", "-q", "--shared", "--no-checkout", str(repository), str(root))
    subprocess.run(command, check=True)
    workspace = find_workspace(root)
    with writing(workspace, 0) as store:
        replay_worktree(store, workspace, IndexOptions(n_workers))
    return root


def measure_repository(root: Path, options: argparse.Namespace) -> list[Measured]:
    chance = random.Random(options.seed)  # noqa: S311 -- no secret depends on it
    with open_repository(root) as past:
        refs = list_functions(past)
        chosen = chance.sample(refs, min(options.sample, len(refs)))
        return [measure(past, ref, number < options.walked) for number, ref in enumerate(chosen)]


def list_functions(past: OpenRepository) -> list[str]:
    head = past.revision("HEAD")
    files = [(head.content_id(path) or "", path) for path in head.paths()]
    return [
        f"{path}:{entity.start_line}"
        for (_, path), outline in zip(files, past.outlines(files), strict=True)
        for entity in (outline.entities if outline is not None else ())
        if entity.kind in FUNCTION_LIKE
    ]


def measure(past: OpenRepository, ref: str, is_walked: bool) -> Measured:
    started = time.process_time()
    subject = find_subject(past, ref, "HEAD")
    read_derived_history(past, subject)
    answer = time.process_time() - started
    recorded = open_recorded(past, subject.commit)
    assert recorded is not None, "this was not replayed"
    started = time.process_time()
    try:
        found: list[object] | None = describe(recorded, subject)
    except NotRecordedError:
        found = None
    seconds = time.process_time() - started
    measured = Measured(ref, answer, seconds if found is not None else None)
    if not is_walked:
        return measured
    started = time.process_time()
    walked = describe(shared_walk(past), subject)
    measured = measured._replace(walked=time.process_time() - started, is_equal=found in (None, walked))
    return measured._replace(git=time_git(past.workspace.root, subject))


def describe(lineage: Lineage[F], subject: HistorySubject) -> list[object]:
    """Every step of a history, with the sources of what it introduced."""
    steps = follow_lineage(lineage, start_of(lineage, subject))
    return [(step, [source.end._replace(ref=None) for source in lineage.sources(step)]) for step in steps]


def time_git(root: Path, subject: HistorySubject) -> float:
    lines = f"-L{subject.entity.start_line},{subject.entity.end_line}:{subject.path}"
    before = children_seconds()
    command = ("git", "-C", str(root), "log", "--format=%H", "--no-patch", lines)
    subprocess.run(command, check=True, capture_output=True)
    return children_seconds() - before


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def report(name: str, measured: Sequence[Measured]) -> None:
    compared = [one for one in measured if one.walked is not None]
    n_equal = sum(one.is_equal for one in compared)
    n_walked = sum(one.recorded is None for one in measured)
    print(f"{name}: {len(measured)} functions, {n_walked} not in the records; {n_equal} of {len(compared)} equal")
    table = {
        "the whole answer": [one.answer for one in measured],
        "from records": [one.recorded for one in measured if one.recorded is not None],
        "walked": [one.walked for one in compared if one.walked is not None],
        "git log -L": [one.git for one in compared if one.git is not None],
    }
    for title, seconds in table.items():
        ordered = sorted(seconds)
        if ordered:
            median, late = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
            print(f"  {title:18} median {median * 1e3:8.1f} ms, 95 % {late * 1e3:8.1f}, most {ordered[-1] * 1e3:8.1f}")
    ratios = sorted(one.answer / one.git for one in compared if one.git)
    if ratios:
        print(f"  answer over git: median {statistics.median(ratios):.3f}, most {ratios[-1]:.2f}")
    for one in compared:
        if not one.is_equal:
            print(f"  differs: {one.name}")


if __name__ == "__main__":
    main()
