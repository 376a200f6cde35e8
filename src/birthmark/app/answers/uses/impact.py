"""What may break when what a REF names is changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.app.answers.refs.indexed_refs import find_indexed
from birthmark.app.answers.uses.graph_nodes import SECONDS, GraphNode, read_nodes, steps_of
from birthmark.app.workspace.session import Session
from birthmark.graph.network import NetworkEdge, Node
from birthmark.queries.impact import TimeLimit, find_impact, with_members
from birthmark.queries.snapshot_view import IndexedEntity

DEEPEST = 5  # steps that are gone, unless others are asked for
MOST = 200  # users that are listed


class ImpactQuery(NamedTuple):
    """How far and how long to look."""

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
    others: Sequence[ImpactElsewhere] = ()


def find_impacted(session: Session, ref: str, query: ImpactQuery) -> ImpactAnswer:
    indexed = find_indexed(session, ref)
    changed = changed_nodes(session, indexed)
    steps = steps_of(session, with_tests=query.with_tests)
    impact = find_impact(steps, changed, query.deepest, query.most, TimeLimit(query.seconds))
    nodes = read_nodes(session.view, {node for one in impact.reached for node in (one.node, one.step.used)})
    users = [
        ImpactUser(nodes[one.node], one.depth, one.step, nodes[one.step.used])
        for one in impact.reached
        if one.node in nodes and one.step.used in nodes
    ]
    possible = steps.network.possible_users_of([node for node in changed if isinstance(node, int)])
    sites = {(edge.path, edge.line) for edge in possible if edge.user not in changed}
    return ImpactAnswer(indexed, users, impact.is_complete, impact.is_in_time, len(sites))


def changed_nodes(session: Session, indexed: IndexedEntity) -> set[Node]:
    """An entity with its members."""
    definition = session.definition(indexed)
    return with_members(definition, session.graph.inside(definition.path))
