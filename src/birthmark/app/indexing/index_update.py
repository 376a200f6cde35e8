"""Bring the index of a folder's repository up to date, and report what was done."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.indexing.status import Status, read_status
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import has_index, reading, writing
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.errors import NotFoundError
from birthmark.ledger.update import Summary, is_unfinished
from birthmark.store.model import SnapshotFile

if TYPE_CHECKING:
    from birthmark.ledger.replay import Replayed


class IndexUpdate(NamedTuple):
    """The result of an update; `file` is the row of the requested file."""

    summary: Summary
    status: Status
    seconds: float
    replayed: Replayed | None = None
    file: SnapshotFile | None = None
    is_first: bool = False  # There was no index before.
    mended: Sequence[str] = ()  # Damaged parts that were written again.


def update_folder(
    folder: Path,
    wait: float,
    options: IndexOptions | None = None,
    *,
    from_history: bool = False,
    path: str | None = None,
) -> IndexUpdate:
    """Update the index of a folder's repository, and continue a replay that was interrupted.

    Another writer is waited for. With a path the result has its row; all of the worktree is updated even so, as code
    that has moved into the file would seem new without the others.
    """
    started, workspace = time.perf_counter(), find_workspace(folder)
    is_first, was_indexed = not has_index(workspace), path is not None and _row(workspace, path) is not None
    with writing(workspace, wait) as store:
        mended, replayed = store.mend_log(), None
        if from_history or is_unfinished(store):
            from birthmark.app.indexing.replay import replay_worktree

            replayed = replay_worktree(store, workspace, options)
        summary = index_worktree(store, workspace, options)
        with closing(OpenRepository(workspace, store)) as repository:
            status = read_status(Session(repository, is_fresh=True), summary.problems)
    row = None if path is None else _row(workspace, path)
    if path is not None and row is None and not was_indexed:
        raise NotFoundError(f"{path}: is no file that is indexed; name one relative to the root of the repository")
    return IndexUpdate(summary, status, time.perf_counter() - started, replayed, row, is_first, mended)


def _row(workspace: Workspace, path: str) -> SnapshotFile | None:
    if not has_index(workspace):
        return None
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        return None if snapshot is None else store.files(snapshot.snapshot, [path]).get(path)
