"""Replay the history of a repository into its index."""

from __future__ import annotations

import os
from collections.abc import Callable

from birthmark.app.indexing.index import IndexOptions, indexing
from birthmark.app.indexing.replay_source import CommitReader
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.ledger.replay import Replayed, replay_history, state_at
from birthmark.ledger.snapshot_from_replay import SnapshotTarget, take_snapshot
from birthmark.model import Problem
from birthmark.sources.git.log import log_all
from birthmark.sources.git.repository import GitRepository
from birthmark.store.port import Store
from birthmark.vocabulary import Detail


def replay_worktree(store: Store, workspace: Workspace, options: IndexOptions | None = None) -> Replayed:
    """Replay all that led to HEAD, and make that the snapshot; the worktree is to be indexed on top of it."""
    options = options or IndexOptions()
    if not workspace.has_git:
        raise BirthmarkError(f"{workspace.root}: no git repository, so there is no history; index without it")
    options = options._replace(detail=options.detail or Detail.DEFINITIONS)
    with indexing(store, workspace, options) as (repository, tools):
        git, source = repository.git, CommitReader(repository)
        head = workspace.head
        links = log_all(git, head) if head is not None else []
        replayed = replay_history(store, links, source, tools)
        if head is not None and (replayed.n_new or store.snapshot(workspace.worktree) is None):
            manifests = repository.commit_state(head).manifests()
            target = SnapshotTarget(workspace.worktree, workspace.branch, head, _is_shown(repository), manifests)
            take_snapshot(store, target, state_at(store, head, source), tools)
        return replayed._replace(problems=[*_shallow(git), *replayed.problems])


def _shallow(repository: GitRepository) -> list[Problem]:
    if repository.run("rev-parse", "--is-shallow-repository").strip() != b"true":
        return []
    text = "the clone is shallow: what its first commits hold was born before, and has their times; fetch the rest"
    return [Problem(".", text)]


def _is_shown(repository: OpenRepository) -> Callable[[str], bool]:
    """Whether a file of HEAD belongs into the index: it does unless it is ignored, and not missing in the worktree."""
    root = repository.workspace.root
    found = {file.path for file in repository.discover().files}
    if not repository.workspace.has_worktree:
        return found.__contains__
    return lambda path: path in found or not os.path.lexists(root / path)
