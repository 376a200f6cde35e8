"""Batches of calls, and what becomes of those that are lost. A real cluster is used by tests of fleets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import Outcome, encode_call
from birthmark.extraction.model import Limits
from birthmark.server.fleet import ray_pool
from birthmark.server.fleet.ray_pool import RayPool, _batches, find_version, run_guarded, run_plainly

LIMITS = Limits(seconds=5.0)


def double(argument: bytes) -> bytes:
    if argument == b"bad":
        raise ValueError("broken")
    return argument * 2


def task(argument: bytes) -> bytes:
    return encode_call(double, argument)


class FakeRay:
    """Runs a batch when it is collected, in any order; every third one is lost."""

    class exceptions:  # noqa: N801 -- as in Ray
        class RayError(Exception):
            pass

        class RayTaskError(RayError):
            pass

    def __init__(self) -> None:
        self.numbers, self.most = count(), 0

    def remote(self, batch: Any, version: str) -> tuple[int, Any]:
        return next(self.numbers), partial(run_guarded, batch, version, LIMITS)

    def wait(self, references: list[Any], num_returns: int) -> tuple[list[Any], list[Any]]:
        self.most = max(self.most, len(references))
        return references[-1:], references[:-1]

    def get(self, reference: tuple[int, Any]) -> Any:
        if reference[0] % 3 == 1:
            raise self.exceptions.RayError("the worker is gone")
        try:
            return reference[1]()
        except BirthmarkError as error:
            raise self.exceptions.RayTaskError(f"Traceback\n{error}") from error


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRay]:
    ray = FakeRay()
    monkeypatch.setattr(ray_pool, "_ray", lambda: ray)
    # Functions of tests are not installed: only a copy of this process finds them.
    monkeypatch.setattr("birthmark.extraction.pool.active_count", lambda: 1)
    yield ray
    ray_pool._own_pool(LIMITS).close()
    ray_pool._own_pool.cache_clear()


@given(st.lists(st.binary(max_size=200)), st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple))
def test_batches_are_all_tasks_in_their_order(tasks: list[bytes], sizes: tuple[int, ...]) -> None:
    batches = list(_batches(enumerate(tasks), sizes))
    assert [one for batch in batches for one in batch] == list(enumerate(tasks))
    assert all(batches)
    assert [len(batch) for batch in batches[:-1]] == [*sizes, *[sizes[-1]] * len(batches)][: max(0, len(batches) - 1)]


def test_a_large_call_ends_its_batch() -> None:
    large = bytes(1 << 19)
    assert [len(batch) for batch in _batches(enumerate([b"", large, b"", b""]), (4,))] == [2, 2]


def test_tasks_are_taken_as_there_is_room_and_lost_batches_run_here(ray: FakeRay) -> None:
    taken = 0

    def tasks() -> Iterator[bytes]:
        nonlocal taken
        for number in range(40):
            taken += 1
            yield task(b"bad" if number == 7 else b"%d" % number)

    lost = partial(run_guarded, version=find_version(), limits=LIMITS)
    outcomes = RayPool(ray.remote, lost, (1, 3), 4).run(tasks())
    first = next(outcomes)
    assert taken <= 1 + 3 * 4
    found = {outcome.task: outcome for outcome in (first, *outcomes)}
    assert ray.most == 4
    assert found.pop(7) == Outcome(7, None, "failed: ValueError: broken")
    assert found == {number: Outcome(number, b"%d" % number * 2, None) for number in range(40) if number != 7}


def test_another_version_is_refused(ray: FakeRay) -> None:
    with pytest.raises(BirthmarkError, match="another version is installed on"):
        run_plainly([(0, task(b"x"))], "another")

    def remote(batch: Any, _: str) -> Any:
        return ray.remote(batch, "another")

    with pytest.raises(BirthmarkError, match="cannot run birthmark: another version is installed"):
        list(RayPool(remote, ray_pool._give_up, (1,), 2).run([task(b"x")]))


def test_what_is_lost_too_often_has_failed(ray: FakeRay) -> None:
    outcomes = RayPool(ray.remote, ray_pool._give_up, (1,), 1).run([task(b"a"), task(b"b")])
    assert [outcome.failure for outcome in outcomes] == [None, "was lost with the machine or the worker that did it"]
