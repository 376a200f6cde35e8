"""Judge how far an index can be trusted, and bring it up to date before a question is answered.

A surface decides that `with refreshing():`, for all that is asked meanwhile; without it nothing is written. An index is
never made: the first one is asked for. Where it cannot be written, the question is answered from what is there, and the
answer says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import NamedTuple

from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.ledger.file_scan import FoundFiles, is_given_up, pending_paths
from birthmark.store.model import SnapshotFile

WAIT_SECONDS = 2.0  # for another writer


class Freshness(NamedTuple):
    """How far the index can be trusted: what it was made from, and what has changed since.

    `unreadable` are paths whose last known state is used, because they cannot be read as they are; `problem` says why
    the index could not be brought up to date.
    """

    head: str | None
    indexed_revision: str | None
    pending: list[str]
    unreadable: list[str] = []  # noqa: RUF012 - never changed
    problem: str | None = None
    can_refresh: bool = False  # An update would find something that none has tried yet.
    checked_at: float | None = None  # Unix seconds: when the worktree was looked at, where that was for several answers

    @property
    def is_fresh(self) -> bool:
        return not self.pending and self.head == self.indexed_revision


def find_freshness(
    head: str | None, revision: str | None, files: FoundFiles | None, rows: Mapping[str, SnapshotFile]
) -> Freshness:
    """Without files, as just after an update or at a commit that is indexed, nothing is pending."""
    pending = pending_paths(files, rows) if files is not None else []
    unreadable = sorted(path for path, row in rows.items() if row.problem and row.version is not None)
    can_refresh = files is not None and (head != revision or any(_is_untried(files, rows, p) for p in pending))
    return Freshness(head, revision, pending, unreadable, None, can_refresh)


def _is_untried(files: FoundFiles, rows: Mapping[str, SnapshotFile], path: str) -> bool:
    found, row = files.found.get(path), rows.get(path)
    return found is None or row is None or not is_given_up(found, row)


Refresh = Callable[[Workspace, Freshness], str | None]  # Gives the reason, where the index could not be updated.
refresh_before_asking: ContextVar[Refresh | None] = ContextVar("refresh_before_asking", default=None)
Progress = Callable[[str, int, int], None]  # what is done, files done, of so many
# What shows the progress of a resolution of edges.
resolving_progress: ContextVar[Callable[[], AbstractContextManager[Progress]]] = ContextVar(
    "resolving_progress", default=lambda: nullcontext(lambda stage, done, total: None)
)


class RefreshOptions(NamedTuple):
    """What is called with the number of files and the seconds of an update, what shows its progress, and how many
    seconds another writer is waited for."""

    report: Callable[[int, float], None] = lambda n_files, seconds: None
    progress: Callable[[], AbstractContextManager[Progress]] = lambda: nullcontext(lambda stage, done, total: None)
    wait: float = WAIT_SECONDS


@contextmanager
def refreshing(options: RefreshOptions | None = None) -> Iterator[None]:
    """Answer all that is asked meanwhile from an index that is up to date."""

    def refresh(workspace: Workspace, freshness: Freshness) -> str | None:
        return _refresh(workspace, freshness, options or RefreshOptions())

    token, shown = refresh_before_asking.set(refresh), resolving_progress.set((options or RefreshOptions()).progress)
    try:
        yield
    finally:
        refresh_before_asking.reset(token)
        resolving_progress.reset(shown)


def _refresh(workspace: Workspace, freshness: Freshness, options: RefreshOptions) -> str | None:
    """Why it could not be done."""
    from birthmark.app.indexing.index import IndexOptions, index_worktree  # Most questions find nothing to update.
    from birthmark.app.workspace.stores import writing

    started = time.perf_counter()
    try:
        with writing(workspace, options.wait) as store, options.progress() as progress:
            index_worktree(store, workspace, IndexOptions(progress=progress))
    except BirthmarkError as error:
        return str(error)
    options.report(len(freshness.pending), time.perf_counter() - started)
    return None
