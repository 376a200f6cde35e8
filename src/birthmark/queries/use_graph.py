"""Find the layers and cycles of a graph, and answer questions about all uses at once.

Takes nodes and the uses between them. Nodes that use each other, directly or around a cycle, are in one layer; every
other use leads to a lower layer. UseGraph finds cycles, connected components and central nodes. igraph does the
mathematics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from birthmark.graph.network import Node

if TYPE_CHECKING:
    from igraph import Graph

Pair = tuple[int, int]  # a node, and one that it uses
DAMPING = 0.85


class Layering(NamedTuple):
    """The layers and cycles of nodes, by their numbers."""

    layers: list[int]  # of each node; 0 if it uses nothing
    cycles: list[tuple[int, ...]]  # those with most nodes first
    closing: frozenset[Pair]  # uses without which there would be no cycle, as few of them as are easily found
    levels: list[int]  # of each node in a cycle, without uses that close it: the longest way down within the cycle


def find_layers(n_nodes: int, uses: Mapping[Pair, int]) -> Layering:
    """Return layers: the layer of a node is the longest way down from it, where a cycle counts as one node."""
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
    """Return the uses of a cycle that point back, in an order of its nodes in which few do."""
    from igraph import Graph

    number, inside = {node: index for index, node in enumerate(cycle)}, _within(cycle, pairs)
    graph = Graph(len(cycle), [(number[user], number[used]) for user, used in inside], directed=True)
    return [inside[edge] for edge in graph.feedback_arc_set([uses[pair] for pair in inside], "eades")]


def _within(cycle: tuple[int, ...], pairs: list[Pair]) -> list[Pair]:
    nodes = set(cycle)
    return [pair for pair in pairs if pair[0] in nodes and pair[1] in nodes]


class UseGraph:
    """Nodes in a fixed order, and the uses among them."""

    def __init__(self, nodes: Iterable[Node], uses: Iterable[tuple[Node, Node]]) -> None:
        """Build the graph; several uses between two nodes are one, those of other nodes or of itself are left out."""
        from igraph import Graph

        self.nodes = [*dict.fromkeys(nodes)]
        self.numbers = {node: number for number, node in enumerate(self.nodes)}
        known = ((self.numbers.get(user), self.numbers.get(used)) for user, used in uses)
        edges = {(user, used) for user, used in known if user is not None and used is not None and user != used}
        self.graph: Graph = Graph(len(self.nodes), sorted(edges), directed=True)

    def cycles(self) -> list[list[Node]]:
        """Return groups of nodes that all use each other, directly or not; the largest first."""
        return self._groups("strong")

    def components(self) -> list[list[Node]]:
        """Return groups without uses between them; the largest first."""
        return self._groups("weak")

    def _groups(self, mode: str) -> list[list[Node]]:
        groups = [sorted(group) for group in self.graph.connected_components(mode=mode) if len(group) > 1]
        return [[self.nodes[number] for number in group] for group in sorted(groups, key=lambda one: (-len(one), one))]

    def shortest_cycle(self, group: Sequence[Node]) -> list[Node]:
        """Return a shortest way from the first of a group of `cycles` back to it."""
        first, among = self.numbers[group[0]], {self.numbers[node] for node in group}
        users = sorted(among.intersection(self.graph.predecessors(first)))
        ways = self.graph.get_shortest_paths(first, users)
        return [self.nodes[number] for number in min(ways, key=lambda way: (len(way), way))]

    def n_users(self, node: Node) -> int:
        return int(self.graph.degree(self.numbers[node], mode="in"))

    def rank(self) -> dict[Node, float]:
        """Return PageRank: the probability of being at a node when following uses at random with restarts."""
        if not self.nodes:
            return {}
        return dict(zip(self.nodes, self.graph.pagerank(damping=DAMPING), strict=True))
