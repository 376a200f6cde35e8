"""Bring an index up to date before a question is answered.

`with refreshing():` holds for all that is asked meanwhile. An index is never made: the first one is asked for. Where
it cannot be written, the question is answered from what is there, and the answer says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NamedTuple

from birthmark.app.workspace.freshness import Freshness, Progress, refresh_before_asking, resolving_progress
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError

WAIT_SECONDS = 2.0  # for another writer


class RefreshOptions(NamedTuple):
    """What is called with the number of files and the seconds of an update, what shows its progress, and how many
    seconds another writer is waited for."""

    report: Callable[[int, float], None] = lambda n_files, seconds: None
    progress: Callable[[], AbstractContextManager[Progress]] = lambda: nullcontext(lambda stage, done, total: None)
    wait: float = WAIT_SECONDS


@contextmanager
def refreshing(options: RefreshOptions | None = None) -> Iterator[None]:
    """What is asked meanwhile is answered from an index that is up to date."""

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

    started = time.perf_counter()
    try:
        with writing(workspace, options.wait) as store, options.progress() as progress:
            index_worktree(store, workspace, IndexOptions(progress=progress))
    except BirthmarkError as error:
        return str(error)
    options.report(len(freshness.pending), time.perf_counter() - started)
    return None
