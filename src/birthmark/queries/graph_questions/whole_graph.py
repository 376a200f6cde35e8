"""Questions about all uses at once, which igraph answers: what is in cycles, what is central, what is connected.

Takes nodes in the order in which they are to be listed, and pairs of a user and what it uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from birthmark.graph.network import Node

if TYPE_CHECKING:
    from igraph import Graph

DAMPING = 0.85


class UseGraph:
    """Nodes in a fixed order, and who uses what among them."""

    def __init__(self, nodes: Iterable[Node], uses: Iterable[tuple[Node, Node]]) -> None:
        """Several uses between two nodes are one; those of other nodes, and of a node by itself, are left out."""
        from igraph import Graph

        self.nodes = [*dict.fromkeys(nodes)]
        self.numbers = {node: number for number, node in enumerate(self.nodes)}
        known = ((self.numbers.get(user), self.numbers.get(used)) for user, used in uses)
        edges = {(user, used) for user, used in known if user is not None and used is not None and user != used}
        self.graph: Graph = Graph(len(self.nodes), sorted(edges), directed=True)

    def cycles(self) -> list[list[Node]]:
        """Groups of nodes each of which uses, in some steps, every other; the largest first."""
        return self._groups("strong")

    def components(self) -> list[list[Node]]:
        """Groups between which there is no use; the largest first."""
        return self._groups("weak")

    def _groups(self, mode: str) -> list[list[Node]]:
        groups = [sorted(group) for group in self.graph.connected_components(mode=mode) if len(group) > 1]
        return [[self.nodes[number] for number in group] for group in sorted(groups, key=lambda one: (-len(one), one))]

    def shortest_cycle(self, group: Sequence[Node]) -> list[Node]:
        """A shortest way from the first of a group of `cycles` back to it."""
        first, among = self.numbers[group[0]], {self.numbers[node] for node in group}
        users = sorted(among.intersection(self.graph.predecessors(first)))
        ways = self.graph.get_shortest_paths(first, users)
        return [self.nodes[number] for number in min(ways, key=lambda way: (len(way), way))]

    def n_users(self, node: Node) -> int:
        return int(self.graph.degree(self.numbers[node], mode="in"))

    def rank(self) -> dict[Node, float]:
        """PageRank: how likely one is at a node who goes on from user to used at random, and at times starts anew."""
        if not self.nodes:
            return {}
        return dict(zip(self.nodes, self.graph.pagerank(damping=DAMPING), strict=True))
