"""Look at a worktree and, if that is wanted, bring its index up to date; what was found is a value."""

from __future__ import annotations

import time
from contextlib import nullcontext
from contextvars import Context
from pathlib import Path
from typing import NamedTuple

from birthmark.app.workspace.freshness import Freshness, RefreshOptions, refreshing
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.workspace import Workspace
from birthmark.sources.config import Settings
from birthmark.sources.discover import Discovery
from birthmark.sources.git.refs import read_git_state


class CheckedWorktree(NamedTuple):
    """A worktree at one moment, and how far its index could be trusted then; None where there was no index."""

    workspace: Workspace
    settings: Settings
    discovery: Discovery
    freshness: Freshness | None
    git_state: object

    @property
    def problem(self) -> str | None:
        return self.freshness.problem if self.freshness is not None else None


def check_worktree(folder: Path, refreshes: bool, wait: float = 0.0) -> CheckedWorktree:
    """`wait`: seconds for another writer. What a question has set for itself does not hold here: a check is for all."""
    return Context().run(_check, folder, refreshes, RefreshOptions(wait=wait))


def _check(folder: Path, refreshes: bool, options: RefreshOptions) -> CheckedWorktree:
    with refreshing(options) if refreshes else nullcontext(), open_repository(folder) as repository:
        at, git_state, freshness = time.time(), read_git_state(repository.workspace.root), repository.freshness
        if freshness is not None and repository.workspace.has_worktree:
            freshness = freshness._replace(checked_at=at)
        found = repository.discovery._replace(listings={})  # which are kept in the index
        return CheckedWorktree(repository.workspace, repository.settings, found, freshness, git_state)
