"""Which definitions are inside of others: one search by lines gives what a look at each pair gives."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.symbols import Containers, find_outer


class NamedLines(NamedTuple):
    """A definition."""

    name: str
    qualified_name: str
    lines: tuple[int, int]


spans = st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair)))
names = st.sampled_from(["A", "f", "A.f", "A.B", "A.B.f"])
definitions = st.builds(lambda name, lines: NamedLines(name.rpartition(".")[2], name, lines), names, spans)


@given(st.lists(definitions, max_size=8))
def test_a_definition_is_inside_of_one_that_has_its_parents_name_on_lines_around_it(found: list[NamedLines]) -> None:
    expected = [
        not any(
            one.qualified_name == f"{other.qualified_name}.{one.name}"
            and other.lines[0] <= one.lines[0]
            and one.lines[1] <= other.lines[1]
            for other in found
        )
        for one in found
    ]
    columns = zip(*found, strict=True) if found else ((), (), ())
    assert find_outer(*columns) == expected


@given(st.lists(spans, max_size=12), spans)
def test_containers_are_found_in_source_order(found: list[tuple[int, int]], lines: tuple[int, int]) -> None:
    expected = [number for number, one in enumerate(found) if one[0] <= lines[0] and lines[1] <= one[1]]
    assert Containers(found).around(lines) == expected
    assert Containers(found).has_around(lines) == bool(expected)
