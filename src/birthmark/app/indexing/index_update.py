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
    """What an update did; `file` is the row of the file that was asked for."""

    summary: Summary
    status: Status
    seconds: float
    replayed: Replayed | None = None
    file: SnapshotFile | None = None
    is_first: bool = False  # There was no index before.
    mended: Sequence[str] = ()  # What was found damaged, and written anew.


def update_folder(
    folder: Path, wait: float, options: IndexOptions | None = None, *, from_history: bool = False
) -> IndexUpdate:
    """Wait for another writer for some seconds at most. A replay that was interrupted is continued."""
    started, workspace = time.perf_counter(), find_workspace(folder)
    is_first = not has_index(workspace)
    with writing(workspace, wait) as store:
        mended, replayed = store.mend_log(), None
        if from_history or is_unfinished(store):
            from birthmark.app.indexing.replay import replay_worktree

            replayed = replay_worktree(store, workspace, options)
        summary = index_worktree(store, workspace, options)
        with closing(OpenRepository(workspace, store)) as repository:
            status = read_status(Session(repository, is_fresh=True), summary.problems)
    return IndexUpdate(summary, status, time.perf_counter() - started, replayed, is_first=is_first, mended=mended)


def update_file(folder: Path, path: str, wait: float) -> IndexUpdate:
    """The whole worktree is brought up to date: what has moved into the file would seem new without the others."""
    workspace = find_workspace(folder)
    was_indexed = _row(workspace, path) is not None
    update = update_folder(folder, wait)
    row = _row(workspace, path)
    if row is None and not was_indexed:
        raise NotFoundError(f"{path}: is no file that is indexed; name one relative to the root of the repository")
    return update._replace(file=row)


def _row(workspace: Workspace, path: str) -> SnapshotFile | None:
    if not has_index(workspace):
        return None
    with reading(workspace) as store:
        snapshot = store.snapshot(workspace.worktree)
        return None if snapshot is None else store.files(snapshot.snapshot, [path]).get(path)
