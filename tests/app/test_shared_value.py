"""A value is made by one thread at a time, and used by all for its time."""

from __future__ import annotations

import threading
import time
from itertools import count

import pytest

from birthmark.app.serving.beside import SharedValue
from birthmark.errors import BirthmarkError


class Clock:
    """Goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def settle() -> None:
    """Until nothing is made beside the questions any more."""
    for thread in threading.enumerate():
        if "_renew" in thread.name:
            thread.join()


@pytest.mark.parametrize(
    ("max_age", "steps", "expected"),
    [
        (1.0, [0.0, 0.4, 0.5], [0, 0, 0]),
        (1.0, [0.0, 1.0, 0.001], [0, 0, 1]),  # In its second half the next one is made meanwhile.
        (1.0, [0.0, 1.1, 5.0], [0, 1, 2]),
        (0.0, [0.0, 0.0, 0.1], [0, 0, 1]),  # A clock that has not moved shows no time between the questions.
    ],
)
def test_a_value_is_used_for_its_time(max_age: float, steps: list[float], expected: list[int]) -> None:
    clock, numbers, found = Clock(), count(), []
    latest = SharedValue(lambda: next(numbers), max_age, clock)
    for seconds in steps:
        clock.now += seconds
        found.append(latest.get())
        settle()
    assert found == expected


def test_a_value_serves_a_little_longer_while_the_next_one_is_being_made() -> None:
    clock, numbers, entered, may_go_on = Clock(), count(), threading.Event(), threading.Event()

    def make() -> int:
        number = next(numbers)
        if number == 1:
            entered.set()
            may_go_on.wait(30)
        return number

    latest = SharedValue(make, 1.0, clock)
    assert latest.get() == 0
    latest.expire()
    clock.now += 0.1
    assert latest.get() == 0  # The next one is begun.
    entered.wait(30)
    clock.now += 4.8
    assert latest.get() == 0
    may_go_on.set()
    settle()
    assert latest.get() == 2  # That one is too old by now.


def test_what_is_forgotten_is_not_used_though_it_was_being_made() -> None:
    clock, numbers = Clock(), count()

    def make() -> int:
        number = next(numbers)
        if number == 1:
            latest.forget()
        return number

    latest = SharedValue(make, 10.0, clock)
    assert (latest.get(), latest.get()) == (0, 0)
    latest.forget()
    assert (latest.get(), latest.get(), latest.get()) == (1, 2, 2)


def test_who_waits_shares_the_next_one() -> None:
    numbers, entered, may_go_on = count(), threading.Event(), threading.Event()

    def make() -> int:
        entered.set()
        may_go_on.wait(30)
        return next(numbers)

    latest = SharedValue(make, 0.0)
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(latest.get())) for _ in range(6)]
    threads[0].start()
    entered.wait(30)
    for thread in threads[1:]:
        thread.start()
    may_go_on.set()
    for thread in threads:
        thread.join()
    assert found[0] == 0
    assert max(found) < 6
    assert sorted(found) == found


def test_an_error_is_not_kept() -> None:
    failing = iter([ValueError("once")])

    def make() -> str:
        for error in failing:
            raise error
        return "made"

    latest = SharedValue(make, 10.0)
    with pytest.raises(ValueError, match="once"):
        latest.get()
    assert latest.get() == "made"


def test_an_error_ahead_of_time_is_told_to_whoever_needs_the_value() -> None:
    made, now = [0], [0.0]

    def make() -> int:
        made[0] += 1
        if made[0] == 2:
            raise BirthmarkError("the disk failed")
        return made[0]

    shared = SharedValue(make, 10.0, lambda: now[0])
    assert shared.get() == 1
    now[0] = 6.0
    assert shared.get() == 1  # The next one is made beside it, and fails.
    while made[0] < 2:
        time.sleep(0.01)
    now[0] = 20.0
    assert shared.get() == 3
