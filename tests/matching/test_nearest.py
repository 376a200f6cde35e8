"""Points on a line, the closest first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.matching.passes.same_place import Point, pair_nearest
from examples import n_examples

CASES = {
    "nobody": ([], [1], []),
    "one each": ([5], [9], [(4, 0, 0)]),
    "the closest first": ([10, 20], [19, 12], [(1, 1, 0), (2, 0, 1)]),
    "in order on one line": ([7, 7], [7, 7], [(0, 0, 0), (0, 1, 1)]),
    "in order beside a line": ([7, 7], [8, 8], [(1, 0, 0), (1, 1, 1)]),
    "who lost his neighbour takes the next": ([10, 11], [12, 30], [(1, 1, 0), (20, 0, 1)]),
    "of two equally close the first": ([10], [5, 15], [(5, 0, 0)]),
}


@pytest.mark.parametrize(("old", "new", "expected"), CASES.values(), ids=CASES.keys())
def test_nearest(old: list[int], new: list[int], expected: list[tuple[int, int, int]]) -> None:
    assert list(pair_nearest(points(old), points(new))) == expected


positions = st.lists(st.integers(0, 40), max_size=12)


@given(positions, positions)
@settings(max_examples=n_examples(200), deadline=None)
def test_as_good_as_looking_at_every_pair(old: list[int], new: list[int]) -> None:
    found = list(pair_nearest(points(old), points(new)))
    assert len(found) == min(len(old), len(new))
    assert len({before for _, before, _ in found}) == len({after for _, _, after in found}) == len(found)
    assert [distance for distance, _, _ in found] == [abs(old[before] - new[after]) for _, before, after in found]
    left_old, left_new = set(range(len(old))), set(range(len(new)))
    for distance, before, after in found:
        assert distance == min(abs(old[i] - new[k]) for i in left_old for k in left_new)
        left_old.remove(before)
        left_new.remove(after)


def points(at: list[int]) -> list[Point]:
    return [(position, index) for index, position in enumerate(at)]
