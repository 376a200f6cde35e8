"""Walked histories beside the lives that are told from the replayed ledger, event for event.

    python benchmarks/agreement.py REPOSITORY [REPOSITORY ...] [--oracle FILE ...] [--sample N] [--seed N]

Works on scratch clones without a worktree; the repositories themselves are only read. Each is replayed up to HEAD, or
up to the start commits of an oracle's entities, whose `repo` is the name of the clone's folder (`owner+name`). Then
the history of each of these entities, or of a random sample, is walked, and compared with the life that `resolve`
tells.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from birthmark.app.indexing.index import IndexOptions
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.history.commit_pairings import CommitPairings
from birthmark.queries.snapshot_view import IndexedEntity
from walked_and_replayed import Difference, compare

Wanted = set[tuple[str, str]]  # paths and names


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", metavar="REPOSITORY", nargs="+", type=Path)
    parser.add_argument("--oracle", metavar="FILE", action="append", type=Path, default=[])
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="birthmark-benchmark-") as scratch:
            compare_repository(repository.resolve(), Path(scratch), arguments)


def compare_repository(repository: Path, scratch: Path, arguments: argparse.Namespace) -> None:
    root = scratch / repository.name
    command = ("git", "clone", "-q", "--shared", "--no-checkout", str(repository), str(root))
    subprocess.run(command, check=True)
    wanted = read_wanted(arguments.oracle, repository.name.replace("+", "/"))
    n_compared, kinds, started = 0, Counter[str](), time.perf_counter()
    for commit, names in wanted.items() if arguments.oracle else [("HEAD", None)]:
        command = ("git", "-C", str(root), "update-ref", "--no-deref", "HEAD", commit)
        subprocess.run(command, check=True)
        replay(root, arguments.jobs)
        n, found = compare_at_head(root, names, arguments)
        n_compared, kinds = n_compared + n, kinds + found
    print(f"{repository.name}: {n_compared} entities, {kinds.total()} disagree, {time.perf_counter() - started:.0f} s")
    for kind, count in kinds.most_common():
        print(f"  {count:5} {kind}")


def read_wanted(files: Iterable[Path], repository: str) -> dict[str, Wanted]:
    """Entities by their start commits."""
    wanted: dict[str, Wanted] = {}
    for file in files:
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            if row["repo"] == repository:
                wanted.setdefault(row["start_commit"], set()).add((row["path"], row["name"].rpartition(".")[2]))
    return wanted


def replay(root: Path, n_workers: int) -> None:
    workspace = find_workspace(root)
    with writing(workspace, 0) as store:
        replay_worktree(store, workspace, IndexOptions(n_workers))


def compare_at_head(root: Path, names: Wanted | None, arguments: argparse.Namespace) -> tuple[int, Counter[str]]:
    kinds: Counter[str] = Counter()
    with open_session(root) as session, open_repository(root) as past:
        commit = past.git.resolve("HEAD")
        chosen = choose(list(session.view.entities()), names, arguments)
        pairings = CommitPairings(past)
        for held in chosen:
            differences = compare(past, session, commit, held, pairings)
            if differences:
                print(f"{held.entity.path}::{held.entity.qualified_name} (line {held.entity.start_line})")
                kinds[describe(differences[-1])] += 1  # What comes later may follow from it.
            for found in differences:
                print(f"  {found.commit[:12]} walked {found.walked}\n{'':14} replayed {found.replayed}", flush=True)
    return len(chosen), kinds


def choose(entities: list[IndexedEntity], names: Wanted | None, arguments: argparse.Namespace) -> list[IndexedEntity]:
    if names is not None:
        return [held for held in entities if (held.entity.path, held.entity.name) in names]
    chance = random.Random(arguments.seed)  # noqa: S311 -- no secret depends on it
    return chance.sample(entities, min(arguments.sample, len(entities)))


def describe(difference: Difference) -> str:
    walked, replayed = difference.walked, difference.replayed
    words = [" and ".join(event.words) if event else "nothing" for event in (walked, replayed)]
    return f"walked {words[0]}, told {words[1]}" if words[0] != words[1] else f"{words[0]}, but elsewhere"


if __name__ == "__main__":
    main()
