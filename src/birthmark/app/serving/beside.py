"""Work beside the questions of a server: in threads, and in a process of its own.

BackgroundWork runs in a thread, once more if it was wanted again meanwhile. A SharedValue takes a moment to make; it is
made by one thread at a time and used by all for some time. Who asks while it is being made waits, and shares the next
one. In the second half of its time it is made anew beside the questions, so that none of them waits as long as there
are many.

A HelperProcess calls functions one at a time. Thousands of files are looked at there, or an index updated, while the
threads of this process answer: each time a thread waits for the system, the others would have to let it go on.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import Any, Generic, NamedTuple, TypeVar

from birthmark.errors import BirthmarkError
from birthmark.isolation import spawn

Value = TypeVar("Value")
_END_SECONDS = 1.0
_PATIENCE = 5  # times the age of a value, for which it serves while the next one is being made
Result = TypeVar("Result")


class BackgroundWork:
    """Run work in a background thread on request; work that fails is tried again at the next request."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._lock = Lock()
        self._n_wanted = 0
        self._is_running = False

    def want(self) -> None:
        with self._lock:
            self._n_wanted += 1
            if self._is_running:
                return
            self._is_running = True
        Thread(target=self._run, name="beside", daemon=True).start()

    def _run(self) -> None:
        while self._take():
            with suppress(BirthmarkError):
                self._work()

    def _take(self) -> bool:
        with self._lock:
            self._is_running, self._n_wanted = self._n_wanted > 0, 0
            return self._is_running


class _Made(NamedTuple, Generic[Value]):
    value: Value
    began: float
    generation: int


class SharedValue(Generic[Value]):
    """`max_age` is in seconds, from when making it began; 0: it is made for each question that comes after.

    While the next one is being made, the value serves for some more time: making one may mean that an index is updated.
    """

    def __init__(self, make: Callable[[], Value], max_age: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._make, self.max_age, self._clock = make, max_age, clock
        self._made: _Made[Value] | None = None
        self._generation, self._outdated = 0, float("-inf")
        self._one_at_a_time = Lock()

    def get(self) -> Value:
        now, made = self._clock(), self._made
        is_renewing = self._one_at_a_time.locked()
        max_age = self.max_age * _PATIENCE if is_renewing else self.max_age
        if made is None or not self._is_good(made, now - max_age):
            return self._make_since(now - self.max_age)
        if made.began <= max(now - self.max_age / 2, self._outdated) and not is_renewing:
            Thread(target=self._renew, args=(now,), daemon=True).start()
        return made.value

    def expire(self) -> None:
        """Have the value made anew beside the next question, which still gets the old one."""
        self._outdated = self._clock()

    def forget(self) -> None:
        """Drop the value that was made or is being made."""
        self._generation += 1

    def _is_good(self, made: _Made[Value] | None, since: float) -> bool:
        return made is not None and made.began >= since and made.generation == self._generation

    def _renew(self, since: float) -> None:
        """Make the value ahead of time; whoever needs it next is told of an error."""
        with suppress(BirthmarkError):
            self._make_since(since)

    def _make_since(self, since: float) -> Value:
        with self._one_at_a_time:
            made = self._made
            if made is None or not self._is_good(made, since):
                began, generation = self._clock(), self._generation
                made = self._made = _Made(self._make(), began, generation)
            return made.value


class HelperProcess:
    """A process that starts at the first call, and ends when this is closed or when the calling process ends."""

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
    """Answer calls until the pipe is closed; ignore Ctrl-C, which the calling process handles."""
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
