"""Who last changed the code of each entity of a file, and who introduced it.

Takes a Lineage and a file at a commit; gives a Blamed for each entity.
"""

from __future__ import annotations

from typing import NamedTuple

from birthmark.comparison.declaration_changes import COSMETIC
from birthmark.extraction.model import Outline
from birthmark.history.batch_history import follow_all
from birthmark.history.lineage import F, Lineage, Step
from birthmark.vocabulary import HistoryChange

_NO_CODE = COSMETIC | {
    HistoryChange.CONTAINER,
    HistoryChange.MOVED,
}  # Moving a file does not write what is in it.


class Blamed(NamedTuple):
    """An entity by its index in the outline; the last step that changed its code, and the first of all."""

    ordinal: int
    last: Step
    introduced: Step


def blame_entities(lineage: Lineage[F], commit: str, path: str, blob: str, outline: Outline) -> list[Blamed]:
    """In the order of the source; documentation, format and moves do not count."""
    ordinals = sorted(range(len(outline.entities)), key=lambda ordinal: outline.entities[ordinal].start_byte)
    blamed = []
    for ordinal, steps in zip(ordinals, follow_all(lineage, commit, path, blob, outline, ordinals), strict=True):
        real = [step for step in steps if not set(step.changes) <= _NO_CODE]
        if real:
            blamed.append(Blamed(ordinal, real[0], steps[-1]))
    return blamed
