"""What a review compares: a range that is named, or what a branch and its worktree have of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.app.changes.diff_arguments import read_arguments
from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.state import NOTHING
from birthmark.sources.git.repository import GitRepository
from birthmark.vocabulary import ReviewBasis

_DEFAULT_BRANCHES = ("origin/HEAD", "upstream/HEAD", "origin/main", "origin/master", "@{upstream}", "main", "master")


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
