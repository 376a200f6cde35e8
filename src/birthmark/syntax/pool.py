"""Run a function in worker processes that can be killed.

Takes tasks as bytes; gives outcomes as bytes, in the order in which they finish. A task that takes too long or too
much memory, or that brings its worker down, becomes a failed Outcome; the worker is replaced and the run goes on.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, NamedTuple, Self

Work = Callable[[bytes], bytes]

# A forked worker has all modules loaded; it is there in three milliseconds.
_CONTEXT: Any = multiprocessing.get_context("fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn")
_COLLECT_EVERY = 256


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
        self.process.start()
        child.close()
        self.task = -1
        self.deadline = 0.0

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
        """Give every task to a free worker; only as many tasks as workers are held at a time."""
        queue = enumerate(tasks)
        busy: dict[Connection, int] = {}
        for index in range(len(self.workers)):
            self._feed(index, queue, busy)
        while busy:
            timeout = min(self.workers[index].deadline for index in busy.values()) - time.monotonic()
            ready = wait(list(busy), max(0.0, timeout))
            for connection in ready:
                assert isinstance(connection, Connection)
                yield self._collect(busy.pop(connection), queue, busy)
            yield from self._reap(queue, busy)

    def _feed(self, index: int, queue: Iterator[tuple[int, bytes]], busy: dict[Connection, int]) -> None:
        task = next(queue, None)
        if task is None:
            return
        worker = self.workers[index]
        worker.task, payload = task
        worker.deadline = time.monotonic() + self.limits.seconds
        busy[worker.connection] = index
        with suppress(BrokenPipeError):  # The worker died while idle; collecting finds it so.
            worker.connection.send_bytes(payload)

    def _collect(self, index: int, queue: Iterator[tuple[int, bytes]], busy: dict[Connection, int]) -> Outcome:
        worker = self.workers[index]
        try:
            reply = worker.connection.recv_bytes()
        except (EOFError, OSError):
            outcome = Outcome(worker.task, None, self._replace(index))
        else:
            status, body = reply[:1], reply[1:]
            failure = None if status == b"+" else body.decode("utf-8", "replace")
            outcome = Outcome(worker.task, body if failure is None else None, failure)
        self._feed(index, queue, busy)
        return outcome

    def _reap(self, queue: Iterator[tuple[int, bytes]], busy: dict[Connection, int]) -> Iterator[Outcome]:
        now = time.monotonic()
        for connection, index in list(busy.items()):
            worker = self.workers[index]
            if worker.deadline <= now and not connection.poll():
                del busy[connection]
                task = worker.task
                self._replace(index)
                self._feed(index, queue, busy)
                yield Outcome(
                    task, None, f"took more than {self.limits.seconds:g} s; raise the limit or ignore the file"
                )

    def _replace(self, index: int) -> str:
        code = self.workers[index].stop()
        self.workers[index] = _Worker(self.work, self.limits)
        return f"brought its parser down ({_describe_exit(code)}); ignore the file, or report it"


def _serve(connection: Connection, parents_end: Connection, work: Work, limits: Limits) -> None:
    """The worker's life: it ends with its parent, whose end of the pipe then closes."""
    parents_end.close()
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
