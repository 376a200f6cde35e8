"""Fork workers for a process that has threads, from one that has none.

A fork copies the locks of all threads: one that is held at that moment stays locked in the worker for ever. So the
helper is an interpreter of its own, which does nothing but fork. It is started once, outside of the repository, and
ends with the process that started it. Languages are compiled there once, for all workers.
"""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from threading import Lock
from typing import Any

from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import encode_call, run_call
from birthmark.isolation import leave_folder, start_interpreter

Serve = Callable[[Connection, Connection, Any], object]
_CODE = "from birthmark.extraction.fork_helper import serve; serve({fd})"


class ForkedWorker:
    """A process forked by the helper, with the interface of multiprocessing."""

    exitcode: int | None = None

    def __init__(self, helper: ForkHelper, pid: int) -> None:
        self._helper, self.pid = helper, pid

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def join(self) -> None:
        self.exitcode = self._helper.wait(self.pid)


class ForkHelper:
    """The process that forks; requests are sent one at a time."""

    def __init__(self) -> None:
        self._pipe, theirs = Pipe()
        self._process = start_interpreter(_CODE.format(fd=theirs.fileno()), theirs.fileno())
        theirs.close()
        self._lock, self.owner, self._is_broken = Lock(), os.getpid(), False
        self.warm = set[object]()  # languages that were compiled there, with their levels

    def fork(self, serve: Serve, tasks: Connection, results: Connection, limits: Any) -> ForkedWorker:
        """Start a worker that calls `serve`, a function of a module, with its ends of two pipes and its limits."""
        with self._asking():
            self._pipe.send(("fork", serve, limits))
            for end in (tasks, results):
                send_handle(self._pipe, end.fileno(), self._process.pid)
            return ForkedWorker(self, self._pipe.recv())

    def call(self, function: Callable[[bytes], bytes], argument: bytes) -> bytes:
        """Run a function in the helper, so that workers inherit its state."""
        with self._asking():
            self._pipe.send(("call", encode_call(function, argument)))
            result, error = self._pipe.recv()
        if error is not None:
            raise error
        return bytes(result)

    def wait(self, pid: int) -> int | None:
        """Wait for the end of a worker; None if the helper has ended, and the worker with it."""
        with suppress(BirthmarkError), self._asking():
            self._pipe.send(("wait", pid))
            code: int = self._pipe.recv()
            return code
        return None

    @contextmanager
    def _asking(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except (EOFError, OSError) as error:
                self._is_broken = True
                raise BirthmarkError("the process that starts parsers has ended; try again") from error

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return not self._is_broken and self._process.poll() is None

    def close(self) -> None:
        self._pipe.close()
        if self.owner == os.getpid():
            self._process.wait()


_helper: ForkHelper | None = None
_finding = Lock()


def find_helper() -> ForkHelper:
    """Return the helper of this process, which is started at the first call."""
    global _helper
    with _finding:
        if _helper is None or _helper.owner != os.getpid() or not _helper.is_alive:
            _helper = ForkHelper()
            atexit.register(_helper.close)
        return _helper


def serve(descriptor: int) -> None:
    """Answer requests until the pipe is closed. Ctrl-C is for the process at its other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_folder()
    pipe = Connection(descriptor)
    with suppress(EOFError, OSError):
        while True:
            request, *arguments = pipe.recv()
            if request == "fork":
                pipe.send(_fork(pipe, *arguments))
            elif request == "call":
                pipe.send(_call(*arguments))
            else:
                pipe.send(_wait(*arguments))


def _call(payload: bytes) -> tuple[bytes, Exception | None]:
    try:
        return run_call(payload), None
    except Exception as error:  # Raised where it was called.
        return b"", RuntimeError(repr(error))


def _wait(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _fork(pipe: Connection, serve_tasks: Serve, limits: Any) -> int:
    tasks, results = (Connection(recv_handle(pipe)) for _ in range(2))
    pid = os.fork()
    if pid == 0:
        try:
            pipe.close()
            serve_tasks(tasks, results, limits)
        finally:
            os._exit(1)
    tasks.close()
    results.close()
    return pid
