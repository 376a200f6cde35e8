"""The impact of a change on other repositories of a database.

From what is reached in one repository the search goes on to those that depend on its packages, also on ones that pass
it on, and there as far as uses go. A repository is entered along each way that leads to it, though never from itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.app.answers.graph_nodes import GraphNode, node_of, read_nodes
from birthmark.app.answers.impact import ImpactQuery, ImpactUser, impact_user
from birthmark.documents.uses import ImpactDocument
from birthmark.graph.edges import ALL_USES, Edge
from birthmark.graph.manifests.package import Package
from birthmark.graph.network import NetworkEdge, Node
from birthmark.graph.symbols import Definition
from birthmark.queries.impact import FOLLOWED, TimeLimit, UseSteps, find_impact, listed_uses
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.stored_network import ProvidedDefinitions, Sought
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.server.across.uses import Arrival, follow
from birthmark.vocabulary import Resolution


class _Reached(NamedTuple):
    """Definitions of a repository with their depths, and what is known of it."""

    provided: ProvidedDefinitions
    nodes: Mapping[int, GraphNode]
    depths: Mapping[int, int]


def add_impact(
    others: OtherRepositories, own: ImpactDocument, reached: Mapping[Node, int], query: ImpactQuery
) -> ImpactDocument:
    session, search = others.session, _ImpactSearch(others, query)
    depths = {node: depth for node, depth in reached.items() if isinstance(node, int)}
    rows = session.store.entities_of(session.view.number, depths)
    provided = ProvidedDefinitions(session.graph, session.store.packages())
    search.spread(_Reached(provided, {row.identity: node_of(row) for row in rows}, depths), frozenset())
    is_in_time = own.in_time and not search.time_limit.is_over
    is_complete = own.complete and is_in_time and not search.is_cut
    elsewhere = [
        impact_user(user, search.held[name], name) for name in sorted(search.found) for user in search.found[name]
    ]
    return replace(own, results=[*own.results, *elsewhere], in_time=is_in_time, complete=is_complete)


class _ImpactSearch:
    """Goes from repository to repository; what is found is kept by their names."""

    def __init__(self, others: OtherRepositories, query: ImpactQuery) -> None:
        self.others, self.query = others, query
        self.time_limit = TimeLimit(query.seconds)
        self.found: dict[str, list[ImpactUser]] = {}  # nearest first
        self.held: dict[str, dict[int, IndexedEntity]] = {}  # the entities among them in full
        self.is_cut = False

    def spread(self, reached: _Reached, above: frozenset[str]) -> None:
        """On to the repositories that depend on one; `above` are those on the way to it."""
        targets = [*reached.provided.graph.definitions(reached.depths).values()]
        near = [one for one in targets if reached.depths[one.identity] < self.query.deepest]
        self.is_cut = self.is_cut or len(near) < len(targets)
        for arrival in self._follow(reached.provided, near, above):
            if self.time_limit.is_over:
                return
            other = arrival.other
            new = self._add(other, self._users_in(arrival, reached))
            if new:
                nodes = {user.node.node: user.node for user in new if isinstance(user.node.node, int)}
                depths = {user.node.node: user.depth for user in new if isinstance(user.node.node, int)}
                provided = ProvidedDefinitions(other.graph, other.store.packages())
                self.spread(_Reached(provided, nodes, depths), above | {other.name})

    def _follow(
        self, provided: ProvidedDefinitions, near: Iterable[Definition], above: frozenset[str]
    ) -> Iterator[Arrival]:
        """By each package, with what is in it."""
        packages = [(one, package) for one in near for package in provided.packages_of(one)]
        by_package: dict[Package, list[Sought]] = {}
        for one, package in packages:
            by_package.setdefault(package, []).append(provided.seek(one))
        for package, sought in by_package.items():
            yield from follow(self.others, provided.passage(package), sought, above)

    def _users_in(self, arrival: Arrival, reached: _Reached) -> list[ImpactUser]:
        """Across the border first, then along the uses in that repository."""
        other, direct = arrival.other, _without_mere_imports(self._direct(arrival, reached))
        best: dict[Node, ImpactUser] = {}
        for user in direct:
            best.setdefault(user.node.node, user)
        followed = {node: user for node, user in best.items() if user.step.edge in FOLLOWED and isinstance(node, int)}
        for depth in sorted({user.depth for user in followed.values()}):
            starts = [node for node, user in followed.items() if user.depth == depth]
            for user in self._further(other, starts, depth):
                best.setdefault(user.node.node, user)
        return [user for user in best.values() if self.query.with_tests or not user.node.is_test]

    def _direct(self, arrival: Arrival, reached: _Reached) -> Iterator[ImpactUser]:
        """Yield the direct users. Uses that only match by name are not followed, as within a repository."""
        edges = [(one.target, edge) for one in arrival.referred() for edge in arrival.uses_of(one, ALL_USES)]
        found = [(target, edge) for target, edge in edges if edge.resolution is not Resolution.NAME]
        nodes = read_nodes(arrival.other.view, {_user_of(edge) for _, edge in found})
        for target, edge in found:
            depth, node = reached.depths[target.identity] + 1, nodes.get(_user_of(edge))
            if node is not None and (edge.edge in FOLLOWED or depth == 1):
                site = edge.source_path, edge.line
                step = NetworkEdge(node.node, target.identity, edge.edge, edge.resolution, *site)
                yield ImpactUser(node, depth, step, reached.nodes[target.identity])

    def _further(self, other: OtherRepository, starts: Sequence[Node], depth: int) -> Iterator[ImpactUser]:
        steps, deepest = UseSteps(other.network, other.graph), self.query.deepest - depth
        impact = find_impact(steps, starts, deepest, self.query.most, self.time_limit)
        self.is_cut = self.is_cut or not impact.is_complete
        wanted = {node for _, step in impact.reached for node in (step.user, step.used)}
        nodes = read_nodes(other.view, wanted)
        for distance, step in impact.reached:
            if step.edge in FOLLOWED and step.user in nodes and step.used in nodes:
                yield ImpactUser(nodes[step.user], distance + depth, step, nodes[step.used])

    def _add(self, other: OtherRepository, users: list[ImpactUser]) -> list[ImpactUser]:
        """Those that were not known yet, as long as there is room."""
        known = self.found.get(other.name, [])
        seen = {user.node.node for user in known}
        room = self.query.most - sum(map(len, self.found.values()))
        new = [user for user in users if user.node.node not in seen]
        self.is_cut = self.is_cut or len(new) > room
        new = new[: max(room, 0)]
        if new:
            held = other.hold(user.node.entity.identity for user in new if user.node.entity is not None)
            listed = sorted([*known, *new], key=lambda user: (user.depth, user.step.path, user.step.line))
            self.found[other.name] = listed
            self.held[other.name] = self.held.get(other.name, {}) | held
        return new


def _without_mere_imports(users: Iterable[ImpactUser]) -> list[ImpactUser]:
    """By depth; an import goes without saying where the file has another use."""
    found = sorted(users, key=lambda user: user.depth)
    listed = {id(step) for step in listed_uses([user.step for user in found])}
    return [user for user in found if id(user.step) in listed]


def _user_of(edge: Edge) -> Node:
    return edge.source_path if edge.source is None else edge.source.identity
