"""Run a function in worker processes that can be killed.

Takes tasks as bytes; gives outcomes as bytes, in the order in which they finish. A task that takes too long or too
much memory, or that brings its worker down, becomes a failed Outcome; the worker is replaced and the run goes on.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Lock
from types import TracebackType
from typing import Any, NamedTuple, Self

Work = Callable[[bytes], bytes]

# A forked worker has all modules loaded; it is there in three milliseconds.
_CONTEXT: Any = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
# A worker is a copy of all threads' locks, too: one that is held while it is made stays locked in it for ever. What
# takes locks that workers need, such as those of imports, is done under this one.
forking = Lock()
_COLLECT_EVERY = 256
_IN_FLIGHT = 2  # tasks a worker has, so that it need not wait for us
_FITS_IN_PIPE = 1 << 15


class Limits(NamedTuple):
    """What one task may use."""

    seconds: float = 20.0
    memory_bytes: int = 2 << 30


class Outcome(NamedTuple):
    """What became of a task: its result, or why it has none."""

    task: int
    result: bytes | None
    failure: str | None


class _Worker:
    def __init__(self, work: Work, limits: Limits) -> None:
        self.connection, child = _CONTEXT.Pipe()
        arguments = (child, self.connection, work, limits)
        self.process: BaseProcess = _CONTEXT.Process(target=_serve, args=arguments, daemon=True)
        with forking:
            self.process.start()
        child.close()
        self.tasks: deque[tuple[int, bytes]] = deque()  # the one it works at, then the one that waits for it
        self.deadline = 0.0

    def give(self, task: tuple[int, bytes], seconds: float) -> None:
        """Send a task; while it works at one, a second may wait in the pipe if it is small enough to fit."""
        self.tasks.append(task)
        if len(self.tasks) == 1:
            self.deadline = time.monotonic() + seconds
        if len(self.tasks) == 1 or len(task[1]) <= _FITS_IN_PIPE:
            self._send(task[1])

    def finish(self, seconds: float) -> int:
        """Take the finished task off; the next one's time starts now."""
        number, _ = self.tasks.popleft()
        if self.tasks:
            self.deadline = time.monotonic() + seconds
            if len(self.tasks[0][1]) > _FITS_IN_PIPE:
                self._send(self.tasks[0][1])
        return number

    def _send(self, payload: bytes) -> None:
        with suppress(BrokenPipeError):  # The worker died while idle; collecting finds it so.
            self.connection.send_bytes(payload)

    def stop(self) -> int | None:
        self.connection.close()
        self.process.kill()
        self.process.join()
        return self.process.exitcode


class Pool:
    """A fixed number of workers; use it as a context manager."""

    def __init__(self, work: Work, n_workers: int, limits: Limits | None = None) -> None:
        self.work = work
        self.limits = limits or Limits()
        self.workers = [_Worker(work, self.limits) for _ in range(max(1, n_workers))]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self.workers:
            worker.stop()
        self.workers = []

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        """Give every task to a free worker; only two tasks a worker are held at a time."""
        queue = enumerate(tasks)
        for _ in range(_IN_FLIGHT):
            for worker in self.workers:
                self._feed(worker, queue)
        while busy := {worker.connection: index for index, worker in enumerate(self.workers) if worker.tasks}:
            timeout = min(self.workers[index].deadline for index in busy.values()) - time.monotonic()
            for connection in wait(list(busy), max(0.0, timeout)):
                assert isinstance(connection, Connection)
                yield self._collect(busy.pop(connection), queue)
            now = time.monotonic()
            for connection, index in busy.items():
                if self.workers[index].deadline <= now and not connection.poll():
                    yield self._give_up(index, queue)

    def _feed(self, worker: _Worker, queue: Iterator[tuple[int, bytes]]) -> None:
        task = next(queue, None)
        if task is not None:
            worker.give(task, self.limits.seconds)

    def _collect(self, index: int, queue: Iterator[tuple[int, bytes]]) -> Outcome:
        worker = self.workers[index]
        try:
            reply = worker.connection.recv_bytes()
        except (EOFError, OSError):
            return self._replace(index, queue, "brought its parser down ({}); ignore the file, or report it")
        number = worker.finish(self.limits.seconds)
        self._feed(worker, queue)
        status, body = reply[:1], reply[1:]
        return Outcome(number, body, None) if status == b"+" else Outcome(number, None, body.decode("utf-8", "replace"))

    def _give_up(self, index: int, queue: Iterator[tuple[int, bytes]]) -> Outcome:
        reason = f"took more than {self.limits.seconds:g} s; raise the limit or ignore the file"
        return self._replace(index, queue, reason)

    def _replace(self, index: int, queue: Iterator[tuple[int, bytes]], reason: str) -> Outcome:
        """Another worker takes over what still waited for the one that is gone."""
        old = self.workers[index]
        code = old.stop()
        number, _ = old.tasks.popleft()
        fresh = self.workers[index] = _Worker(self.work, self.limits)
        for task in old.tasks:
            fresh.give(task, self.limits.seconds)
        self._feed(fresh, queue)
        return Outcome(number, None, reason.format(_describe_exit(code)))


def _serve(connection: Connection, parents_end: Connection, work: Work, limits: Limits) -> None:
    """The worker's life: it ends with its parent, whose end of the pipe then closes."""
    parents_end.close()
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(limits.memory_bytes)
    gc.freeze()
    gc.disable()  # What a task makes holds no cycles; one collection now and then is enough.
    n_done = 0
    with suppress(EOFError, OSError):
        while True:
            connection.send_bytes(_answer(work, connection.recv_bytes()))
            n_done += 1
            if n_done % _COLLECT_EVERY == 0:
                gc.collect()
    os._exit(0)


def _die_with_parent() -> None:
    """A worker in an endless parse does not see its pipe close; on Linux the system ends it with its parent."""
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def _answer(work: Work, payload: bytes) -> bytes:
    try:
        return b"+" + work(payload)
    except MemoryError:
        return b"-took more memory than allowed; raise the limit or ignore the file"
    except Exception as error:  # whatever it is, it concerns one file
        return b"-failed: " + f"{type(error).__name__}: {error}".encode()


def _limit_memory(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # not on this platform
        return
    used = _address_space()
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (used + memory_bytes, used + memory_bytes))


def _address_space() -> int:
    """What the process has mapped before its first task; the limit comes on top of it."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30


def _describe_exit(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit {code}"
