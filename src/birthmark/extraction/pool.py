"""Run a function in worker processes that can be killed.

Takes tasks as bytes; yields Outcomes in the order in which they finish. A task that exceeds its processor time or
memory, or ends its worker twice, becomes a failed Outcome; the worker is replaced and the run continues. `_serve` is
the loop of a worker: it reads tasks from a pipe and writes results, with the status in the first byte.
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
from contextlib import nullcontext, suppress
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Lock, active_count
from typing import Any, Self

from birthmark.extraction.calls import Outcome, run_call
from birthmark.extraction.fork_helper import ForkedWorker, find_helper
from birthmark.extraction.model import Limits
from birthmark.isolation import Outside, leave_folder

# A forked worker has all modules loaded and starts in three milliseconds.
_IS_FORKED = "fork" in multiprocessing.get_all_start_methods()
_CONTEXT: Any = multiprocessing.get_context("fork" if _IS_FORKED else "spawn")
# Held while a thread may fork this process, by code that takes locks which workers need, such as those of imports.
forking = Lock()
_IN_FLIGHT = 48  # tasks of a worker, so that it need not wait while this process writes
_FEWEST = 2
_WIDE_PIPE = 1 << 20  # bytes of waiting tasks or results; a plain pipe holds less
_PLAIN_PIPE = 1 << 16
_SHORTEST_WAIT = 0.02
_PRECISION = 0.01  # of the limit of a task's processor time
_WALL_FACTOR = 10  # A worker without processor time is given up after this multiple of its limit.
Work = Callable[[bytes], bytes]
_COLLECT_EVERY = 256
_FAULTS = {signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL}


class _Worker:
    def __init__(self, work: Work, limits: Limits) -> None:
        tasks, self._given = _CONTEXT.Pipe(duplex=False)
        self.results, results = _CONTEXT.Pipe(duplex=False)
        self._n_fit = min(widen(self._given), widen(results)) // 2  # Pages of a pipe may be half full.
        self.process = self._start(tasks, results, work, limits)
        tasks.close()
        results.close()
        self.tasks: deque[tuple[int, bytes]] = deque()  # the current one, then waiting ones
        self.n_bytes = 0  # of all tasks
        self.n_sent = 0
        self.n_sent_bytes = 0
        self.started = self.started_cpu = self.deadline = 0.0
        self.read_cpu = float("-inf")  # the time at which `started_cpu` was read

    def _start(self, tasks: Connection, results: Connection, work: Work, limits: Limits) -> BaseProcess | ForkedWorker:
        """Fork this process if it has no other threads, else the helper."""
        if has_helper(work):
            return find_helper().fork(serve_calls, tasks, results, limits)
        arguments = (tasks, results, limits, work, (self._given, self.results))
        process: BaseProcess = _CONTEXT.Process(target=_serve, args=arguments, daemon=True)
        with forking, nullcontext() if _IS_FORKED else Outside():
            process.start()
        return process

    @property
    def wants_more(self) -> bool:
        """Return True while more tasks can wait for it; one always can."""
        n_tasks = len(self.tasks)
        return n_tasks < _FEWEST or (n_tasks < _IN_FLIGHT and self.n_bytes < self._n_fit)

    def give(self, task: tuple[int, bytes], seconds: float) -> None:
        self.tasks.append(task)
        self.n_bytes += len(task[1])
        if len(self.tasks) == 1:
            self._start_clock(seconds)
        self._send_some()

    def finish(self, seconds: float) -> int:
        """Remove the finished task and start the clock of the next one."""
        number, payload = self.tasks.popleft()
        self.n_bytes -= len(payload)
        self.n_sent_bytes -= len(payload)
        self.n_sent -= 1
        if self.tasks:
            self._start_clock(seconds)
            self._send_some()
        return number

    def _send_some(self) -> None:
        """Send tasks ahead as far as they fit into the pipe, so that sending never blocks."""
        for _, payload in list(islice(self.tasks, self.n_sent, None)):
            n_waiting = self.n_sent_bytes + len(payload) - len(self.tasks[0][1])
            if n_waiting > self._n_fit:
                break
            self._send(payload)
            self.n_sent += 1
            self.n_sent_bytes += len(payload)

    def _start_clock(self, seconds: float) -> None:
        """Set the deadline; read the processor time only if the last reading is old against the limit."""
        self.started = time.monotonic()
        if self.started - self.read_cpu > seconds * _PRECISION:
            self.read_cpu, self.started_cpu = self.started, _cpu_seconds(self.process.pid) or 0.0
        self.deadline = self.started + seconds

    def is_overdue(self, seconds: float) -> bool:
        """Return True if the task has used up its time; else move the deadline to the earliest time at which it may."""
        now, remaining = time.monotonic(), self.remaining(seconds) or 0.0
        last = self.started + _WALL_FACTOR * seconds
        if remaining <= 0 or now >= last:
            return True
        self.deadline = min(now + max(remaining, _SHORTEST_WAIT), last)
        return False

    def remaining(self, seconds: float) -> float | None:
        """Return the remaining processor time of the task; None where it cannot be read."""
        cpu = _cpu_seconds(self.process.pid)
        return None if cpu is None else seconds - (cpu - self.started_cpu)

    def _send(self, payload: bytes) -> None:
        with suppress(BrokenPipeError):  # The worker died while idle; `_collect` handles that.
            self._given.send_bytes(payload)

    def stop(self) -> int | None:
        self._given.close()
        self.results.close()
        self.process.kill()
        self.process.join()
        return self.process.exitcode


def widen(pipe: Connection) -> int:
    """Enlarge the buffer of a pipe if the system can; return its size."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        return fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _WIDE_PIPE)
    return _PLAIN_PIPE


class Pool:
    """A fixed number of workers; use it as a context manager."""

    def __init__(self, work: Work, n_workers: int, limits: Limits | None = None) -> None:
        self.work = work
        self.limits = limits or Limits()
        self.workers = [_Worker(work, self.limits) for _ in range(max(1, n_workers))]
        self._tried: set[int] = set()  # tasks of this run whose worker ended once, maybe for another reason

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for worker in self.workers:
            worker.stop()
        self.workers = []

    def grow(self, n_workers: int) -> None:
        """Start workers up to a number."""
        self.workers += [_Worker(self.work, self.limits) for _ in range(n_workers - len(self.workers))]

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        """Distribute tasks to the workers, holding only a few for each; one run at a time."""
        assert not any(worker.tasks for worker in self.workers), "one run at a time"
        queue = enumerate(tasks)
        self._tried.clear()
        try:
            for _ in range(_IN_FLIGHT):
                for worker in self.workers:
                    self._feed(worker, queue, most=1)
            while busy := {worker.results: index for index, worker in enumerate(self.workers) if worker.tasks}:
                timeout = min(self.workers[index].deadline for index in busy.values()) - time.monotonic()
                for connection in wait(list(busy), max(0.0, timeout)):
                    assert isinstance(connection, Connection)
                    yield from self._collect(busy.pop(connection), queue)
                yield from self._stop_overdue(busy, queue)
        finally:
            self._abandon()

    def _stop_overdue(self, busy: dict[Connection, int], queue: Iterator[tuple[int, bytes]]) -> Iterator[Outcome]:
        now = time.monotonic()
        for connection, index in busy.items():
            worker = self.workers[index]
            if worker.deadline <= now and worker.is_overdue(self.limits.seconds) and not connection.poll():
                yield self._give_up(index, queue)

    def _abandon(self) -> None:
        """Replace workers with unread results, after a run that was stopped in the middle."""
        for index, worker in enumerate(self.workers):
            if worker.tasks:
                worker.stop()
                self.workers[index] = _Worker(self.work, self.limits)

    def _feed(self, worker: _Worker, queue: Iterator[tuple[int, bytes]], most: int = _IN_FLIGHT) -> None:
        for _ in range(most):
            task = next(queue, None) if worker.wants_more else None
            if task is None:
                return
            worker.give(task, self.limits.seconds)

    def _collect(self, index: int, queue: Iterator[tuple[int, bytes]]) -> list[Outcome]:
        """Read a result; none if its task is tried again."""
        worker = self.workers[index]
        try:
            reply = worker.results.recv_bytes()
        except (EOFError, OSError):
            return self._try_again(index, queue)
        number = worker.finish(self.limits.seconds)
        self._feed(worker, queue)
        status, body = reply[:1], reply[1:]
        if status == b"+":
            return [Outcome(number, body, None)]
        is_exhausted = status == b"!"
        return [Outcome(number, None, body.decode("utf-8", "replace"), is_exhausted, is_exhausted)]

    def _try_again(self, index: int, queue: Iterator[tuple[int, bytes]]) -> list[Outcome]:
        """Try a task once more after its worker ended, maybe for another reason."""
        number = self.workers[index].tasks[0][0]
        if number in self._tried:
            return [self._replace(index, queue, "ended its parser ({}); ignore the file, or report it")]
        self._tried.add(number)
        self._renew(index, queue)
        return []

    def _give_up(self, index: int, queue: Iterator[tuple[int, bytes]]) -> Outcome:
        reason = f"took more than {self.limits.seconds:g} s of processor time; raise the limit or ignore the file"
        remaining = self.workers[index].remaining(self.limits.seconds)
        return self._replace(index, queue, reason)._replace(fails_again=remaining is not None and remaining <= 0)

    def _replace(self, index: int, queue: Iterator[tuple[int, bytes]], reason: str) -> Outcome:
        number, _ = self.workers[index].tasks.popleft()
        code = self._renew(index, queue)
        return Outcome(number, None, reason.format(_describe_exit(code)), True, _is_crash(code))

    def _renew(self, index: int, queue: Iterator[tuple[int, bytes]]) -> int | None:
        """Give the waiting tasks of an ended worker to a new one; return its exit code."""
        old = self.workers[index]
        code = old.stop()
        fresh = self.workers[index] = _Worker(self.work, self.limits)
        for task in old.tasks:
            fresh.give(task, self.limits.seconds)
        self._feed(fresh, queue)
        return code


def can_fork() -> bool:
    """Return True if workers share the memory of this process, so that any function can be their work."""
    return _IS_FORKED


def has_helper(work: Work = run_call) -> bool:
    """Return True if a helper forks workers, because threads of this process may hold locks that workers need."""
    return _IS_FORKED and work is run_call and active_count() > 1


def serve_calls(tasks: Connection, results: Connection, limits: Limits) -> None:
    """Run calls as a worker of the helper."""
    _serve(tasks, results, limits, run_call, ())


def _serve(
    tasks: Connection, results: Connection, limits: Limits, work: Work, parents_ends: Iterable[Connection]
) -> None:
    """Run tasks until the parent closes its ends of the pipes."""
    for end in parents_ends:
        end.close()
    _die_with_parent()
    leave_folder()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(limits.memory_bytes)
    gc.freeze()
    gc.disable()  # Tasks leave few cycles; they are collected now and then.
    n_done = 0
    with suppress(EOFError, OSError):
        while True:
            results.send_bytes(_answer(work, tasks.recv_bytes()))
            n_done += 1
            if n_done % _COLLECT_EVERY == 0:
                gc.collect(0)
    os._exit(0)


def _die_with_parent() -> None:
    """Have Linux end this process with its parent: a worker in an endless parse does not see its pipe close."""
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def _answer(work: Work, payload: bytes) -> bytes:
    try:
        return b"+" + work(payload)
    except MemoryError:
        return b"!took more memory than allowed; raise the limit or ignore the file"
    except Exception as error:  # of any kind: it concerns one file
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
    """Return the bytes mapped before the first task, to which the limit is added."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30


def _cpu_seconds(pid: int | None) -> float | None:
    """Return the processor time of a process; None where it cannot be read."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def _is_crash(code: int | None) -> bool:
    """Return True if a process crashed by itself; SIGKILL comes from others, as from a system out of memory."""
    return code is not None and -code in _FAULTS


def _describe_exit(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit {code}"
