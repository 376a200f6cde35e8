"""Find cycles, connected groups and central nodes among all definitions of the index, or all its files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from birthmark.app.answers.graph_nodes import SECONDS, GraphNode, network_of, node_of, read_nodes
from birthmark.app.workspace.session import Session
from birthmark.graph.network import NetworkEdge, Node
from birthmark.graph.symbols import scopes_around
from birthmark.queries.impact import FOLLOWED, TimeLimit, is_inside, preference
from birthmark.queries.test_code import is_test_code
from birthmark.queries.use_graph import UseGraph
from birthmark.vocabulary import EdgeKind

_NAMESPACES = frozenset({"mod", "namespace"})


NodeUse = tuple[GraphNode, GraphNode, NetworkEdge]  # a user, what it uses, and where


class GraphScope(NamedTuple):
    """The kind of nodes that a question is about, and the time it may take."""

    by_files: bool = False
    with_tests: bool = True
    seconds: float = SECONDS

    def count(self, nodes: Iterable[Node]) -> int:
        """Count definitions, or files where the question is about files."""
        return sum(self.by_files or isinstance(node, int) for node in nodes)


class _ShownUses(NamedTuple):
    """All nodes by place, and for each pair of nodes the use to show."""

    nodes: dict[Node, GraphNode]
    shown: dict[tuple[Node, Node], NetworkEdge]

    def graph(self) -> UseGraph:
        return UseGraph(self.nodes, self.shown)

    def named(self, group: Iterable[Node]) -> list[GraphNode]:
        return [self.nodes[node] for node in group]

    def way_round(self, cycle: list[Node]) -> list[NodeUse]:
        pairs = pairwise([*cycle, cycle[0]])
        return [(self.nodes[user], self.nodes[used], self.shown[user, used]) for user, used in pairs]


def find_cycles(session: Session, scope: GraphScope) -> tuple[list[tuple[list[GraphNode], list[NodeUse]]], int]:
    """Return the cycles, the largest first, each with a shortest way round; and the number of nodes searched.

    Imports count among files.
    """
    uses = _read_uses(session, scope, frozenset(EdgeKind) if scope.by_files else FOLLOWED)
    graph = uses.graph()
    groups = [(uses.named(group), uses.way_round(graph.shortest_cycle(group))) for group in graph.cycles()]
    return groups, scope.count(uses.nodes)


def find_components(session: Session, scope: GraphScope) -> tuple[list[list[GraphNode]], int]:
    """Return what is connected by uses of any kind, the largest group first; and the number of nodes searched.

    All that is inside of a definition is part of it; the top level of a file connects what it uses.
    """
    kinds = frozenset(EdgeKind) - (frozenset() if scope.by_files else {EdgeKind.IMPORTS})
    uses = _read_uses(session, scope, kinds)
    whole = {node: node for node in uses.nodes} if scope.by_files else _outermost(uses)
    graph = UseGraph(dict.fromkeys(whole.values()), ((whole[user], whole[used]) for user, used in uses.shown))
    found = [[node for node in group if scope.by_files or isinstance(node, int)] for group in graph.components()]
    groups = [uses.named(group) for group in found if len(group) > 1]
    return sorted(groups, key=lambda group: -len(group)), scope.count(graph.nodes)


def find_rank(session: Session, scope: GraphScope) -> list[tuple[GraphNode, float, int]]:
    """Return all nodes with their scores and numbers of users, the most central first.

    The top levels of files are left out: nothing can use them.
    """
    uses = _read_uses(session, scope, frozenset(EdgeKind) if scope.by_files else FOLLOWED | {EdgeKind.OVERRIDES})
    graph = uses.graph()
    ranked = [
        (uses.nodes[node], score, graph.n_users(node))
        for node, score in graph.rank().items()
        if scope.by_files or isinstance(node, int)
    ]
    return sorted(ranked, key=lambda one: (-round(one[1], 12), *_place(one[0])))


def _outermost(uses: _ShownUses) -> dict[Node, Node]:
    """Map each definition to the outermost one around it that is no namespace."""
    places = {(one.path, one.name): node for node, one in uses.nodes.items()}
    whole: dict[Node, Node] = {}
    for node, one in uses.nodes.items():
        around = (places.get((one.path, scope)) for scope in scopes_around(one.name))
        owners = [outer for outer in around if outer is not None and _kind(uses.nodes[outer]) not in _NAMESPACES]
        whole[node] = owners[-1] if owners and isinstance(node, int) else node
    return whole


def _kind(one: GraphNode) -> str:
    return one.entity.kind if one.entity is not None else ""


def _read_uses(session: Session, scope: GraphScope, kinds: frozenset[EdgeKind]) -> _ShownUses:
    network, time_limit = network_of(session, with_tests=scope.with_tests), TimeLimit(scope.seconds)
    rows = {row.identity: row for row in time_limit.during(session.store.all_entities(session.view.number))}
    edges = [
        edge
        for edge in time_limit.during(network.all_edges())
        if edge.edge in kinds and not (isinstance(edge.used, int) and is_inside(edge, rows.get(edge.used)))
    ]
    paths: dict[Node, str] = {identity: row.path for identity, row in rows.items()}
    if scope.by_files:
        nodes = read_nodes(session.view, session.view.paths())
        edges = [edge._replace(user=edge.path, used=paths.get(edge.used, str(edge.used))) for edge in edges]
    else:
        tops = {node for edge in edges for node in (edge.user, edge.used) if isinstance(node, str)}
        nodes = read_nodes(session.view, tops)
        nodes.update((identity, node_of(row)) for identity, row in rows.items())
    if not scope.with_tests:
        nodes = {node: one for node, one in nodes.items() if not _is_test_code(one)}
    ordered = dict(sorted(nodes.items(), key=lambda item: _place(item[1])))
    return _ShownUses(ordered, _shown(edge for edge in edges if edge.user in nodes and edge.used in nodes))


def _shown(edges: Iterable[NetworkEdge]) -> dict[tuple[Node, Node], NetworkEdge]:
    """Return the preferred use of each pair."""
    shown: dict[tuple[Node, Node], NetworkEdge] = {}
    for edge in edges:
        if edge.user != edge.used:
            known = shown.get((edge.user, edge.used))
            if known is None or preference(edge) < preference(known):
                shown[edge.user, edge.used] = edge
    return shown


def _is_test_code(one: GraphNode) -> bool:
    entity = one.entity
    return is_test_code(one.path, entity.language if entity else "", entity.qualified_name if entity else "")


def _place(one: GraphNode) -> tuple[str, int, str]:
    return one.path, one.start_line, str(one.node)
