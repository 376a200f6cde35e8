"""Check the freshness of an index, and update it before a question is answered.

With RefreshOptions the index is updated first; without them nothing is written. The first index is never made here:
users request it. If the index cannot be written, the question is answered from the existing one, and the answer says
why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

from birthmark.app.workspace.workspace import Workspace
from birthmark.documents.document import make
from birthmark.documents.index import FreshnessDocument
from birthmark.errors import BirthmarkError
from birthmark.ledger.file_scan import FoundFiles, is_given_up, pending_paths
from birthmark.sources.config import Settings
from birthmark.sources.discover import Discovery
from birthmark.store.model import SnapshotFile

WAIT_SECONDS = 2.0  # for another writer


class Freshness(NamedTuple):
    """The freshness of an index: the indexed revision, and the changes since.

    `unreadable` are paths that cannot be read now, whose last known state is used; `problem` says why the index could
    not be updated.
    """

    head: str | None
    indexed_revision: str | None
    pending: list[str]
    unreadable: list[str] = []  # noqa: RUF012 - never changed
    problem: str | None = None
    can_refresh: bool = False  # There are changes that no update has tried yet.
    settings_changed: bool = False  # The index was made with other settings, or by another version.
    checked_at: float | None = None  # Unix seconds of the check, if it is shared by several answers

    @property
    def is_fresh(self) -> bool:
        return not self.pending and not self.settings_changed and self.head == self.indexed_revision


def freshness_document(freshness: Freshness) -> FreshnessDocument:
    return make(FreshnessDocument, freshness, fresh=freshness.is_fresh)


class CheckedWorktree(NamedTuple):
    """A worktree at one moment, with the freshness of its index; None if there was no index."""

    workspace: Workspace
    settings: Settings
    discovery: Discovery
    freshness: Freshness | None
    git_state: object

    @property
    def problem(self) -> str | None:
        return self.freshness.problem if self.freshness is not None else None


def find_freshness(
    head: str | None, revision: str | None, files: FoundFiles | None, rows: Mapping[str, SnapshotFile]
) -> Freshness:
    """Return the freshness; nothing is pending if `files` is None, as after an update or at an indexed commit."""
    pending = pending_paths(files, rows) if files is not None else []
    unreadable = sorted(path for path, row in rows.items() if row.problem and row.version is not None)
    can_refresh = files is not None and (head != revision or any(_is_untried(files, rows, p) for p in pending))
    return Freshness(head, revision, pending, unreadable, None, can_refresh)


def _is_untried(files: FoundFiles, rows: Mapping[str, SnapshotFile], path: str) -> bool:
    found, row = files.found.get(path), rows.get(path)
    return found is None or row is None or not is_given_up(found, row)


Progress = Callable[[str, int, int], None]  # the stage, files done, files in all
ShowProgress = Callable[[], AbstractContextManager[Progress]]


def show_nothing() -> AbstractContextManager[Progress]:
    """Return a progress that is not shown."""
    return nullcontext(lambda stage, done, total: None)


class RefreshOptions(NamedTuple):
    """Report an update with its number of files and its seconds, show its progress, and wait some seconds for another
    writer.
    """

    report: Callable[[int, float], None] = lambda n_files, seconds: None
    progress: ShowProgress = show_nothing
    wait: float = WAIT_SECONDS


def refresh_index(workspace: Workspace, freshness: Freshness, options: RefreshOptions) -> str | None:
    """Return the reason if it could not be done."""
    from birthmark.app.indexing.index import IndexOptions, index_worktree  # Most questions find nothing to update.
    from birthmark.app.workspace.stores import writing

    started = time.perf_counter()
    try:
        with writing(workspace, options.wait) as store, options.progress() as progress:
            index_worktree(store, workspace, IndexOptions(progress=progress, with_graph=None))
    except BirthmarkError as error:
        return str(error)
    options.report(len(freshness.pending), time.perf_counter() - started)
    return None
