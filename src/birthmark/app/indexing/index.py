"""Bring the index of a worktree up to date, or that of a ref where there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.workspace import Workspace
from birthmark.extraction.calls import PoolFactory
from birthmark.ledger.file_scan import IndexTools, UpdateTarget
from birthmark.ledger.update import Summary, find_base, update_index
from birthmark.model import Level
from birthmark.sources.config import Settings
from birthmark.sources.discover import Discovery
from birthmark.store.model import Snapshot
from birthmark.store.port import Store
from birthmark.vocabulary import Detail


class IndexOptions(NamedTuple):
    """Options for indexing. Without a detail it stays the same; without a pool, only this machine works."""

    jobs: int | None = None
    detail: Detail | None = None
    progress: Progress = lambda stage, done, total: None
    make_pool: PoolFactory | None = None


def index_worktree(store: Store, workspace: Workspace, options: IndexOptions | None = None) -> Summary:
    """Index the worktree; without one, the commit of the workspace's ref."""
    with indexing(store, workspace, options) as (repository, tools):
        target = target_of(workspace, repository.discovery)._replace(revision=repository.head)
        return update_index(store, repository.current_files(), target, tools)


def detail_of(base: Snapshot | None) -> Detail:
    """The detail a snapshot was made with, which stays until another is asked for."""
    return Detail.FULL if base is not None and base.extractor.endswith(Detail.FULL) else Detail.DEFINITIONS


def target_of(workspace: Workspace, found: Discovery, scope: frozenset[str] | None = None) -> UpdateTarget:
    return UpdateTarget(workspace.worktree, workspace.branch, workspace.head, found.problems, scope)


@contextmanager
def indexing(
    store: Store, workspace: Workspace, options: IndexOptions | None = None, settings: Settings | None = None
) -> Iterator[tuple[OpenRepository, IndexTools]]:
    """A repository that is open for indexing, and the tools for it."""
    options = options or IndexOptions()
    repository = OpenRepository(workspace, store, settings, options.jobs, is_writable=True, make_pool=options.make_pool)
    try:
        yield repository, _make_tools(repository, store, options)
    finally:
        repository.close()


def _make_tools(repository: OpenRepository, store: Store, options: IndexOptions) -> IndexTools:
    detail = options.detail or detail_of(find_base(store, repository.workspace.worktree))
    extractor = repository.extractor
    return IndexTools(
        extractor,
        repository.family_of,
        f"{extractor.version} {repository.settings.limits} {detail}",
        Level.NODES if detail is Detail.FULL else Level.OUTLINE,
        lambda: int(time.time()),
        options.progress,
    )
