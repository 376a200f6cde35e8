"""Bring the indexes of a fleet up to date: all that are due, those that are named, or those with announced pushes.

What each did is written into the catalog as it is done, and given to the caller. Without a cluster some are refreshed
at a time, by processes of this machine; with one, many on all its machines.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from itertools import chain, islice, takewhile
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from birthmark.app.indexing.watch import Trouble
from birthmark.app.serving.beside import HelperProcess
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.workspace import REPOSITORY
from birthmark.decoding import prepared
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import encode_call
from birthmark.server.delivery.sending import WAITS
from birthmark.server.fleet.catalog import (
    CatalogReader,
    FleetRepository,
    change,
    find_repository,
    list_repositories,
    watching,
)
from birthmark.server.fleet.cluster import run_on_cluster
from birthmark.server.fleet.ray_pool import find_version
from birthmark.server.fleet.refresh_task import (
    RefreshedRepository,
    RefreshTask,
    failed,
    refresh_call,
    refresh_repository,
)
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


def select(url: str, request: RefreshRequest, now: float) -> tuple[list[FleetRepository], list[FleetRepository]]:
    """Return the repositories that are refreshed now, and those that wait for their next try."""
    if request.names:
        return [find_repository(url, name) for name in request.names], []
    known = [one for one in list_repositories(url) if one.changed_at or not request.only_announced]
    due = [one for one in known if request.is_impatient or one.next_try <= now]
    return due, [one for one in known if one not in due]


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


def read_credentials(path: Path | None) -> dict[str, str]:
    """Return the credentials by protocol and host."""
    if path is None:
        return {}
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BirthmarkError(f"{path}: {getattr(error, 'strerror', None) or 'is no text in UTF-8'}") from None
    found = [_split(line.strip()) for line in lines if line.strip() and not line.startswith("#")]
    if any(not login for _, login in found):
        raise BirthmarkError(f"{path}: a line of it is not of the form https://USER:PASSWORD@HOST")
    return dict(found)


def with_login(address: str, credentials: dict[str, str]) -> str:
    """The address with the password for its host, if there is one."""
    host, own = _split(address)
    login = "" if own else credentials.get(host, "")
    return address.replace("://", f"://{login}@", 1) if login else address


def _split(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", ""
    login, _, host = parts.netloc.rpartition("@")
    return f"{parts.scheme}://{host}", login


def refresh_side_by_side(tasks: Iterable[RefreshTask], n_processors: int | None) -> Iterator[RefreshedRepository]:
    """Yield results as they are done. Each process takes its next task after its last result was consumed."""
    n_processors = n_processors or os.cpu_count() or 1
    n_at_once = at_once(n_processors)
    with ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(n_at_once))
        processes = [HelperProcess() for _ in range(n_at_once)]
        stack.callback(_close_all, processes)
        free: SimpleQueue[HelperProcess] = SimpleQueue()
        for process in processes:
            free.put(process)
        running = set[Future[RefreshedRepository]]()
        for task in tasks:
            shared = msgspec.structs.replace(task, jobs=n_processors // n_at_once)
            running.add(threads.submit(_refresh_beside, shared, free))
            if len(running) == n_at_once:
                yield from _take_done(running)
        while running:
            yield from _take_done(running)


def _take_done(running: set[Future[RefreshedRepository]]) -> list[RefreshedRepository]:
    """The next that are done, which are then no longer among those that run."""
    done = wait(running, return_when=FIRST_COMPLETED).done
    running -= done
    return [one.result() for one in done]


def at_once(n_processors: int) -> int:
    """Two processors for each: files are extracted by all that it has, the rest by one."""
    return min(n_processors, max(2, n_processors // 2))


def _close_all(processes: list[HelperProcess]) -> None:
    """Together, for each is waited for before it is killed."""
    with ThreadPoolExecutor(len(processes)) as threads:
        list(threads.map(lambda one: one.close(), processes))


def _refresh_beside(task: RefreshTask, free: SimpleQueue[HelperProcess]) -> RefreshedRepository:
    process = free.get()
    try:
        result = process.call(refresh_call, msgspec.json.encode(task))
    except (EOFError, OSError):
        return failed(task, "the process that refreshed it was killed, and so was the next one")
    finally:
        free.put(process)
    return msgspec.json.decode(result, type=prepared(RefreshedRepository))


EVERY_SECONDS = 300.0
_LOOK_SECONDS = 2.0  # between looks at the catalog
_RETRY_SECONDS = 5.0
_PORTION = 256  # repositories that are given to a cluster at once


def watch_fleet(
    url: str,
    request: RefreshRequest,
    every: float = EVERY_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[RefreshedRepository | Trouble]:
    """Refresh everything once in `every` seconds, and what is announced or due meanwhile."""
    catalog, seen, period_ends = CatalogReader(url), set[str](), clock() + every
    while True:
        if clock() >= period_ends:
            seen, period_ends = set[str](), clock() + every
        before = len(seen)
        try:
            for done in _refresh_portion(url, catalog, request, seen, clock):
                seen.add(done.name)
                yield done
        except BirthmarkError as error:
            yield Trouble(str(error))
            sleep(_RETRY_SECONDS)
        if len(seen) == before:
            sleep(_LOOK_SECONDS)


def _refresh_portion(
    url: str, catalog: CatalogReader, request: RefreshRequest, seen: set[str], clock: Callable[[], float]
) -> Iterator[RefreshedRepository]:
    """None is begun after a while, since something may be announced meanwhile."""
    ends = clock() + _LOOK_SECONDS
    due = find_due(catalog.read(), seen, time.time())
    in_time = due[:_PORTION] if request.cluster else takewhile(lambda _: clock() <= ends, due)
    return refresh_fleet(url, in_time, request)


def find_due(known: Iterable[FleetRepository], seen: set[str], now: float) -> list[FleetRepository]:
    """Return the repositories that are due, those with announced pushes first."""
    due = [one for one in known if one.next_try <= now and (one.changed_at or one.failures or one.name not in seen)]
    return sorted(due, key=lambda one: not one.changed_at)
