"""Layers and cycles of a directed graph.

Takes how often each node uses each other one; gives a Layering. Nodes that use each other, directly or around a
cycle, are in one layer; every other use leads to a lower layer. igraph does the mathematics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from igraph import Graph

Pair = tuple[int, int]  # a node, and one that it uses


class Layering(NamedTuple):
    """Where nodes are, by their numbers."""

    layers: list[int]  # of each node; 0 for what uses nothing
    cycles: list[tuple[int, ...]]  # those with most nodes first
    closing: frozenset[Pair]  # uses without which there would be no cycle, as few of them as are easily found
    levels: list[int]  # of each node in a cycle, without uses that close it: the longest way down within the cycle


def find_layers(n_nodes: int, uses: Mapping[Pair, int]) -> Layering:
    """The layer of a node is the length of the longest way down from it, where a cycle counts as one node."""
    from igraph import Graph

    pairs = sorted(pair for pair in uses if pair[0] != pair[1])
    graph = Graph(n_nodes, pairs, directed=True)
    components = graph.connected_components(mode="strong")
    condensed: Graph = components.cluster_graph(combine_edges="ignore")
    heights = _heights(condensed)
    cycles = sorted((tuple(sorted(one)) for one in components if len(one) > 1), key=lambda one: (-len(one), one))
    closing = frozenset(pair for cycle in cycles for pair in _closing(cycle, pairs, uses))
    layers = [heights[component] for component in components.membership]
    within = [pair for cycle in cycles for pair in _within(cycle, pairs) if pair not in closing]
    return Layering(layers, cycles, closing, _heights(Graph(n_nodes, within, directed=True)))


def _heights(acyclic: Graph) -> list[int]:
    heights = [0] * acyclic.vcount()
    for node in acyclic.topological_sorting(mode="in"):
        heights[node] = max((heights[used] + 1 for used in acyclic.successors(node) if used != node), default=0)
    return heights


def _closing(cycle: tuple[int, ...], pairs: list[Pair], uses: Mapping[Pair, int]) -> list[Pair]:
    """The uses of a cycle that point back, in an order of its nodes in which few do."""
    from igraph import Graph

    number, inside = {node: index for index, node in enumerate(cycle)}, _within(cycle, pairs)
    graph = Graph(len(cycle), [(number[user], number[used]) for user, used in inside], directed=True)
    return [inside[edge] for edge in graph.feedback_arc_set([uses[pair] for pair in inside], "eades")]


def _within(cycle: tuple[int, ...], pairs: list[Pair]) -> list[Pair]:
    nodes = set(cycle)
    return [pair for pair in pairs if pair[0] in nodes and pair[1] in nodes]
