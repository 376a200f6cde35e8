"""Call functions in a process of its own, one at a time.

Thousands of files are looked at there, or an index updated, while the threads of this process answer: each time a
thread waits for the system, the others would have to let it go on.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Any, TypeVar

from birthmark.errors import BirthmarkError
from birthmark.isolation import spawn

_END_SECONDS = 1.0

Result = TypeVar("Result")


class HelperProcess:
    """It starts at the first call, and ends when this is closed or when the process that calls ends."""

    def __init__(self) -> None:
        self._one_at_a_time = Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._is_closed = False

    def call(self, function: Callable[..., Result], *arguments: object) -> Result:
        """The function is found there by its name; what it raises is raised here."""
        with self._one_at_a_time:
            try:
                result, error = self._ask(function, arguments)
            except (EOFError, OSError, TypeError):
                # It was killed, say, and is started once more; or the pipe was closed meanwhile, and has no number.
                self._stop()
                result, error = self._ask(function, arguments)
        if error is not None:
            raise error
        return result  # type: ignore[no-any-return]

    def _ask(self, function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[Any, Exception | None]:
        if self._is_closed:
            raise BirthmarkError("the server is being stopped")
        if self._pipe is None:
            self._pipe = self._start()
        self._pipe.send((function, arguments))
        found: tuple[Any, Exception | None] = self._pipe.recv()
        return found

    def _start(self) -> Connection:
        ours, theirs = Pipe()
        self._process = spawn(_serve, theirs)
        theirs.close()
        return ours

    def close(self) -> None:
        """A call that is running is not waited for."""
        self._is_closed = True
        self._stop()

    def _stop(self) -> None:
        pipe, process = self._pipe, self._process
        self._pipe = self._process = None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.join(_END_SECONDS)
            process.kill()
            process.join()


def _serve(calls: Connection) -> None:
    """Until the pipe is closed; Ctrl-C is for the process that calls."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            function, arguments = calls.recv()
        except (EOFError, OSError):
            return
        try:
            answer: tuple[object, Exception | None] = function(*arguments), None
        except Exception as error:
            answer = None, error if isinstance(error, BirthmarkError) else RuntimeError(repr(error))
        try:
            calls.send(answer)
        except OSError:
            return
