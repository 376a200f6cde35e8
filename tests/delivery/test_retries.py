"""A message is tried again at growing intervals, and given up in the end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.server.delivery.sending import (
    LONGEST_WAIT,
    WAITS,
    DeliveryOutcome,
    after_attempt,
    failed,
    one_line,
)
from birthmark.store.model import Message
from birthmark.vocabulary import DeliveryState

NOW = 1_000_000.0
MESSAGE = Message("msg_1", 1, "chat", b"{}")
DELIVERED = DeliveryOutcome(DeliveryState.DELIVERED)
GONE = DeliveryOutcome(DeliveryState.DEAD, "gone")

CASES = {
    "delivered at once": (0, DELIVERED, ("delivered", 1, NOW, None)),
    "delivered at last": (8, DELIVERED, ("delivered", 9, NOW, None)),
    "gone": (0, GONE, ("dead", 1, NOW, "gone")),
    "first failure": (0, failed("no"), ("pending", 1, NOW + 5, "no")),
    "second failure": (1, failed("no"), ("pending", 2, NOW + 30, "no")),
    "last wait": (7, failed("no"), ("pending", 8, NOW + 86400, "no")),
    "given up": (8, failed("no"), ("dead", 9, NOW, "no")),
    "given up for good": (100, failed("no"), ("dead", 101, NOW, "no")),
    "asked to wait": (0, failed("no", 60), ("pending", 1, NOW + 60, "no")),
    "asked to wait less": (2, failed("no", 1), ("pending", 3, NOW + 120, "no")),
    "asked to wait for ever": (0, failed("no", float("inf")), ("pending", 1, NOW + LONGEST_WAIT, "no")),
    "asked and given up": (8, failed("no", 60), ("dead", 9, NOW, "no")),
}


@pytest.mark.parametrize("case", CASES)
def test_after_attempt(case: str) -> None:
    attempts, outcome, expected = CASES[case]
    after = after_attempt(MESSAGE._replace(attempts=attempts), outcome, NOW)
    assert (after.state, after.attempts, after.next_at, after.error) == expected


@given(st.lists(st.floats(0, 1), min_size=len(WAITS) + 1, max_size=len(WAITS) + 1), st.floats(0, 4e9))
def test_failures_wait_longer_and_longer_and_end(jitters: list[float], now: float) -> None:
    waits, message = [], MESSAGE
    for jitter in jitters:
        message = after_attempt(message, failed("no"), now, jitter)
        if message.state == "pending":
            waits.append(message.next_at - now)
    assert message.state == "dead"
    assert message.attempts == len(WAITS) + 1 == len(waits) + 1
    assert all(earlier < later for earlier, later in pairwise(waits))
    assert all(wait - 1e-3 <= waited <= wait * 1.2 + 1e-3 for wait, waited in zip(WAITS, waits, strict=True))


@given(st.integers(0, 20), st.none() | st.floats(0), st.floats(0, 1))
def test_no_wait_is_longer_than_a_day_and_some(attempts: int, retry_after: float | None, jitter: float) -> None:
    after = after_attempt(MESSAGE._replace(attempts=attempts), failed("no", retry_after), NOW, jitter)
    assert after.attempts == attempts + 1
    assert NOW <= after.next_at <= NOW + 1.2 * LONGEST_WAIT


@given(st.text())
def test_errors_are_one_short_line(text: str) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= 301
