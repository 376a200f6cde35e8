"""Replay the history of a repository through the index, and check it after every commit.

`make replay REPO=… COMMITS=…` runs it for any project.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from birthmark.app.indexing.checking import check_index
from birthmark.app.indexing.index import index_worktree
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import find_workspace
from birthmark.queries.validate import check_snapshot
from worlds import run_git

_SHOWN = 20


class Replay(NamedTuple):
    """How many commits were replayed, what was found wrong, and what the index told of them."""

    n_commits: int
    findings: list[str]
    changes: Counter[str]
    index_seconds: float


def last_commits(repository: Path, count: int) -> list[str]:
    """The latest consecutive commits along first parents, the oldest first."""
    return run_git(repository, "rev-list", "--first-parent", f"--max-count={count}", "HEAD").split()[::-1]


def replay(
    repository: Path, commits: Sequence[str], folder: Path, *, whole_every: int = 1, shows_progress: bool = False
) -> Replay:
    """Check out each commit in a scratch clone and bring its index up to date; at the end compare with a rebuild.

    What each commit changed is checked, and after every so many commits the whole snapshot.
    """
    clone = folder / "clone"
    run_git(folder, "clone", "-q", "--shared", "--no-checkout", str(repository.resolve()), str(clone))
    run_git(clone, "checkout", "-q", "--detach", commits[0])
    workspace = find_workspace(clone)
    findings: list[str] = []
    changes: Counter[str] = Counter()
    seconds, known = 0.0, dict[str, str]()
    for number, commit in enumerate(commits, 1):
        _check_out(clone, commit)
        started = time.perf_counter()
        with writing(workspace, 0) as store:
            summary = index_worktree(store, workspace)
        seconds += time.perf_counter() - started
        changes.update(summary.changes)
        with open_session(clone) as session:
            found = _check(session, _paths(clone, commit), known)
            found += check_snapshot(session.store, session.view.number) if number % whole_every == 0 else []
            findings += [f"{commit[:12]}: {finding}" for finding in found]
        if shows_progress:
            print(f"\r{number} of {len(commits)}, {len(findings)} findings", end="", file=sys.stderr, flush=True)
    with open_session(clone) as session:
        findings += check_index(session, against_rebuild=True, strict=True)
    return Replay(len(commits), findings, changes, seconds)


def _check_out(clone: Path, commit: str) -> None:
    run_git(clone, "read-tree", "--reset", "-u", commit)
    run_git(clone, "update-ref", "--no-deref", "HEAD", commit)


def _paths(clone: Path, commit: str) -> list[str]:
    """The files that a commit changed."""
    names = run_git(
        clone, "diff-tree", "-r", "-m", "--first-parent", "--root", "--no-commit-id", "--name-only", "-z", commit
    )
    return [name for name in names.split("\0") if name]


def _check(session: Session, paths: list[str], known: dict[str, str]) -> list[str]:
    """A mark's birth key never changes; every edge of the changed files leads to what is there."""
    store, number = session.store, session.view.number
    present = {row.identity: row.mark for row in store.all_entities(number)}
    findings = [
        f"{found.mark} was {known[found.mark]} and is now {found.key}"
        for found in store.identities(present)
        if known.setdefault(found.mark, found.key) != found.key
    ]
    for path in paths:
        for language, source, reference in session.graph.references_in(path):
            resolved = session.resolver.resolve(path, language, source, reference)
            dangling = [target for target in resolved.targets if target.identity not in present]
            findings += [f"{path}:{reference.line}: {reference.name} leads to {target}" for target in dangling]
    return findings


def main(repository: str, count: str = "200") -> int:
    started = time.perf_counter()
    commits = last_commits(Path(repository), int(count))
    with tempfile.TemporaryDirectory(prefix="birthmark-replay-") as folder:
        result = replay(Path(repository), commits, Path(folder), shows_progress=True)
    seconds = time.perf_counter() - started
    print(f"\n{result.n_commits} commits in {seconds:.1f} s, {result.index_seconds:.1f} s of them indexing")
    print(", ".join(f"{count:,} {change}" for change, count in result.changes.most_common()))
    print(*(result.findings[:_SHOWN] or ["nothing wrong was found"]), sep="\n")
    return 1 if result.findings else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
