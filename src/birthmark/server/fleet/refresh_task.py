"""Bring the index of one repository up to date: fetch it, see whether its ref moved, and index the commit if so.

Then answers are prepared: servers of many repositories write nothing, and would do that work for each question anew.

It is a call as those of workers are, bytes in, bytes out, so that it can be run on another machine; what fails is said
in its result. The repository's lock is held while its index is written.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from birthmark.app.answers.searching import prepare_answers
from birthmark.app.indexing.index import IndexOptions, index_worktree
from birthmark.app.indexing.replay import replay_worktree
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.stores import has_index, writing
from birthmark.app.workspace.workspace import STORE, Workspace, find_location, find_workspace, written_ref
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import PoolFactory
from birthmark.ledger.update import is_unfinished
from birthmark.server.delivery.sending import one_line
from birthmark.server.fleet.catalog import FleetRepository, default_mirrors, folder_of, write_name, written_progress
from birthmark.server.fleet.mirrors import MirrorLimits, fetch_mirror, refs_of
from birthmark.server.fleet.ray_pool import call_pool, find_version
from birthmark.store.model import hide_password
from birthmark.vocabulary import RefreshResult


class RefreshTask(msgspec.Struct, frozen=True, kw_only=True):
    """All that a machine needs to refresh a repository."""

    url: str  # of the store
    repository: FleetRepository
    address: str = ""  # that it is fetched from, with a password where one is needed
    mirrors: str = ""  # empty: where the machine has them
    with_history: bool = False
    jobs: int | None = None
    wait: float = 30.0  # for another process that writes the same index, or fetches the same mirror
    is_spread: bool = False  # its calls go to the cluster that runs it
    prepares: bool = True  # what is asked of it first


class RefreshedRepository(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a refresh, with the numbers of replayed commits, read files and parsed files."""

    name: str
    result: RefreshResult
    ref: str = ""
    refs: dict[str, str] = {}
    commit: str = ""
    has_history: bool = False
    n_commits: int = 0
    n_read: int = 0
    n_extracted: int = 0
    seconds: float = 0.0
    problem: str = ""


def refresh_call(payload: bytes) -> bytes:
    """On any machine."""
    task = msgspec.json.decode(payload, type=prepared(RefreshTask))
    os.environ[STORE] = task.url
    return msgspec.json.encode(refresh_repository(task))


def refresh_repository(task: RefreshTask, progress: Progress | None = None) -> RefreshedRepository:
    """Refresh a repository; its errors concern no other one."""
    started = time.monotonic()
    try:
        done = _refresh(task, progress)
    except Exception as error:
        done = failed(task, _describe(error, task))
    return msgspec.structs.replace(done, seconds=round(time.monotonic() - started, 3))


def failed(task: RefreshTask, problem: str) -> RefreshedRepository:
    return RefreshedRepository(name=task.repository.name, result=RefreshResult.FAILED, problem=problem)


def _describe(error: Exception, task: RefreshTask) -> str:
    text = str(error) if isinstance(error, BirthmarkError) else f"{type(error).__name__}: {error}"
    return one_line(hide_password(hide_password(text, task.url), task.address))


def _refresh(task: RefreshTask, progress: Progress | None) -> RefreshedRepository:
    repository = task.repository
    folder = folder_of(repository, Path(task.mirrors) if task.mirrors else default_mirrors())
    refs = _fetch(task, folder)
    home = find_workspace(folder).home
    if (find_location(home).repository, written_ref(home)) != (repository.name, repository.ref):
        write_name(folder, repository.name, repository.ref)
    found = find_workspace(folder)
    workspace = found.at(repository.ref or found.ref or "HEAD")
    commit = workspace.head
    if commit is None:
        if repository.ref:
            raise BirthmarkError(f"{repository.ref}: there is no such ref any more; remove the repository and add it")
        return RefreshedRepository(name=repository.name, result=RefreshResult.EMPTY, refs=refs)
    seen = RefreshedRepository(
        name=repository.name,
        result=RefreshResult.UNCHANGED,
        ref=workspace.worktree,
        refs=refs,
        commit=commit,
        has_history=task.with_history or repository.has_history,
    )
    return seen if _is_current(repository, seen, workspace) else _index(task, workspace, seen, progress)


def _fetch(task: RefreshTask, folder: Path) -> dict[str, str]:
    """The refs as they are now. A protocol that is not safe in general was allowed when the repository was added."""
    if not task.repository.is_fetched:
        return refs_of(folder)
    address = task.address or task.repository.source
    limits = MirrorLimits(wait=task.wait)
    protocol = address.partition("://")[0]
    return fetch_mirror(address, folder, limits._replace(protocols=limits.protocols | {protocol}))


def _is_current(known: FleetRepository, seen: RefreshedRepository, workspace: Workspace) -> bool:
    """Return whether this version has indexed the same commit of the same ref, with its history if requested."""
    indexed = (known.indexed, known.indexed_ref, known.has_history, known.indexed_with)
    return indexed == (seen.commit, seen.ref, seen.has_history, find_version()) and has_index(workspace)


def _index(
    task: RefreshTask, workspace: Workspace, seen: RefreshedRepository, progress: Progress | None
) -> RefreshedRepository:
    make_pool: PoolFactory | None = call_pool if task.is_spread else None
    shown = written_progress(task.url, task.repository.name, progress)
    options = IndexOptions(task.jobs, progress=shown, make_pool=make_pool)
    with writing(workspace, task.wait) as store:
        seen = msgspec.structs.replace(seen, has_history=seen.has_history or is_unfinished(store))
        replayed = replay_worktree(store, workspace, options) if seen.has_history else None
        summary = index_worktree(store, workspace, options)
        if task.prepares:
            prepare_answers(store, workspace.worktree, shown)
    n_extracted = summary.n_extracted + (replayed.n_extracted if replayed else 0)
    return msgspec.structs.replace(
        seen,
        result=RefreshResult.INDEXED,
        n_commits=replayed.n_new if replayed else 0,
        n_read=summary.n_read,
        n_extracted=n_extracted,
    )
