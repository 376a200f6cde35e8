"""Comparisons of two commits that a server is asked for again: by further pages, other filters, a reload.

Commits do not change, so a comparison holds as long as the index is the one whose identities it has. All sources of a
comparison are in memory, so that it needs no repository that is open.
"""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import NamedTuple

from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.workspace.repository import OpenRepository
from birthmark.store.model import Snapshot

_MOST = 4  # comparisons
_MOST_BYTES = 100_000_000  # of the sources of one


class _ComparisonKey(NamedTuple):
    """What a comparison depends on."""

    root: Path
    base: str
    target: str
    snapshot: Snapshot | None


_kept: dict[_ComparisonKey, ComparedStates] = {}  # what was used last is at the end
_lock = Lock()


def keep_comparison(repository: OpenRepository, base: str | None, target: str | None) -> ComparedStates:
    """As `compare_states` answers, which is asked if it is not kept."""
    if base is None or target is None:
        return compare_states(repository, base, target)
    store, workspace = repository.store, repository.workspace
    snapshot = store.snapshot(workspace.worktree) if store is not None else None
    key = _ComparisonKey(workspace.root, base, target, snapshot)
    with _lock:
        found = _kept.get(key)
    compared = found or compare_states(repository, base, target)
    if found or sum(len(file.source()) for files in compared.files for file in files) <= _MOST_BYTES:
        _keep(key, compared)
    return compared


def _keep(key: _ComparisonKey, compared: ComparedStates) -> None:
    with _lock:
        _kept.pop(key, None)
        _kept[key] = compared
        for old in list(_kept)[:-_MOST]:
            del _kept[old]
