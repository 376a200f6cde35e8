"""The schedule of retries, and the end of them.

Takes a message and the outcome of an attempt; returns the message in its new state. Pure: the time is an argument, and
so is the jitter that keeps many senders from retrying at the same moment.
"""

from __future__ import annotations

import os
from typing import NamedTuple

from birthmark.store.model import Message
from birthmark.vocabulary import DeliveryState

WAITS = (5.0, 30.0, 120.0, 900.0, 3600.0, 4 * 3600.0, 12 * 3600.0, 24 * 3600.0)
LONGEST_WAIT = 24 * 3600.0  # that a receiver may request
_SPREAD = 0.2
_LONGEST_ERROR = 300


class DeliveryOutcome(NamedTuple):
    """The state of a message after an attempt: PENDING if it failed, DEAD if the receiver accepts no more messages.

    Also why it failed in one line, and how many seconds the receiver requests to wait.
    """

    state: DeliveryState
    error: str | None = None
    retry_after: float | None = None


def after_attempt(message: Message, outcome: DeliveryOutcome, now: float, jitter: float = 0.0) -> Message:
    """A message as it is after one more attempt. `jitter` is between 0 and 1."""
    done = message._replace(state=outcome.state, attempts=message.attempts + 1, next_at=now, error=outcome.error)
    if outcome.state is not DeliveryState.PENDING:
        return done
    if message.attempts >= len(WAITS):
        return done._replace(state=DeliveryState.DEAD)
    wait = WAITS[message.attempts] * (1 + _SPREAD * jitter)
    return done._replace(next_at=now + max(wait, min(outcome.retry_after or 0.0, LONGEST_WAIT)))


def failed(error: str, retry_after: float | None = None) -> DeliveryOutcome:
    return DeliveryOutcome(DeliveryState.PENDING, one_line(error), retry_after)


def one_line(text: str) -> str:
    """Foreign text, cut to a limit and without control characters."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= _LONGEST_ERROR else f"{line[:_LONGEST_ERROR]}…"


def read_variable(name: str | None) -> str:
    """Return a secret of the environment; ValueError if it is not set."""
    value = os.environ.get(name or "")
    if not value:
        raise ValueError(f"the environment variable {name or ''} is not set")
    return value
