"""Run queries in threads, each for a limited time.

A query that exceeds its time is abandoned: the client gets an error, and its slot is free at once. A thread cannot be
stopped safely, so it runs on until it is done; while too many such threads run, new queries are refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

import anyio

from birthmark.surfaces.request_error import RequestError

SECONDS = 30.0
_N_THREADS = 8
_MAX_ABANDONED = 16
_IDLE_SECONDS = 10.0  # for which a thread waits for work

Answer = TypeVar("Answer")


class Workers:
    """A limited number of slots for queries."""

    def __init__(self, seconds: float = SECONDS, n_threads: int = _N_THREADS) -> None:
        self.seconds = seconds
        self._slots = anyio.CapacityLimiter(n_threads)
        self._abandoned: set[Future[Any]] = set()
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._lock = Lock()
        self._n_free = 0  # threads that no task was given to

    async def run(self, work: Callable[[], Answer], *, is_write: bool = False) -> Answer:
        self._abandoned = {done for done in self._abandoned if not done.done()}
        if len(self._abandoned) >= _MAX_ABANDONED:
            raise RequestError(
                "busy", "too many queries that exceeded the time limit are still running; try again later"
            )
        answer: Future[Answer] | None = None
        try:
            with anyio.move_on_after(self.seconds):
                async with self._slots:
                    answer = self._start(work)
                    return await asyncio.wrap_future(answer)
        finally:
            if answer is not None and not answer.done():
                self._abandoned.add(answer)
        raise self._timeout_error(answer is not None, is_write)

    def _timeout_error(self, has_started: bool, is_write: bool) -> RequestError:
        if not has_started:
            return RequestError("busy", f"no slot became free in {self.seconds:g} s; try again later")
        if is_write:
            return RequestError("time_limit", f"takes more than {self.seconds:g} s; it will still be completed")
        return RequestError("time_limit", f"took more than {self.seconds:g} s and was abandoned; ask for less")

    def _start(self, work: Callable[[], Answer]) -> Future[Answer]:
        answer: Future[Answer] = Future()
        answer.set_running_or_notify_cancel()
        with self._lock:
            needs_more = self._n_free == 0
            self._n_free -= not needs_more
        self._tasks.put(lambda: Context().run(_fill, answer, work))
        if needs_more:
            Thread(target=self._run, daemon=True).start()
        return answer

    def _run(self) -> None:
        """Wait a while for the next query. Threads are daemons, so that the server can stop."""
        while True:
            try:
                task = self._tasks.get(timeout=_IDLE_SECONDS)
            except Empty:
                with self._lock:
                    if self._n_free > 0:
                        self._n_free -= 1
                        return
                continue  # A task was just given to it.
            task()
            with self._lock:
                self._n_free += 1


def _fill(answer: Future[Answer], work: Callable[[], Answer]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # Raised where the result is awaited.
        answer.set_exception(error)
