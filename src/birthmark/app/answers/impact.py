"""Find what may break when a definition is changed, and how one definition comes to use another."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from birthmark.app.answers.graph_nodes import SECONDS, GraphNode, read_nodes, steps_of
from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError
from birthmark.graph.network import NetworkEdge, Node
from birthmark.queries.impact import TimeLimit, find_impact, find_shortest_path, with_members
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.vocabulary import EdgeKind

DEEPEST = 5  # steps, by default
MOST = 200  # users
_MOST_POSSIBLE = 100


class ImpactQuery(NamedTuple):
    """Limits of the search."""

    deepest: int = DEEPEST
    most: int = MOST
    with_tests: bool = True
    seconds: float = SECONDS


class ImpactUser(NamedTuple):
    """A user, how far away it is, and the use by which it is reached; `used` is one step nearer."""

    node: GraphNode
    depth: int
    step: NetworkEdge
    used: GraphNode


class ImpactElsewhere(NamedTuple):
    """The users in another repository, nearest first, and the entities among them in full."""

    repository: str
    users: list[ImpactUser]
    entities: dict[int, IndexedEntity]


class ImpactAnswer(NamedTuple):
    """An entity with its users, nearest first: in its repository, then in others."""

    indexed: IndexedEntity
    users: list[ImpactUser]
    is_complete: bool
    is_in_time: bool
    n_possible: int  # uses by name elsewhere that may mean it, and are not followed
    possible_users: list[ImpactUser]  # the first of those who have these uses
    others: Sequence[ImpactElsewhere] = ()


def find_impacted(session: Session, ref: str, query: ImpactQuery) -> ImpactAnswer:
    indexed = find_indexed(session, ref)
    changed = changed_nodes(session, indexed)
    steps = steps_of(session, with_tests=query.with_tests)
    impact = find_impact(steps, changed, query.deepest, query.most, TimeLimit(query.seconds))
    possible = steps.network.possible_users_of([node for node in changed if isinstance(node, int)])
    elsewhere = [edge for edge in possible if edge.user not in changed and edge.edge is not EdgeKind.IMPORTS]
    reached = {step.user for _, step in impact.reached}
    by_user = {edge.user: edge for edge in reversed(elsewhere) if edge.user not in reached}
    first = sorted(by_user.values(), key=attrgetter("path", "line"))[:_MOST_POSSIBLE]
    ends = (node for step in (*(step for _, step in impact.reached), *first) for node in (step.user, step.used))
    nodes = read_nodes(session.view, {*ends})
    users = [
        ImpactUser(nodes[step.user], depth, step, nodes[step.used])
        for depth, step in impact.reached
        if step.user in nodes and step.used in nodes
    ]
    possible_users = [ImpactUser(nodes[edge.user], 1, edge, nodes[edge.used]) for edge in first if edge.user in nodes]
    n_possible = len({(edge.path, edge.line) for edge in elsewhere})
    return ImpactAnswer(indexed, users, impact.is_complete, impact.is_in_time, n_possible, possible_users)


def changed_nodes(session: Session, indexed: IndexedEntity) -> set[Node]:
    """Return an entity with its members."""
    definition = session.definition(indexed)
    return with_members(definition, session.graph.inside(definition.path))


class UsePath(NamedTuple):
    """Two entities, and the uses that lead from one to the other: none where there is no way, or none in time."""

    start: IndexedEntity
    end: IndexedEntity
    uses: list[tuple[GraphNode, GraphNode, NetworkEdge]]  # a user, what it uses, and where
    is_in_time: bool
    has_way_back: bool  # from the end to the start, where there is none from the start to the end


def find_path(session: Session, start_ref: str, end_ref: str, seconds: float = SECONDS) -> UsePath:
    start, end = find_indexed(session, start_ref), find_indexed(session, end_ref)
    starts, ends = changed_nodes(session, start), changed_nodes(session, end)
    if starts & ends:
        outer, inner = (start, end) if end.identity in starts else (end, start)
        names = inner.entity.qualified_name, outer.entity.qualified_name
        raise BirthmarkError(f"{names[0]} is {'itself' if start == end else f'inside of {names[1]}'}; name two things")
    steps, time_limit = steps_of(session), TimeLimit(seconds)
    way, is_in_time = find_shortest_path(steps, starts, ends, time_limit)
    has_way_back = not way and bool(find_shortest_path(steps, ends, starts, time_limit)[0])
    nodes = read_nodes(session.view, {node for step in way for node in (step.user, step.used)})
    uses = [(nodes[step.user], nodes[step.used], step) for step in way]
    return UsePath(start, end, uses, is_in_time, has_way_back)
