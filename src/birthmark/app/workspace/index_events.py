"""What changed in an index since it was last looked at, for those who listen.

`look` is called by all that open the index; a change is read once, and given to all listeners from that thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from birthmark.store.model import Snapshot
from birthmark.store.port import Store

MOST_MARKS = 200


class IndexChange(NamedTuple):
    """An update of the index, or several: how many entities changed and how, and which, by their marks."""

    run: int
    snapshot: int
    indexed_revision: str | None
    changes: dict[str, int]
    marks: list[str]
    more: bool  # than the marks that are listed


Listener = Callable[[IndexChange | None], None]  # None: nothing follows


class IndexEvents:
    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._seen: Snapshot | None = None
        self._end = 0, 0
        self._is_closed = False

    def listen(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.append(listener)
            is_closed = self._is_closed
        if is_closed:
            listener(None)

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.remove(listener)

    def close(self) -> None:
        """Each listener gets None."""
        with self._lock:
            self._is_closed, listeners = True, [*self._listeners]
        for listener in listeners:
            listener(None)

    def look(self, store: Store, snapshot: Snapshot) -> None:
        """Only what comes after the first look is an event; an index of an earlier moment has none."""
        if snapshot == self._seen:
            return
        with self._lock:
            known, listeners = self._seen, [*self._listeners]
            if known is not None and snapshot.run <= known.run:
                return
            change = None if known is None or not listeners else _read_change(store, snapshot, self._end)
            self._seen, self._end = snapshot, store.ledger_end()
        for listener in listeners if change is not None else ():
            listener(change)


def _read_change(store: Store, snapshot: Snapshot, since: tuple[int, int]) -> IndexChange:
    """What a replay recorded meanwhile was found in commits, not in the worktree."""
    changed = store.changed_since(since)
    runs = store.runs({run for _, _, run, _ in changed})
    here = [(mark, change) for _, mark, run, change in changed if runs[run].worktree == snapshot.worktree]
    marks = [*dict.fromkeys(mark for mark, _ in here)]
    counts = dict(Counter(change for _, change in here))
    more = len(marks) > MOST_MARKS
    return IndexChange(snapshot.run, snapshot.snapshot, snapshot.revision, counts, marks[:MOST_MARKS], more)
