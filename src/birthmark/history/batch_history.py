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


def follow_all(
    past: HistorySource, commit: str, path: str, blob: str, outline: Outline, ordinals: Sequence[int]
) -> Iterator[list[Step]]:
    """The steps of some entities of a file, each newest first."""
    memory = _Memory(past)
    pairings = CommitPairings(memory)
    states = dict.fromkeys(memory.blob(touch.commit, path) for touch in memory.touches(commit, path))
    memory.outlines([(state, path) for state in states if state])  # Together they are extracted on all cores.
    for ordinal in ordinals:
        yield follow(memory, entity_at_commit(memory, commit, path, blob, outline, ordinal), pairings)


class _Memory:
    """A HistorySource that asks no question twice."""

    def __init__(self, past: HistorySource) -> None:
        self.touches = cache(past.touches)
        self.parents = cache(past.parents)
        self.blob = cache(past.blob)
        self.content = past.content
        self.outlines = past.outlines
        self.changed = cache(past.changed)
        self.family_of = past.family_of
        self.language_of = past.language_of
