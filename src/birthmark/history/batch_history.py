"""Follow many entities of one file at the cost of little more than one.

Each commit that touched the file is looked up once, each state of it extracted once, and each commit paired once,
however many entities ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from birthmark.extraction.model import Outline
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.entity_at_commit import HistorySource
from birthmark.history.follow import follow_lineage
from birthmark.history.lineage import F, Lineage, Step
from birthmark.history.walked_lineage import WalkedLineage


def shared_walk(repository: HistorySource) -> WalkedLineage:
    """What histories of one repository share, of one file or of many."""
    return WalkedLineage(CommitPairings(_CachedSource(repository)))


def follow_all(
    lineage: Lineage[F], commit: str, path: str, blob: str, outline: Outline, ordinals: Sequence[int]
) -> Iterator[list[Step]]:
    """The steps of some entities of a file, each newest first."""
    lineage.prefetch(commit, path)
    for ordinal in ordinals:
        yield follow_lineage(lineage, lineage.start(commit, path, blob, outline, ordinal))


class _CachedSource:
    """A HistorySource that reads nothing twice."""

    def __init__(self, repository: HistorySource) -> None:
        self.touches = cache(repository.touches)
        self.parents = cache(repository.parents)
        self.blob = cache(repository.blob)
        self.content, self.contents = repository.content, repository.contents
        self.outlines = repository.outlines
        self.changed = cache(repository.changed)
        self.family_of = repository.family_of
        self.language_of = repository.language_of
