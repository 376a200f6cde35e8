"""Follow many entities of one file at the cost of little more than one.

Each commit that touched the file is looked up once, each state of it extracted once, and each commit paired once,
however many entities ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from birthmark.extraction.model import Outline
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.entity_at_commit import HistorySource, entity_at_commit
from birthmark.history.follow import Step, follow


class SharedWalk:
    """What histories of one repository share, of one file or of many."""

    def __init__(self, repository: HistorySource) -> None:
        self.source = _CachedSource(repository)
        self.pairings = CommitPairings(self.source)


def follow_all(
    walk: SharedWalk, commit: str, path: str, blob: str, outline: Outline, ordinals: Sequence[int]
) -> Iterator[list[Step]]:
    """The steps of some entities of a file, each newest first."""
    cached = walk.source
    states = dict.fromkeys(cached.blob(touch.commit, path) for touch in cached.touches(commit, path))
    cached.outlines([(state, path) for state in states if state])  # Together they are extracted on all cores.
    for ordinal in ordinals:
        yield follow(cached, entity_at_commit(cached, commit, path, blob, outline, ordinal), walk.pairings)


class _CachedSource:
    """A HistorySource that reads nothing twice."""

    def __init__(self, repository: HistorySource) -> None:
        self.touches = cache(repository.touches)
        self.parents = cache(repository.parents)
        self.blob = cache(repository.blob)
        self.content = repository.content
        self.outlines = repository.outlines
        self.changed = cache(repository.changed)
        self.family_of = repository.family_of
        self.language_of = repository.language_of
