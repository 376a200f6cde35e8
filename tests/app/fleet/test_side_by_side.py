"""Several repositories are refreshed at a time: each once, none begun before a process is free, none lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.errors import BirthmarkError
from birthmark.server.fleet import refreshing
from birthmark.server.fleet.catalog import FleetRepository
from birthmark.server.fleet.refresh_task import RefreshedRepository, RefreshTask
from birthmark.server.fleet.refreshing import at_once, refresh_side_by_side
from birthmark.vocabulary import RefreshResult


class Process:
    """Answers without being one; which repository is asked for decides how."""

    def __init__(self) -> None:
        self.is_closed = False

    def call(self, function: Callable[[bytes], bytes], payload: bytes) -> bytes:
        assert not self.is_closed
        task = msgspec.json.decode(payload, type=RefreshTask)
        if task.repository.name.startswith("killed"):
            raise EOFError
        if task.repository.name.startswith("broken"):
            raise BirthmarkError("broken")
        return msgspec.json.encode(
            RefreshedRepository(name=task.repository.name, result=RefreshResult.INDEXED, n_read=task.jobs or 0)
        )

    def close(self) -> None:
        self.is_closed = True


def task_of(name: str) -> RefreshTask:
    return RefreshTask(url="postgresql://x", repository=FleetRepository(name=name, source=f"/{name}"))


@given(st.lists(st.sampled_from(["fine", "killed"]), max_size=12), st.integers(1, 9))
def test_each_is_refreshed_once_and_begun_when_there_is_a_process_for_it(kinds: list[str], n_processors: int) -> None:
    names = [f"{kind}-{number}" for number, kind in enumerate(kinds)]
    n_taken, results = 0, list[RefreshedRepository]()

    def tasks() -> Iterator[RefreshTask]:
        nonlocal n_taken
        for name in names:
            n_taken += 1
            assert n_taken - len(results) <= at_once(n_processors)
            yield task_of(name)

    with patch.object(refreshing, "HelperProcess", Process):
        for done in refresh_side_by_side(tasks(), n_processors):
            results.append(done)
    assert sorted(one.name for one in results) == sorted(names)
    assert all((one.result is RefreshResult.FAILED) == one.name.startswith("killed") for one in results)
    assert all(1 <= one.n_read <= 2 for one in results if one.result is RefreshResult.INDEXED)


@pytest.mark.parametrize(("n_processors", "n_at_once"), [(1, 1), (2, 2), (3, 2), (8, 4), (64, 32)])
def test_each_has_two_processors_where_there_are_enough(n_processors: int, n_at_once: int) -> None:
    assert at_once(n_processors) == n_at_once


def test_an_error_ends_it_and_all_processes() -> None:
    made: list[Process] = []

    def make() -> Process:
        made.append(Process())
        return made[-1]

    with (
        patch.object(refreshing, "HelperProcess", make),
        pytest.raises(BirthmarkError, match="broken"),
    ):
        list(refresh_side_by_side(iter([task_of("fine"), task_of("broken"), task_of("last")]), 2))
    assert [one.is_closed for one in made] == [True, True]
