"""The schedule of retries, and the end of them.

Takes the number of attempts and the outcome of the last one; returns the Progress. Pure: the time is an argument, and
so is the jitter that keeps many senders from retrying at the same moment.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

WAITS = (5.0, 30.0, 120.0, 900.0, 3600.0, 4 * 3600.0, 12 * 3600.0, 24 * 3600.0)
LONGEST_WAIT = 24 * 3600.0  # that a receiver may request
_SPREAD = 0.2
_LONGEST_ERROR = 300


class DeliveryVerdict(StrEnum):
    """The outcome of an attempt."""

    DELIVERED = "delivered"
    FAILED = "failed"  # to be retried
    GONE = "gone"  # the receiver accepts no more messages


class DeliveryOutcome(NamedTuple):
    """An attempt's verdict, why it failed in one line, and how many seconds the receiver requests to wait."""

    verdict: DeliveryVerdict
    error: str | None = None
    retry_after: float | None = None


class Progress(NamedTuple):
    """The delivery state of a message: `pending`, `delivered` or `dead`."""

    state: str
    attempts: int
    next_at: float
    error: str | None


def after_attempt(attempts: int, outcome: DeliveryOutcome, now: float, jitter: float = 0.0) -> Progress:
    """The state of a message after `attempts` earlier attempts and this one. `jitter` is between 0 and 1."""
    if outcome.verdict is DeliveryVerdict.DELIVERED:
        return Progress("delivered", attempts + 1, now, outcome.error)
    if outcome.verdict is DeliveryVerdict.GONE or attempts >= len(WAITS):
        return Progress("dead", attempts + 1, now, outcome.error)
    wait = WAITS[attempts] * (1 + _SPREAD * jitter)
    requested = min(outcome.retry_after or 0.0, LONGEST_WAIT)
    return Progress("pending", attempts + 1, now + max(wait, requested), outcome.error)


def failed(error: str, retry_after: float | None = None) -> DeliveryOutcome:
    return DeliveryOutcome(DeliveryVerdict.FAILED, one_line(error), retry_after)


def one_line(text: str) -> str:
    """Foreign text, cut to a limit and without control characters."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST_ERROR else f"{line[:_LONGEST_ERROR]}…"
