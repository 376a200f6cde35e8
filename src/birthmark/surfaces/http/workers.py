"""Run queries in threads, each for a limited time.

A query whose time is up is given up: whoever asked is told so, and its place is free for the next at once. A thread
cannot be stopped without breaking what it holds, so it goes on by itself until it is done; while too many do, new
queries are turned away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread

import anyio

from birthmark.surfaces.http.errors import RequestError

SECONDS = 30.0
_N_THREADS = 8
_MOST_LEFT_OVER = 16


class Workers:
    """A few places for many queries."""

    def __init__(self, seconds: float = SECONDS, n_threads: int = _N_THREADS) -> None:
        self.seconds = seconds
        self._places = anyio.CapacityLimiter(n_threads)
        self._left_over: set[Future[bytes]] = set()

    async def run(self, work: Callable[[], bytes], *, is_write: bool = False) -> bytes:
        self._left_over = {done for done in self._left_over if not done.done()}
        if len(self._left_over) >= _MOST_LEFT_OVER:
            raise RequestError("busy", "too many queries whose time was up are still at work; try again later")
        answer: Future[bytes] | None = None
        try:
            with anyio.move_on_after(self.seconds):
                async with self._places:
                    answer = _start(work)
                    return await asyncio.wrap_future(answer)
        finally:
            if answer is not None and not answer.done():
                self._left_over.add(answer)
        raise self._time_is_up(answer is not None, is_write)

    def _time_is_up(self, has_begun: bool, is_write: bool) -> RequestError:
        if not has_begun:
            return RequestError("busy", f"no place became free in {self.seconds:g} s; try again later")
        if is_write:
            return RequestError("time_limit", f"takes more than {self.seconds:g} s; it goes on and will be finished")
        return RequestError("time_limit", f"took more than {self.seconds:g} s and was given up; ask for less")


def _start(work: Callable[[], bytes]) -> Future[bytes]:
    """The thread does not keep the server from stopping."""
    answer: Future[bytes] = Future()
    answer.set_running_or_notify_cancel()
    Thread(target=_fill, args=(answer, work), daemon=True).start()
    return answer


def _fill(answer: Future[bytes], work: Callable[[], bytes]) -> None:
    try:
        answer.set_result(work())
    except BaseException as error:  # Whoever waits for it decides.
        answer.set_exception(error)
