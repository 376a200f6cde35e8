"""Run queries in threads, each for a limited time.

A query whose time is up is given up: whoever asked is told so, its place is free for the next at once, and an exception
is raised in its thread, which ends it as soon as it opens or closes nothing. Until it has ended it counts as left over;
when there are too many of those, new queries are turned away. What writes is told of in the same way, but goes on to
its end.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread, get_ident

import anyio
from anyio.to_thread import run_sync

from birthmark.surfaces.http.errors import RequestError

SECONDS = 30.0
_N_THREADS = 8
_MOST_LEFT_OVER = 16
_AGAIN_SECONDS = 0.002
_PATIENCE_SECONDS = 0.5
_DELICATE = frozenset(
    "__init__ __enter__ __exit__ __del__ start stop close close_fds cleanup _cleanup _begin _end _find_and_load".split()
)


class GivenUp(BaseException):
    """The time of a query is up."""


def tell_unraisable(what: sys.UnraisableHookArgs) -> None:
    """Nobody need hear that a query was given up while it let go of something."""
    if what.exc_type is not GivenUp:
        sys.__unraisablehook__(what)


class Workers:
    """A few threads for many queries."""

    def __init__(self, seconds: float = SECONDS, n_threads: int = _N_THREADS) -> None:
        self.seconds = seconds
        self._places = anyio.CapacityLimiter(n_threads)
        self._left_over: set[_Call] = set()

    async def run(self, work: Callable[[], bytes], *, is_write: bool = False) -> bytes:
        self._left_over = {call for call in self._left_over if not call.is_done}
        if len(self._left_over) >= _MOST_LEFT_OVER:
            raise RequestError("busy", "too many queries whose time was up are still at work; try again later")
        call = _Call(work)
        try:
            with anyio.move_on_after(self.seconds):
                return await run_sync(call.run, abandon_on_cancel=True, limiter=self._places)
        finally:
            if not call.is_done:
                self._left_over.add(call)
                call.give_up(may_end=not is_write)
        raise self._time_is_up(call.has_begun, is_write)

    def _time_is_up(self, has_begun: bool, is_write: bool) -> RequestError:
        if not has_begun:
            return RequestError("busy", f"no place became free in {self.seconds:g} s; try again later")
        if is_write:
            return RequestError("time_limit", f"takes more than {self.seconds:g} s; it goes on and will be finished")
        return RequestError("time_limit", f"took more than {self.seconds:g} s and was given up; ask for less")


class _Call:
    """A piece of work in a thread that can be told to end."""

    def __init__(self, work: Callable[[], bytes]) -> None:
        self._work = work
        self._lock = Lock()  # Threads are used again: nothing may be raised in one that is no longer ours.
        self._thread: int | None = None
        self._is_given_up = False
        self.has_begun = self.is_done = False

    def run(self) -> bytes:
        try:
            self._begin()
            return self._work()
        finally:
            self.close()

    def _begin(self) -> None:
        with self._lock:
            if self._is_given_up:
                raise GivenUp
            self._thread, self.has_begun = get_ident(), True

    def close(self) -> None:
        """Nothing is raised in here; what was raised just before may still arrive, and is taken back."""
        while not self.is_done:
            with suppress(GivenUp), self._lock:
                _raise_in(get_ident(), None)
                self._thread, self.is_done = None, True

    def give_up(self, may_end: bool) -> None:
        with self._lock:
            self._is_given_up = True
            is_running = self._thread is not None
        if not is_running:
            self.is_done = True
        elif may_end:
            Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        """What is raised may be lost in a callback, so it is raised again until it has an effect."""
        while not self.is_done:
            time.sleep(_PATIENCE_SECONDS if self._interrupt() else _AGAIN_SECONDS)

    def _interrupt(self) -> bool:
        with self._lock:
            if self._thread is None or _is_delicate(self._thread):
                return False
            _raise_in(self._thread, GivenUp)
            return True


def _is_delicate(thread: int) -> bool:
    """Whether a thread is just opening or closing something: what is raised there is lost, or leaves things open."""
    frame = sys._current_frames().get(thread)
    if frame is None or frame.f_code is _Call.run.__code__:
        return True
    while frame is not None and frame.f_code.co_name not in _DELICATE:
        frame = frame.f_back
    return frame is not None


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raise in another thread, or take back what was to be raised."""
    what = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)
