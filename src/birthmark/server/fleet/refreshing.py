"""Bring the indexes of a fleet up to date: all that are due, those that are named, or those with announced pushes.

What each did is written into the catalog as it is done, and given to the caller. Without a cluster some are refreshed
at a time, by processes of this machine (`side_by_side.py`); with one, many on all its machines.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.workspace import REPOSITORY
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import encode_call
from birthmark.server.delivery.retries import WAITS
from birthmark.server.fleet.catalog import FleetRepository, change, find_repository, list_repositories
from birthmark.server.fleet.cluster import run_on_cluster
from birthmark.server.fleet.credentials import read_credentials, with_login
from birthmark.server.fleet.progress import watching
from birthmark.server.fleet.ray_pool import find_version
from birthmark.server.fleet.refresh_task import (
    RefreshedRepository,
    RefreshTask,
    failed,
    refresh_call,
    refresh_repository,
)
from birthmark.server.fleet.side_by_side import refresh_side_by_side
from birthmark.vocabulary import RefreshResult

_TRIES = 3  # to write into the catalog


class RefreshRequest(NamedTuple):
    """The repositories to refresh, and the options. Repositories without a name here are tried when they are due."""

    names: tuple[str, ...] = ()
    only_announced: bool = False
    with_history: bool = False
    is_impatient: bool = False  # Those that failed are tried before they are due.
    mirrors: Path | None = None
    credentials: Path | None = None
    jobs: int | None = None
    wait: float = 30.0
    cluster: str = ""  # `auto`, `local` or an address of Ray
    prepares: bool = True  # edges are resolved and texts made searchable


class Selection(NamedTuple):
    """The repositories that are refreshed now, and those that wait for their next try."""

    due: list[FleetRepository]
    waiting: list[FleetRepository]


def select(url: str, request: RefreshRequest, now: float) -> Selection:
    if request.names:
        return Selection([find_repository(url, name) for name in request.names], [])
    known = [one for one in list_repositories(url) if one.changed_at or not request.only_announced]
    due = [one for one in known if request.is_impatient or one.next_try <= now]
    return Selection(due, [one for one in known if one not in due])


def refresh_fleet(
    url: str, repositories: Iterable[FleetRepository], request: RefreshRequest, progress: Progress | None = None
) -> Iterator[RefreshedRepository]:
    """Refresh the repositories; yield each as it is done."""
    if os.environ.get(REPOSITORY):
        raise BirthmarkError("--repository names one repository; name those of a fleet after the command")
    credentials = read_credentials(request.credentials)
    if request.mirrors is not None:  # Threads that start processes leave the working folder meanwhile.
        request = request._replace(mirrors=request.mirrors.absolute())
    tasks = (_task_of(url, one, request, credentials) for one in repositories)
    started = time.time()
    for done in _refresh_all(url, tasks, request, progress):
        _record(url, done, started)
        yield done


def _refresh_all(
    url: str, tasks: Iterator[RefreshTask], request: RefreshRequest, progress: Progress | None
) -> Iterator[RefreshedRepository]:
    """Refresh a single task in this process. Tasks are taken lazily, except for a cluster."""
    first = [*islice(tasks, 2)]
    if len(first) == 1 and not request.cluster:
        yield refresh_repository(first[0], progress)
        return
    with watching(url, progress):
        tasks = chain(first, tasks)
        yield from _spread([*tasks], request) if request.cluster else refresh_side_by_side(tasks, request.jobs)


def _task_of(
    url: str, repository: FleetRepository, request: RefreshRequest, credentials: dict[str, str]
) -> RefreshTask:
    return RefreshTask(
        url=url,
        repository=repository,
        address=with_login(repository.source, credentials) if repository.is_fetched else "",
        mirrors=str(request.mirrors or ""),
        with_history=request.with_history,
        jobs=request.jobs,
        wait=request.wait,
        is_spread=bool(request.cluster),
        prepares=request.prepares,
    )


def _spread(tasks: list[RefreshTask], request: RefreshRequest) -> Iterator[RefreshedRepository]:
    if not tasks:
        return
    calls = [encode_call(refresh_call, msgspec.json.encode(task)) for task in tasks]
    for outcome in run_on_cluster(request.cluster, request.jobs, calls):
        if outcome.result is None:
            yield failed(tasks[outcome.task], outcome.failure or "")
        else:
            yield msgspec.json.decode(outcome.result, type=prepared(RefreshedRepository))


# The catalog


def _record(url: str, done: RefreshedRepository, started: float) -> None:
    """Once more where the server was away for a moment."""
    for left in reversed(range(_TRIES)):
        try:
            change(url, done.name, lambda known: after_refresh(known, done, started, int(time.time())))
        except BirthmarkError:
            if not left:
                raise
            time.sleep(1.0)
        else:
            return


def after_refresh(known: FleetRepository, done: RefreshedRepository, started: float, now: int) -> FleetRepository:
    """Return the updated record of a repository. A push that was announced meanwhile is kept."""
    if done.result is RefreshResult.FAILED:
        wait = WAITS[min(known.failures, len(WAITS) - 1)]
        problem, failures = done.problem or "failed", known.failures + 1
        next_try = now + int(wait)
        return msgspec.structs.replace(known, failures=failures, next_try=next_try, problem=problem, progress=None)
    return msgspec.structs.replace(
        known,
        refs=done.refs,
        indexed=done.commit,
        indexed_ref=done.ref,
        indexed_with=find_version() if done.commit else "",
        has_history=done.has_history,
        indexed_at=now if done.result is RefreshResult.INDEXED else known.indexed_at,
        changed_at=known.changed_at if known.changed_at > started else 0,
        failures=0,
        next_try=0,
        problem="",
        progress=None,
    )
