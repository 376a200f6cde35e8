"""Do something beside what is going on, in a thread, once more where it was wanted again meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Thread

from birthmark.errors import BirthmarkError


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
