"""A scan of many subscriptions beside the bare diff of the same two revisions, in the same run.

    python benchmarks/scan.py REPOSITORY [BASE] [TARGET] [--subscriptions N] [--files N] [--rounds N]

Works on a scratch clone; the repository itself is only read. Without a BASE, it is the commit before TARGET since which
about 500 source files changed. Half of the subscriptions stand in files that changed. Each figure is that of a process
of its own, from opening the repository to the kept scan, without the start of Python; diff and scan take turns. Cold is
without an index; otherwise both revisions were indexed, one after the other. A scan may take twice as long as the diff;
what it takes to explain the first triggers, by their commits, depends on the history and is a figure of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from birthmark.app.answers.refs import Marks
from birthmark.app.changes.diffing import diff_states
from birthmark.app.indexing.index import index_worktree
from birthmark.app.scans.scanning import ScanOptions, scan
from birthmark.app.scans.subscription_repository import StoredSubscription, SubscriptionRepository
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import FOLDER, find_workspace
from birthmark.comparison.patch import lines_of
from birthmark.comparison.state_comparison import StateComparison
from birthmark.extraction.model import OutlinedEntity
from birthmark.extraction.state import wants_file
from birthmark.subscriptions.accepted_state import AcceptedStateReader
from birthmark.subscriptions.model import Accepted, Subscription, new_id, timestamp
from birthmark.vocabulary import SubscriptionHome, SubscriptionTarget

FACTOR = 2.0  # times the diff
N_MEMBERS, N_LINES, N_PATTERNS, N_USERS = 200, 400, 20, 20  # of the subscriptions
LONGEST_RANGE = 30  # lines
SEED = 6

Told = TypeVar("Told")
Choice = tuple[SubscriptionTarget, bool, str, Accepted]


class Figures(NamedTuple):
    """What one process took, and what it told."""

    seconds: float
    cpu_seconds: float
    told: str


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repository", metavar="REPOSITORY", type=Path)
    parser.add_argument("base", metavar="BASE", nargs="?")
    parser.add_argument("target", metavar="TARGET", nargs="?", default="HEAD")
    parser.add_argument("--subscriptions", metavar="N", type=int, default=10_000)
    parser.add_argument("--files", metavar="N", type=int, default=500)
    parser.add_argument("--rounds", metavar="N", type=int, default=5)
    arguments = parser.parse_args()
    repository = arguments.repository.resolve()
    target = git(repository, "rev-parse", f"{arguments.target}^{{commit}}")
    base = git(
        repository, "rev-parse", f"{arguments.base or find_base(repository, target, arguments.files)}^{{commit}}"
    )
    n_files = len(changed_files(repository, base, target))
    print(
        f"{repository.name} {base[:12]}..{target[:12]}: {n_files} source files changed, load {os.getloadavg()[0]:.1f}"
    )
    print(f"{'':16} {'seconds':>8} {'CPU s':>7} {'ratio':>6}")
    with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
        root = Path(scratch) / repository.name
        git(Path(scratch), "clone", "--quiet", "--shared", "--no-checkout", str(repository), str(root))
        ratios = [
            measure_both(root, base, target, arguments.subscriptions, arguments.rounds, is_indexed)
            for is_indexed in (False, True)
        ]
    return 1 if max(ratios) > FACTOR else 0


def git(root: Path, *arguments: str) -> str:
    command = ("git", "-C", str(root), *arguments)
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def changed_files(root: Path, base: str, target: str) -> list[str]:
    names = git(root, "diff", "--name-only", "--no-renames", "-z", base, target).split("\0")
    return [name for name in names if name and wants_file(name.rpartition("/")[2])]


def find_base(root: Path, target: str, n_files: int) -> str:
    """The commit along first parents with so many changed files until the target, or the first with more."""
    commits = git(root, "rev-list", "--first-parent", target).split()
    low, high = 0, len(commits) - 1
    while low < high:
        middle = (low + high) // 2
        is_enough = len(changed_files(root, commits[middle], target)) >= n_files
        low, high = (low, middle) if is_enough else (middle + 1, high)
    return commits[low]


# Subscribing


def subscribe_all(root: Path, base: str, target: str, n_subscriptions: int) -> str:
    """Subscribe to random things of the base, half of them in files that changed."""
    random, now = Random(SEED), timestamp()  # noqa: S311, no secret
    with open_repository(root) as repository:
        window = StateComparison(repository.revision(base), repository.revision(target), repository.family_of)
        recorder = AcceptedStateReader(window.old, Marks(repository, window.old).mark_of)
        same = random.sample(sorted(set(window.old.paths()) - set(window.changed_old)), len(window.changed_old))
        sides = [Chooser(random, recorder, paths) for paths in (window.changed_old, same)]
        chosen = [choice for side in sides for choice in side.choose(n_subscriptions // len(sides))]
        kept = [StoredSubscription(_subscription(choice, now), SubscriptionHome.PERSONAL) for choice in chosen]
        SubscriptionRepository(repository.workspace).put(kept)
    return f"{len(kept):,} subscriptions"


def _subscription(choice: Choice, now: str) -> Subscription:
    target, has_members, ref, accepted = choice
    return Subscription(
        id=new_id(),
        ref=ref,
        target=target,
        include_members=has_members,
        created_at=now,
        updated_at=now,
        accepted=accepted,
    )


class Chooser:
    """Chooses things to subscribe to in some files."""

    def __init__(self, random: Random, recorder: AcceptedStateReader, paths: list[str]) -> None:
        self.random, self.recorder = random, recorder
        self.files = [file for file in recorder.tree.load(paths) if file.outline.entities]
        self.spots = [
            OutlinedEntity(file, ordinal) for file in self.files for ordinal in range(len(file.outline.entities))
        ]
        containers = {(spot.file.path, spot.entity.container) for spot in self.spots}
        self.containers = [spot for spot in self.spots if spot.key in containers]

    def choose(self, count: int) -> list[Choice]:
        """Half of each kind, since there are two sides; the rest are entities."""
        few: list[tuple[int, Callable[[], Choice]]] = [
            (N_MEMBERS, lambda: self.entity(self.random.choice(self.containers), has_members=True)),
            (N_LINES, self.lines),
            (N_PATTERNS, self.pattern),
            (N_USERS, lambda: self.entity(self.random.choice(self.spots), SubscriptionTarget.USERS)),
        ]
        chosen = [choose() for number, choose in few for _ in range(number // 2)]
        rest = count - len(chosen)
        spots = self.random.choices(self.spots, k=rest) if rest > len(self.spots) else self.spots
        return chosen + [self.entity(spot) for spot in self.random.sample(spots, rest)]

    def entity(
        self, spot: OutlinedEntity, target: SubscriptionTarget = SubscriptionTarget.ENTITY, has_members: bool = False
    ) -> Choice:
        ref = f"{spot.file.path}::{spot.entity.qualified_name}"
        wish = Subscription(id="", ref=ref, target=target, include_members=has_members)
        return target, has_members, ref, self.recorder.entity(wish, spot)

    def lines(self) -> Choice:
        path = self.random.choice(self.files).path
        n_lines = len(lines_of(self.recorder.tree.content(path) or b""))
        first = self.random.randint(1, n_lines)
        last = min(n_lines, first + self.random.randrange(LONGEST_RANGE))
        return SubscriptionTarget.LINES, False, f"{path}:{first}-{last}", self.recorder.lines(path, first, last)

    def pattern(self) -> Choice:
        spot = self.random.choice(self.spots)
        folder = spot.file.path.rpartition("/")[0]
        ref = f"{folder + '/' if folder else ''}**::{spot.entity.name[:4]}*"
        return SubscriptionTarget.PATTERN, False, ref, self.recorder.pattern(ref)


# Measuring


def measure_both(root: Path, base: str, target: str, n_subscriptions: int, n_rounds: int, is_indexed: bool) -> float:
    """The ratio of the medians; the table is printed."""
    shutil.rmtree(root / FOLDER, ignore_errors=True)
    check_out(root, base, is_indexed)
    made = apart(subscribe_all, root, base, target, n_subscriptions)
    check_out(root, target, is_indexed)
    rounds = [[apart(measure, root, base, target, task) for task in TASKS] for _ in range(n_rounds)]
    label = "with an index" if is_indexed else "cold"
    medians = [statistics.median(run[number].seconds for run in rounds) for number in range(len(TASKS))]
    ratio = medians[1] / medians[0]
    for number, task in enumerate(TASKS):
        cpu = statistics.median(run[number].cpu_seconds for run in rounds)
        verdict = f"{ratio:6.2f} {'met' if ratio <= FACTOR else 'missed'}: {made}, " if task == "scan" else ""
        print(
            f"{f'{label}, {task}':22} {medians[number]:8.2f} {cpu:7.2f} {verdict}{rounds[0][number].told}", flush=True
        )
    return ratio


def check_out(root: Path, commit: str, is_indexed: bool) -> None:
    git(root, "checkout", "--quiet", "--detach", "--force", commit)
    if is_indexed:
        apart(index, root)


def index(root: Path) -> None:
    workspace = find_workspace(root)
    with writing(workspace, 0) as store:
        index_worktree(store, workspace)


def apart(function: Callable[..., Told], *arguments: object) -> Told:
    """In a fresh process, which has nothing in memory."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def measure(root: Path, base: str, target: str, task: str) -> Figures:
    cpu_start, start = cpu_seconds(), time.perf_counter()
    told = TASKS[task](root, base, target)
    return Figures(time.perf_counter() - start, cpu_seconds() - cpu_start, told)


def cpu_seconds() -> float:
    """Of this process and of its workers that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def run_diff(root: Path, base: str, target: str) -> str:
    with open_repository(root) as repository:
        diff = diff_states(repository, base, target)
    return f"{len(diff.changes):,} changes"


def run_scan(root: Path, base: str, target: str) -> str:
    with open_session(root) as session:
        report = scan(session, ScanOptions(base, target, quick=True))
    return f"{len(report.triggers):,} triggers, {len(report.proposals):,} proposals"


def run_explained(root: Path, base: str, target: str) -> str:
    """With the commits and the lines of what triggered, as far as they are looked up."""
    with open_session(root) as session:
        report = scan(session, ScanOptions(base, target))
    return f"{sum(trigger.explanation is not None for trigger in report.triggers):,} triggers explained"


TASKS: dict[str, Callable[[Path, str, str], str]] = {"diff": run_diff, "scan": run_scan, "explained": run_explained}


if __name__ == "__main__":
    sys.exit(main())
