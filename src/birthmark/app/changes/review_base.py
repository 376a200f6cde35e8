"""Decide what a review compares, and count how often it was changed before.

Takes a named range, or finds what a branch and its worktree have of their own. Churn is counted by the ledger where the
history was replayed, else by git.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from birthmark.app.changes.diff_arguments import read_arguments
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.state import NOTHING, os_path
from birthmark.queries.hotspots import find_changes
from birthmark.sources.git.log import count_commits
from birthmark.sources.git.repository import GitRepository
from birthmark.vocabulary import ReviewBasis

_DEFAULT_BRANCHES = ("origin/HEAD", "upstream/HEAD", "origin/main", "origin/master", "@{upstream}", "main", "master")
_YEAR = 365 * 24 * 3600  # seconds before the base in which commits are counted


class ReviewRange(NamedTuple):
    """A commit to compare with, and the one to look at, None for the worktree; and why that is the base.

    `branch` is the one whose merge base it is.
    """

    base: str
    target: str | None
    basis: ReviewBasis = ReviewBasis.NAMED
    branch: str | None = None


def read_range(repository: OpenRepository, words: Sequence[str]) -> ReviewRange:
    """Words are none, `BASE`, `BASE TARGET` or `A..B`."""
    if not words:
        return _own_changes(repository.git)
    asked = read_arguments(repository, words, ())
    assert asked.base is not None
    if asked.base == NOTHING:
        raise NotFoundError(f"{words[0]!r} goes back beyond the first commit; name a later one")
    return ReviewRange(asked.base, asked.target)


def _own_changes(git: GitRepository) -> ReviewRange:
    """Since the merge base with the first default branch that there is; where HEAD is in that one, since HEAD."""
    head = git.head()
    if head is None:
        raise NotFoundError("there is no commit yet, so there is nothing to compare with; make the first one")
    branch, other = next(_default_branches(git), (None, None))
    common = git.merge_base(head, other) if other is not None else None
    if common is None or common == head:
        return ReviewRange(head, None, ReviewBasis.HEAD)
    return ReviewRange(common, None, ReviewBasis.MERGE_BASE, branch)


def _default_branches(git: GitRepository) -> Iterator[tuple[str, str]]:
    for name in _DEFAULT_BRANCHES:
        try:
            found = git.find(name) if name != git.branch() else None
        except BirthmarkError:
            continue  # Nothing is tracked.
        if found is not None:
            yield name, found


class Churn:
    """Asked for all that is needed at once, then for each."""

    def __init__(self, session: Session, asked: ReviewRange) -> None:
        self._session, self._asked = session, asked
        self._changes: Counter[int] = Counter()
        self._commits: Counter[str] = Counter()

    @cached_property
    def commits(self) -> frozenset[str]:
        """Those of the range."""
        until = self._asked.target or self._session.workspace.head
        found = self._session.repository.git.run("rev-list", str(until), f"^{self._asked.base}", "--")
        return frozenset(found.decode().split())

    @cached_property
    def is_replayed(self) -> bool:
        return self._asked.base in self._session.store.replayed_commits()

    def prepare(self, nodes: Collection[int], paths: Iterable[str]) -> None:
        if self.is_replayed:
            replayed = self._session.store.replayed_commits()
            earlier = {run for commit, run in replayed.items() if commit not in self.commits}
            changes = find_changes(self._session.store.events_of(nodes), earlier)
            self._changes = Counter({identity: len(runs) for identity, runs in changes.items()})
        else:
            repository = self._session.repository
            since = repository.commit(self._asked.base).committed_at - _YEAR
            wanted = sorted({os_path(path) for path in paths})
            self._commits = count_commits(repository.git, self._asked.base, wanted, since)

    def of(self, node: int | None, path: str) -> tuple[int | None, int | None]:
        """Changes of the definition, or commits to its file; one of them is not known."""
        if self.is_replayed:
            return (self._changes[node] if node is not None else None), None
        return None, self._commits[path]
