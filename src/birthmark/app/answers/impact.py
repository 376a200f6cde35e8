"""Find what may break when a definition is changed, and how one definition comes to use another."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import NamedTuple

from birthmark.app.answers.graph_nodes import (
    SECONDS,
    GraphNode,
    entity_or_null,
    hold_entities,
    read_nodes,
    steps_of,
    use_document,
)
from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.answers.listing import count_files
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.parts import SiteDocument
from birthmark.documents.uses import ImpactDocument, ImpactUserDocument, PathDocument
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


def find_impacted(session: Session, ref: str, query: ImpactQuery) -> tuple[ImpactDocument, dict[Node, int]]:
    """Return the users, and the depths at which nodes were reached: 0 for the entity and its members."""
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
    entities = hold_entities(session, (user.node for user in (*users, *possible_users)))
    document = ImpactDocument(
        indexed_entity_document(indexed),
        [impact_user(user, entities) for user in users],
        impact.is_complete,
        impact.is_in_time,
        n_possible,
        count_files(session),
        freshness_document(session.freshness),
        possible_users=tuple(impact_user(user, entities) for user in possible_users),
    )
    return document, dict.fromkeys(changed, 0) | {user.node.node: user.depth for user in users}


def impact_user(
    user: ImpactUser, entities: Mapping[int, IndexedEntity], repository: str | None = None
) -> ImpactUserDocument:
    step, used = user.step, user.used.entity
    assert used is not None, "only definitions are followed"
    return ImpactUserDocument(
        entity_or_null(user.node, entities),
        step.edge,
        user.depth,
        step.resolution,
        step.n_candidates,
        SiteDocument(step.path, step.line),
        user.node.is_test,
        used.mark,
        used.qualified_name,
        repository,
    )


def changed_nodes(session: Session, indexed: IndexedEntity) -> set[Node]:
    """Return an entity with its members."""
    definition = session.definition(indexed)
    return with_members(definition, session.graph.inside(definition.path))


def find_path(session: Session, start_ref: str, end_ref: str, seconds: float = SECONDS) -> PathDocument:
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
    entities = hold_entities(session, nodes.values())
    return PathDocument(
        indexed_entity_document(start),
        indexed_entity_document(end),
        [use_document(nodes[step.user], nodes[step.used], step, entities) for step in way],
        is_in_time,
        has_way_back,
        freshness_document(session.freshness),
    )
