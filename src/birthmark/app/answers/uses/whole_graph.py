"""What is in cycles, what is central and what is connected, among all definitions of the index, or all its files."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from birthmark.app.answers.uses.graph_nodes import SECONDS, GraphNode, network_of, node_of, read_nodes
from birthmark.app.workspace.session import Session
from birthmark.graph.network import NetworkEdge, Node
from birthmark.graph.symbols import scopes_around
from birthmark.queries.impact import FOLLOWED, TimeLimit, is_inside, preference
from birthmark.queries.module_map import UseGraph
from birthmark.queries.test_code import is_test_code
from birthmark.vocabulary import EdgeKind

_NAMESPACES = frozenset({"mod", "namespace"})


class WholeGraphQuery(NamedTuple):
    """Whether files are asked about instead of definitions, and how long it may take."""

    by_files: bool = False
    with_tests: bool = True
    seconds: float = SECONDS


class GroupUse(NamedTuple):
    """A use between two nodes of a group, with its place."""

    user: GraphNode
    used: GraphNode
    step: NetworkEdge


class NodeGroup(NamedTuple):
    """Nodes that belong together, by their places; of a cycle also one way round."""

    nodes: list[GraphNode]
    cycle: list[GroupUse]


class GroupsAnswer(NamedTuple):
    """The groups, the largest first, and of how many nodes they were made."""

    groups: list[NodeGroup]
    n_nodes: int


class RankedNode(NamedTuple):
    """A node with its rank among all, and how many use it."""

    node: GraphNode
    score: float
    n_users: int


class RankAnswer(NamedTuple):
    """The nodes, the most central first."""

    ranked: list[RankedNode]


class _ShownUses(NamedTuple):
    """All nodes by their places, and the uses among them with the one that is shown for each pair."""

    nodes: dict[Node, GraphNode]
    shown: dict[tuple[Node, Node], NetworkEdge]

    def graph(self) -> UseGraph:
        return UseGraph(self.nodes, self.shown)


def find_cycles(session: Session, query: WholeGraphQuery) -> GroupsAnswer:
    """Definitions that use each other in a circle; of files also by their imports."""
    uses = _read_uses(session, query, frozenset(EdgeKind) if query.by_files else FOLLOWED)
    graph = uses.graph()
    groups = [NodeGroup(_named(uses, group), _way_round(uses, graph.shortest_cycle(group))) for group in graph.cycles()]
    return GroupsAnswer(groups, _count(uses.nodes, query))


def find_components(session: Session, query: WholeGraphQuery) -> GroupsAnswer:
    """What is connected by uses of any kind, also by the top level of a file.

    All that is inside of a definition is part of it.
    """
    kinds = frozenset(EdgeKind) - (frozenset() if query.by_files else {EdgeKind.IMPORTS})
    uses = _read_uses(session, query, kinds)
    whole = {node: node for node in uses.nodes} if query.by_files else _outermost(uses)
    graph = UseGraph(dict.fromkeys(whole.values()), ((whole[user], whole[used]) for user, used in uses.shown))
    found = [[node for node in group if query.by_files or isinstance(node, int)] for group in graph.components()]
    groups = [NodeGroup(_named(uses, group), []) for group in found if len(group) > 1]
    return GroupsAnswer(sorted(groups, key=lambda group: -len(group.nodes)), _count(graph.nodes, query))


def find_rank(session: Session, query: WholeGraphQuery) -> RankAnswer:
    """All nodes but the top levels of files, which nothing can use."""
    uses = _read_uses(session, query, frozenset(EdgeKind) if query.by_files else FOLLOWED | {EdgeKind.OVERRIDES})
    graph = uses.graph()
    ranked = [
        RankedNode(uses.nodes[node], score, graph.n_users(node))
        for node, score in graph.rank().items()
        if query.by_files or isinstance(node, int)
    ]
    return RankAnswer(sorted(ranked, key=lambda one: (-round(one.score, 12), *_place(one.node))))


def _named(uses: _ShownUses, group: Iterable[Node]) -> list[GraphNode]:
    return [uses.nodes[node] for node in group]


def _way_round(uses: _ShownUses, cycle: list[Node]) -> list[GroupUse]:
    steps = [uses.shown[pair] for pair in pairwise([*cycle, cycle[0]])]
    ends = [(uses.nodes[user], uses.nodes[used]) for user, used in pairwise([*cycle, cycle[0]])]
    return [GroupUse(*pair, step) for pair, step in zip(ends, steps, strict=True)]


def _outermost(uses: _ShownUses) -> dict[Node, Node]:
    """Of each definition the one that it is in, and that is in nothing but a namespace."""
    places = {(one.path, one.name): node for node, one in uses.nodes.items()}
    whole: dict[Node, Node] = {}
    for node, one in uses.nodes.items():
        around = (places.get((one.path, scope)) for scope in scopes_around(one.name))
        owners = [outer for outer in around if outer is not None and _kind(uses.nodes[outer]) not in _NAMESPACES]
        whole[node] = owners[-1] if owners and isinstance(node, int) else node
    return whole


def _kind(one: GraphNode) -> str:
    return one.entity.kind if one.entity is not None else ""


def _count(nodes: Iterable[Node], query: WholeGraphQuery) -> int:
    """Of the definitions, or of the files where they are asked about."""
    return sum(query.by_files or isinstance(node, int) for node in nodes)


def _read_uses(session: Session, query: WholeGraphQuery, kinds: frozenset[EdgeKind]) -> _ShownUses:
    network, time_limit = network_of(session, with_tests=query.with_tests), TimeLimit(query.seconds)
    rows = {row.identity: row for row in time_limit.during(session.store.all_entities(session.view.number))}
    edges = [
        edge
        for edge in time_limit.during(network.all_edges())
        if edge.edge in kinds and not (isinstance(edge.used, int) and is_inside(edge, rows.get(edge.used)))
    ]
    paths: dict[Node, str] = {identity: row.path for identity, row in rows.items()}
    if query.by_files:
        nodes = read_nodes(session.view, session.view.paths())
        edges = [edge._replace(user=edge.path, used=paths.get(edge.used, str(edge.used))) for edge in edges]
    else:
        tops = {node for edge in edges for node in (edge.user, edge.used) if isinstance(node, str)}
        nodes = read_nodes(session.view, tops)
        nodes.update((identity, node_of(row)) for identity, row in rows.items())
    if not query.with_tests:
        nodes = {node: one for node, one in nodes.items() if not _is_test_code(one)}
    ordered = dict(sorted(nodes.items(), key=lambda item: _place(item[1])))
    return _ShownUses(ordered, _shown(edge for edge in edges if edge.user in nodes and edge.used in nodes))


def _shown(edges: Iterable[NetworkEdge]) -> dict[tuple[Node, Node], NetworkEdge]:
    """The use that is preferred for each pair."""
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
