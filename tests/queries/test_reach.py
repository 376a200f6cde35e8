"""What reaches a node, how far it is, and by which way."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.network import Node
from birthmark.queries.reach import ReachStep, find_reaching, way_from
from birthmark.vocabulary import ReachWord

EDGES = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40)


def rule_of(edges: Iterable[tuple[int, int]]):  # type: ignore[no-untyped-def]
    def rule(nodes: Collection[Node]) -> Iterable[ReachStep]:
        return [ReachStep(user, used, ReachWord.CALLS, None, "", 1) for user, used in edges if used in nodes]

    return rule


def distances(edges: list[tuple[int, int]], start: set[int], ends: set[int]) -> dict[int, int]:
    """By relaxing all edges until nothing changes."""
    found = dict.fromkeys(start, 0)
    for _ in range(20):
        for user, used in edges:
            if used in found and used not in ends:
                found[user] = min(found.get(user, 99), found[used] + 1)
    return found


@given(EDGES, st.sets(st.integers(0, 12), min_size=1), st.sets(st.integers(0, 12)))
def test_ways_are_the_shortest_and_go_through_no_end(
    edges: list[tuple[int, int]], start: set[int], ends: set[int]
) -> None:
    reached = find_reaching(start, [rule_of(edges)], ends.__contains__)
    expected = distances(edges, start, ends)
    assert {node: len(way_from(reached, node)) for node in reached} == expected
    assert [expected[int(node)] for node in reached] == sorted(expected.values())
    for node in reached:
        at: Node = node
        for step in way_from(reached, node):
            assert step.node == at
            assert (step.node, step.nearer) in edges
            at = step.nearer
        assert at in start


@given(EDGES, st.integers(0, 12), st.integers(0, 4))
def test_no_way_is_longer_than_asked(edges: list[tuple[int, int]], start: int, most: int) -> None:
    reached = find_reaching([start], [rule_of(edges)], lambda _: False, most)
    expected = distances(edges, {start}, set())
    assert {*reached} == {node for node, distance in expected.items() if distance <= most}


@given(EDGES, EDGES)
def test_the_first_rule_goes_before_others(edges: list[tuple[int, int]], others: list[tuple[int, int]]) -> None:
    sure, unsure = rule_of(edges), rule_of(others)

    def marked(nodes: Collection[Node]) -> Iterable[ReachStep]:
        return [step._replace(word=ReachWord.READS) for step in unsure(nodes)]

    reached = find_reaching([0], [sure, marked], lambda _: False)
    for step in reached.values():
        if step is not None and step.word is ReachWord.READS:
            nearer = {used for user, used in edges if user == step.node}
            assert all(
                len(way_from(reached, used)) > len(way_from(reached, step.nearer)) for used in nearer & {*reached}
            )
