"""The definitions around some lines: one search gives what a look at each pair gives."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.symbols import Containers

spans = st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair)))


@given(st.lists(spans, max_size=12), spans)
def test_containers_are_found_in_source_order(found: list[tuple[int, int]], lines: tuple[int, int]) -> None:
    expected = [number for number, one in enumerate(found) if one[0] <= lines[0] and lines[1] <= one[1]]
    assert Containers(found).around(lines) == expected
    assert Containers(found).has_around(lines) == bool(expected)
