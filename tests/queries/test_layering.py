"""Layers and cycles agree with networkx on random graphs."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from birthmark.queries.use_graph import find_layers

N_NODES = 9
PAIRS = st.dictionaries(st.tuples(*[st.integers(0, N_NODES - 1)] * 2), st.integers(1, 50), max_size=30)


def graph_of(pairs: dict[tuple[int, int], int]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(N_NODES))
    graph.add_edges_from(pair for pair in pairs if pair[0] != pair[1])
    return graph


@given(PAIRS)
def test_a_layer_is_the_longest_way_down_where_a_cycle_counts_as_one(pairs: dict[tuple[int, int], int]) -> None:
    condensed = nx.condensation(graph_of(pairs))
    lengths: dict[int, int] = {}
    for component in reversed(list(nx.topological_sort(condensed))):
        lengths[component] = max((lengths[below] + 1 for below in condensed.successors(component)), default=0)
    expected = [lengths[condensed.graph["mapping"][node]] for node in range(N_NODES)]
    assert find_layers(N_NODES, pairs).layers == expected


@given(PAIRS)
def test_cycles_are_the_strong_components_of_more_than_one(pairs: dict[tuple[int, int], int]) -> None:
    components = nx.strongly_connected_components(graph_of(pairs))
    expected = {tuple(sorted(component)) for component in components if len(component) > 1}
    cycles = find_layers(N_NODES, pairs).cycles
    assert set(cycles) == expected
    assert len(cycles) == len(expected)


@given(PAIRS)
def test_every_use_but_those_of_cycles_leads_down(pairs: dict[tuple[int, int], int]) -> None:
    layering = find_layers(N_NODES, pairs)
    cycle_of = {node: cycle for cycle in layering.cycles for node in cycle}
    for user, used in pairs:
        if user != used and (user not in cycle_of or cycle_of[user] != cycle_of.get(used)):
            assert layering.layers[user] > layering.layers[used]


@given(PAIRS)
def test_without_what_closes_cycles_there_are_none(pairs: dict[tuple[int, int], int]) -> None:
    graph, layering = graph_of(pairs), find_layers(N_NODES, pairs)
    assert set(graph.edges) >= layering.closing
    assert all(any({*pair} <= set(cycle) for cycle in layering.cycles) for pair in layering.closing)
    graph.remove_edges_from(layering.closing)
    assert nx.is_directed_acyclic_graph(graph)
    inside = [pair for pair in graph.edges for cycle in layering.cycles if {*pair} <= set(cycle)]
    assert all(layering.levels[user] > layering.levels[used] for user, used in inside)


def test_of_two_modules_that_use_each_other_the_rarer_use_closes_the_cycle() -> None:
    assert find_layers(2, {(0, 1): 40, (1, 0): 2}).closing == {(1, 0)}
