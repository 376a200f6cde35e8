"""How many requests a person may send: a bucket for each, filled at a rate, from which every request takes one."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil

from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.surfaces.http.errors import error_response
from birthmark.surfaces.http.observing.observation import PERSON

_BURST_SECONDS = 2.0  # of the rate that a bucket holds
_MOST_PERSONS = 10_000


class RateLimit:
    """`rate` is in requests a second, in this process. It comes after the guard that says who the person is."""

    def __init__(self, app: ASGIApp, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.app, self.rate, self._clock = app, rate, clock
        self._most = max(1.0, rate * _BURST_SECONDS)
        self._buckets: dict[str | None, tuple[float, float]] = {}  # what is in it, and when

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wait = self._take(scope.get(PERSON)) if scope["type"] == "http" else 0.0
        await (self.app if wait <= 0 else self._refusal(wait))(scope, receive, send)

    def _take(self, person: str | None) -> float:
        """Seconds until there is something to take; 0 where it was taken."""
        now = self._clock()
        held, at = self._buckets.get(person, (self._most, now))
        held = min(self._most, held + (now - at) * self.rate)
        is_taken = held >= 1.0
        if person not in self._buckets and len(self._buckets) >= _MOST_PERSONS:
            self._buckets.clear()
        self._buckets[person] = held - is_taken, now
        return 0.0 if is_taken else (1.0 - held) / self.rate

    def _refusal(self, wait: float) -> ASGIApp:
        message = f"more than {self.rate:g} requests a second; try again later"
        return error_response("too_many_requests", message, {"Retry-After": str(ceil(wait))})
