"""Tests that reach each of several nodes, against a search from each by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.network import Node
from birthmark.queries.reach import MOST_STEPS, ReachCount, ReachStep, reach_of, record_steps
from birthmark.vocabulary import ReachWord

WORDS = (ReachWord.CALLS, ReachWord.CONTAINS, ReachWord.IMPORTS)
EDGES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from(WORDS)), max_size=40)


def is_test(node: Node) -> bool:
    return int(node) >= 9


def alone(start: int, edges: list[tuple[int, int, ReachWord]]) -> ReachCount:
    """Distances by relaxation; a test is an end."""
    far = {start: 0}
    for _ in range(MOST_STEPS):
        for user, used, word in edges:
            if word is not ReachWord.IMPORTS and used in far and not is_test(used) and far[used] < MOST_STEPS:
                far[user] = min(far.get(user, far[used] + 1), far[used] + 1)
    tests = [distance for node, distance in far.items() if is_test(node)]
    return ReachCount(len(tests), min(tests, default=None))


@given(EDGES, st.sets(st.integers(0, 12), min_size=1))
def test_each_is_as_by_itself(edges: list[tuple[int, int, ReachWord]], starts: set[int]) -> None:
    def rule(frontier: Collection[Node]) -> Iterator[ReachStep]:
        for user, used, word in edges:
            if used in frontier:
                yield ReachStep(user, used, word, None, "", 0)

    steps = record_steps(starts, [rule], is_test)
    assert {one: reach_of(one, steps, is_test) for one in starts} == {one: alone(one, edges) for one in starts}
