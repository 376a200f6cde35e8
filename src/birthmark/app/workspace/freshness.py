"""How far an index can be trusted, and whether it is brought up to date before it is asked.

A surface decides that with `refreshing` (app/workspace/refresh.py), for all that is asked meanwhile; without it
nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import NamedTuple

from birthmark.app.workspace.workspace import Workspace
from birthmark.ledger.file_scan import FoundFiles, is_given_up, pending_paths
from birthmark.store.model import SnapshotFile


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
