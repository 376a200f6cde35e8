"""How long a question may take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TypeVar

from birthmark.errors import BirthmarkError

T = TypeVar("T")
_OFTEN = 4096  # values between two looks at the clock


class TimeLimit:
    """Starts when it is made; a clock other than the system's is for tests."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.seconds, self._clock = seconds, clock
        self._end = clock() + seconds

    @property
    def is_over(self) -> bool:
        return self._clock() > self._end

    def during(self, values: Iterable[T]) -> Iterator[T]:
        """The values, for an answer that needs all of them: an error where the time is over before."""
        for number, value in enumerate(values):
            if number % _OFTEN == 0 and self.is_over:
                raise BirthmarkError(f"no answer within {self.seconds:g} s; allow more with --timeout")
            yield value
