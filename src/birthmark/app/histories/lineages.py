"""Choose the source of histories: the records of a replay, where it has all that is asked for; else git.

Takes a commit and a function of a Lineage; gives its result.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from birthmark.app.workspace.repository import OpenRepository
from birthmark.history.follow import shared_walk
from birthmark.history.lineage import Lineage, NotRecordedError
from birthmark.ledger.gc_pause import collection_paused

T = TypeVar("T")


def read_lineage(repository: OpenRepository, commit: str, read: Callable[[Lineage[Any]], T]) -> T:
    """Read from the records of a replay, or else from git; the result is the same."""
    recorded = _open_recorded(repository, commit)
    if recorded is not None:
        with suppress(NotRecordedError):
            return read(recorded)
    walk = shared_walk(repository)
    with collection_paused():
        try:
            return read(walk)
        finally:
            walk.pairings.forget()


def _open_recorded(repository: OpenRepository, commit: str) -> Lineage[Any] | None:
    if repository.store is None:
        return None
    from birthmark.app.histories.recorded_lineages import open_recorded  # Nothing is recorded without an index.

    return open_recorded(repository, commit)
