"""Values and work that threads share beside the questions of a server.

BackgroundWork runs in a thread, once more where it was wanted again meanwhile. A SharedValue takes a moment to make; it
is made by one thread at a time and used by all for some time. Who asks while it is being made waits, and shares the
next one. In the second half of its time it is made anew beside the questions, so that none of them waits for it as long
as there are many.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread
from typing import Generic, NamedTuple, TypeVar

from birthmark.errors import BirthmarkError

Value = TypeVar("Value")


class BackgroundWork:
    """What cannot be done, because the index is being written, say, is done when it is wanted the next time."""

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
    """`max_age` is in seconds, from when making it began; 0: it is made for each question that comes after."""

    def __init__(self, make: Callable[[], Value], max_age: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._make, self.max_age, self._clock = make, max_age, clock
        self._made: _Made[Value] | None = None
        self._generation = 0
        self._one_at_a_time = Lock()

    def get(self) -> Value:
        now, made = self._clock(), self._made
        if not self._is_good(made, now - self.max_age):
            return self._make_since(now - self.max_age)
        assert made is not None
        if made.began < now - self.max_age / 2 and not self._one_at_a_time.locked():
            Thread(target=self._make_since, args=(now,), daemon=True).start()
        return made.value

    def forget(self) -> None:
        """Drop the value that was made or is being made."""
        self._generation += 1

    def _is_good(self, made: _Made[Value] | None, since: float) -> bool:
        return made is not None and made.began >= since and made.generation == self._generation

    def _make_since(self, since: float) -> Value:
        with self._one_at_a_time:
            made = self._made
            if made is None or not self._is_good(made, since):
                began, generation = self._clock(), self._generation
                made = self._made = _Made(self._make(), began, generation)
            return made.value
