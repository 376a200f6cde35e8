"""What makes answers fast, done before they are asked for: edges are resolved, texts made searchable."""

from __future__ import annotations

import os
from pathlib import Path

from birthmark.app.answers.searching.searchable_texts import make_searchable, write_texts
from birthmark.app.workspace.edges import write_network
from birthmark.app.workspace.freshness import Progress, RefreshOptions
from birthmark.app.workspace.session import open_session
from birthmark.store.port import Store

_NICENESS = 10


def keep_up(folder: Path) -> None:
    """For the index as it is now; in a process of its own, which gives way to those that answer."""
    if os.nice(0) < _NICENESS:
        os.nice(_NICENESS)
    with open_session(folder, RefreshOptions(), refreshes=False) as session:
        make_searchable(session)
        assert session.network is not None


def prepare_answers(store: Store, worktree: str, progress: Progress) -> None:
    """The same for a holder of the lock, who has just indexed; what cannot be written is an error."""
    snapshot = store.snapshot(worktree)
    assert snapshot is not None
    write_texts(store, store.unsearched_texts(snapshot.snapshot), progress)
    write_network(store, snapshot, progress)
