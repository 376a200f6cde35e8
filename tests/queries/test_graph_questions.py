"""Impact, paths, cycles, components and rank agree with networkx on random graphs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python  # the one that needs no numpy

from birthmark.errors import BirthmarkError
from birthmark.graph.network import EdgeList, NetworkEdge
from birthmark.graph.symbols import Definition
from birthmark.queries.impact import Impact, TimeLimit, UseSteps, find_impact, find_shortest_path
from birthmark.queries.use_graph import UseGraph
from birthmark.vocabulary import EdgeKind, Resolution

_LONG = 1000.0
_FAR = 100
_FOLLOWED = ["calls", "reads", "inherits", "implements", "writes", "types", "decorates"]


class FewDefinitions:
    """Functions, and classes with the constructors that are said to be theirs, all in one file."""

    def __init__(self, constructors: Mapping[int, int] | None = None) -> None:
        self.constructors = constructors or {}

    def _one(self, identity: int) -> Definition:
        owner = self.constructors.get(identity)
        if owner is not None:
            line = owner * 10 + 1
            return Definition(identity, "a.x", "x", "constructor", "new", f"c{owner}.new", f"c{owner}", line, line)
        kind = "class" if identity in self.constructors.values() else "fn"
        return Definition(identity, "a.x", "x", kind, "c", f"c{identity}", None, identity * 10, identity * 10 + 5)

    def definitions(self, identities: Collection[int]) -> Mapping[int, Definition]:
        return {identity: self._one(identity) for identity in identities}

    def inside(self, path: str) -> Sequence[Definition]:
        return [self._one(one) for one in sorted({*self.constructors, *self.constructors.values()})]


def steps_of(edges: Collection[tuple[int, int, str]], constructors: Mapping[int, int] | None = None) -> UseSteps:
    network = [
        NetworkEdge(user, used, EdgeKind(kind), Resolution.EXACT, f"{user % 3}.x", user * 7 % 5)
        for user, used, kind in edges
    ]
    return UseSteps(EdgeList(network), FewDefinitions(constructors))


def impact_of(steps: UseSteps, changed: Collection[int], deepest: int = _FAR, most: int = _FAR) -> Impact:
    return find_impact(steps, changed, deepest, most, TimeLimit(_LONG))


nodes = st.integers(0, 12)
uses = st.sets(st.tuples(nodes, nodes).filter(lambda pair: pair[0] != pair[1]), max_size=40)


def kinds_of(kinds: Sequence[str]) -> st.SearchStrategy[set[tuple[int, int, str]]]:
    return st.sets(st.tuples(nodes, nodes, st.sampled_from(kinds)).filter(lambda edge: edge[0] != edge[1]), max_size=40)


def graph_of(pairs: Collection[tuple[int, int]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(13))
    graph.add_edges_from(pairs)
    return graph


@given(kinds_of(_FOLLOWED), st.sets(nodes, min_size=1, max_size=3), st.integers(1, 6))
def test_impact_is_what_reaches_it(edges: set[tuple[int, int, str]], changed: set[int], deepest: int) -> None:
    reversed_graph = graph_of([(used, user) for user, used, _ in edges])
    far = nx.multi_source_dijkstra_path_length(reversed_graph, changed)
    expected = {node: depth for node, depth in far.items() if 0 < depth <= deepest}
    impact = impact_of(steps_of(edges), changed, deepest)
    assert {step.user: depth for depth, step in impact.reached} == expected
    depths = {step.user: depth for depth, step in impact.reached} | dict.fromkeys(changed, 0)
    for depth, step in impact.reached:
        assert depths[step.used] == depth - 1
        assert (step.user, step.used, str(step.edge)) in edges
    assert impact.is_complete <= (max(far.values()) <= deepest)


@given(kinds_of(_FOLLOWED), nodes, nodes)
def test_path_is_as_short_as_can_be(edges: set[tuple[int, int, str]], start: int, end: int) -> None:
    graph = graph_of([(user, used) for user, used, _ in edges])
    found, _ = find_shortest_path(steps_of(edges), [start], [end], TimeLimit(_LONG))
    if start == end:
        return
    if not nx.has_path(graph, start, end):
        assert found == []
        return
    assert len(found) == nx.shortest_path_length(graph, start, end)
    assert (found[0].user, found[-1].used) == (start, end)
    assert all(one.used == other.user for one, other in pairwise(found))
    assert all(graph.has_edge(one.user, one.used) for one in found)
    again, _ = find_shortest_path(steps_of(sorted(edges, reverse=True)), [start], [end], TimeLimit(_LONG))
    assert again == found


@given(kinds_of([*_FOLLOWED, "overrides", "imports", "exports"]), st.dictionaries(nodes, nodes, max_size=4))
def test_path_and_impact_agree(edges: set[tuple[int, int, str]], owners: dict[int, int]) -> None:
    constructors = {one: owner for one, owner in owners.items() if one != owner and owner not in owners}
    steps = steps_of(edges, constructors)
    imports_only = {one[0] for one in edges if one[2] == "imports"}
    for end in range(0, 13, 4):
        depths = {step.user: depth for depth, step in impact_of(steps, [end]).reached}
        for start in set(range(13)) - {end} - imports_only:
            found, _ = find_shortest_path(steps, [start], [end], TimeLimit(_LONG))
            assert len(found) == depths.get(start, 0)


@given(uses)
def test_cycles_are_strongly_connected(pairs: set[tuple[int, int]]) -> None:
    graph = graph_of(pairs)
    found = UseGraph(range(13), pairs)
    expected = {frozenset(group) for group in nx.strongly_connected_components(graph) if len(group) > 1}
    assert {frozenset(group) for group in found.cycles()} == expected
    for group in found.cycles():
        cycle = [int(node) for node in found.shortest_cycle(group)]
        assert cycle[0] == group[0]
        assert all(graph.has_edge(one, other) for one, other in pairwise([*cycle, cycle[0]]))
        back = [nx.shortest_path_length(graph, one, cycle[0]) for one in graph.successors(cycle[0]) if one in group]
        assert len(cycle) == min(back) + 1


@given(uses)
def test_components_are_weakly_connected(pairs: set[tuple[int, int]]) -> None:
    expected = {frozenset(group) for group in nx.weakly_connected_components(graph_of(pairs)) if len(group) > 1}
    assert {frozenset(group) for group in UseGraph(range(13), pairs).components()} == expected


@given(uses)
def test_rank_is_page_rank(pairs: set[tuple[int, int]]) -> None:
    expected = _pagerank_python(graph_of(pairs), alpha=0.85, tol=1e-12, max_iter=1000)
    assert UseGraph(range(13), pairs).rank() == pytest.approx(expected, abs=1e-6)


def test_nothing_has_no_rank() -> None:
    assert UseGraph([], []).rank() == {}


# What a change goes on through.

CASES: dict[str, tuple[str, dict[int, int], str]] = {
    "users of users": ("1>0 2>1", {}, "1:1 2:2"),
    "the nearest way counts": ("1>0 2>1 2>0", {}, "1:1 2:1"),
    "an import concerns what is imported alone": ("1 imports 0, 2>1", {}, "1:1"),
    "but is a user's user where it is used": ("1 imports 0, 1>3 3>0 2>1", {}, "1:1 3:1 2:3"),
    "what overrides is not changed by what it overrides": ("1 overrides 0, 2>1", {}, "1:1"),
    "who calls what it overrides may call it": ("0 overrides 1, 2>1 3>2", {}, "2:1 3:2"),
    "but not another one that overrides": ("0 overrides 1, 2 overrides 1, 2>1", {}, ""),
    "who makes an object calls the constructor": ("1>2", {0: 2}, "1:1"),
    "a subclass inherits the constructor": ("1 inherits 2, 3>1", {0: 2}, "1:1 3:2"),
    "a type of it does not": ("1 types 2", {0: 2}, ""),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_change_goes_on_through(name: str) -> None:
    text, constructors, expected = CASES[name]
    words = text.replace(",", " ").replace(">", " calls ").split()
    edges = [(int(words[i]), int(words[i + 2]), words[i + 1]) for i in range(0, len(words), 3)]
    reached = impact_of(steps_of(edges, constructors), [0]).reached
    assert sorted(f"{step.user}:{depth}" for depth, step in reached) == sorted(expected.split())


def test_impact_is_bounded() -> None:
    chain = steps_of([(one + 1, one, "calls") for one in range(10)])
    assert [step.user for _, step in impact_of(chain, [0], deepest=3).reached] == [1, 2, 3]
    assert not impact_of(chain, [0], deepest=3).is_complete
    assert [step.user for _, step in impact_of(chain, [0], most=2).reached] == [1, 2]
    assert not impact_of(chain, [0], most=2).is_complete
    assert impact_of(chain, [0], most=10).is_complete
    late = find_impact(chain, [0], _FAR, _FAR, TimeLimit(0, iter(range(100)).__next__))
    assert (late.reached, late.is_in_time, late.is_complete) == ([], False, False)


def test_what_needs_all_edges_fails_where_time_is_over() -> None:
    clock = iter(range(100)).__next__
    with pytest.raises(BirthmarkError, match="--timeout"):
        [*TimeLimit(0, clock).during(range(3))]
