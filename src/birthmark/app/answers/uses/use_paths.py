"""How one thing comes to use another."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.app.answers.refs.indexed_refs import find_indexed
from birthmark.app.answers.uses.graph_nodes import SECONDS, GraphNode, read_nodes, steps_of
from birthmark.app.answers.uses.impact import changed_nodes
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError
from birthmark.graph.network import NetworkEdge
from birthmark.queries.impact import TimeLimit, find_shortest_path
from birthmark.queries.snapshot_view import IndexedEntity


class PathStep(NamedTuple):
    """A use, with both its ends."""

    user: GraphNode
    used: GraphNode
    step: NetworkEdge


class PathAnswer(NamedTuple):
    """Two entities, and the steps from one to the other; none where there is no way, or none in time."""

    start: IndexedEntity
    end: IndexedEntity
    steps: list[PathStep]
    is_in_time: bool
    has_way_back: bool  # from the end to the start, where there is none from the start to the end


def find_path(session: Session, start_ref: str, end_ref: str, seconds: float = SECONDS) -> PathAnswer:
    start, end = find_indexed(session, start_ref), find_indexed(session, end_ref)
    starts, ends = changed_nodes(session, start), changed_nodes(session, end)
    if starts & ends:
        outer, inner = (start, end) if end.identity in starts else (end, start)
        names = inner.entity.qualified_name, outer.entity.qualified_name
        raise BirthmarkError(f"{names[0]} is {'itself' if start == end else f'inside of {names[1]}'}; name two things")
    steps, time_limit = steps_of(session), TimeLimit(seconds)
    found = find_shortest_path(steps, starts, ends, time_limit)
    has_way_back = not found.steps and bool(find_shortest_path(steps, ends, starts, time_limit).steps)
    nodes = read_nodes(session.view, {node for step in found.steps for node in (step.user, step.used)})
    shown = [PathStep(nodes[step.user], nodes[step.used], step) for step in found.steps]
    return PathAnswer(start, end, shown, found.is_in_time, has_way_back)
