"""A pool that runs calls in the process of the tests, which saves a fork of that large process for each index.

More than one worker, and limits other than the default, still take processes, so tests of both have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from birthmark.extraction.calls import Outcome
from birthmark.extraction.model import Limits
from birthmark.extraction.pool import Pool, Work


class InlinePool(Pool):
    """A Pool without processes as long as one worker with the default limits is enough."""

    def __init__(self, work: Work, n_workers: int, limits: Limits | None = None) -> None:
        self._is_inline = n_workers <= 1 and limits in (None, Limits())
        if self._is_inline:
            self.work, self.limits, self.workers = work, Limits(), []
        else:
            super().__init__(work, n_workers, limits)

    def grow(self, n_workers: int) -> None:
        """Start processes when more than one worker is needed."""
        if self._is_inline and n_workers > 1:
            self.__init__(self.work, n_workers, self.limits)  # type: ignore[misc]  # from here on it is a real one
        super().grow(0 if self._is_inline else n_workers)

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        """Return the outcomes of tasks, each as a worker would report it."""
        return map(self._run_here, enumerate(tasks)) if self._is_inline else super().run(tasks)

    def _run_here(self, task: tuple[int, bytes]) -> Outcome:
        number, payload = task
        try:
            return Outcome(number, self.work(payload), None)
        except Exception as error:  # whatever it is, it concerns one file
            return Outcome(number, None, f"failed: {type(error).__name__}: {error}")
