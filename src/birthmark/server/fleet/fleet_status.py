"""The state of a fleet's repositories: indexed commits, commits behind, and failures."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import FleetProgress, FleetRepository, folder_of
from birthmark.server.fleet.progress import current_progress
from birthmark.sources.git.repository import GitRepository
from birthmark.vocabulary import FleetState


class RepositoryStatus(NamedTuple):
    """A repository, how it is, and how many commits of its ref are not indexed, None where this machine cannot know;
    how far a refresh is that is under way.
    """

    repository: FleetRepository
    state: FleetState
    behind: int | None
    progress: FleetProgress | None


def status_of(repository: FleetRepository, mirrors: Path) -> RepositoryStatus:
    """By what was fetched; nothing is fetched here."""
    behind = _count_behind(repository, folder_of(repository, mirrors))
    return RepositoryStatus(repository, _state(repository, behind), behind, current_progress(repository, time.time()))


def _state(repository: FleetRepository, behind: int | None) -> FleetState:
    if repository.failures:
        return FleetState.FAILED
    if not repository.indexed_at:
        return FleetState.NEW
    return FleetState.BEHIND if behind or repository.changed_at else FleetState.CURRENT


def _count_behind(repository: FleetRepository, folder: Path) -> int | None:
    try:
        found = find_workspace(folder)
        head = found.at(repository.ref or found.ref or "HEAD").head if found.has_git else None
        if head is None or not repository.indexed:
            return None
        return 0 if head == repository.indexed else _count_commits(folder, repository.indexed, head)
    except BirthmarkError:
        return None


def _count_commits(folder: Path, indexed: str, head: str) -> int:
    """A rewritten branch may be behind by no commit of its own; it is behind all the same."""
    with closing(GitRepository(folder)) as git:
        return max(1, int(git.run("rev-list", "--count", f"{indexed}..{head}")))
