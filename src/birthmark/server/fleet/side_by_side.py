"""Refresh several repositories at a time, each in a process of this machine.

Much of a refresh is done by one process: fetching, assigning identities, resolving references. A process that is killed
is started once more.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from queue import SimpleQueue

import msgspec

from birthmark.app.serving.beside import HelperProcess
from birthmark.decoding import prepared
from birthmark.server.fleet.refresh_task import RefreshedRepository, RefreshTask, failed, refresh_call


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
            running.add(threads.submit(_refresh, shared, free))
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


def _refresh(task: RefreshTask, free: SimpleQueue[HelperProcess]) -> RefreshedRepository:
    process = free.get()
    try:
        result = process.call(refresh_call, msgspec.json.encode(task))
    except (EOFError, OSError):
        return failed(task, "the process that refreshed it was killed, and so was the next one")
    finally:
        free.put(process)
    return msgspec.json.decode(result, type=prepared(RefreshedRepository))
