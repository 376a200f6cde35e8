"""The shortest way from one thing to another along uses.

It agrees with `impact`: there is a way of n steps to what a user is reached from in n steps.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from birthmark.graph.network import NetworkEdge, Node
from birthmark.queries.graph_questions.time_limit import TimeLimit
from birthmark.queries.graph_questions.use_steps import FOLLOWED, UseSteps, preference


class UsePath(NamedTuple):
    """The steps of a way, none if there is none; whether all was looked at that there is."""

    steps: list[NetworkEdge]
    is_in_time: bool


def find_shortest_path(
    steps: UseSteps, starts: Collection[Node], ends: Collection[Node], time_limit: TimeLimit
) -> UsePath:
    """From any of the starts to any of the ends; of several of one length the one with the surest last steps."""
    came_by: dict[Node, NetworkEdge | None] = dict.fromkeys(starts)
    frontier = sorted(starts, key=str)
    while frontier and not time_limit.is_over:
        # As with impact: what imports or overrides something is its user, but not that of what that uses.
        is_first = frontier[0] in starts
        found = sorted((step for step in steps.to_used(frontier) if is_first or step.edge in FOLLOWED), key=preference)
        last = next((step for step in found if step.used in ends), None)
        if last is not None:
            return UsePath(_way(came_by, last), True)
        frontier = []
        for step in found:
            if step.edge in FOLLOWED and isinstance(step.used, int) and step.used not in came_by:
                came_by[step.used] = step
                frontier.append(step.used)
    return UsePath([], not time_limit.is_over)


def _way(came_by: dict[Node, NetworkEdge | None], last: NetworkEdge) -> list[NetworkEdge]:
    way = [last]
    while (before := came_by[way[-1].user]) is not None:
        way.append(before)
    return way[::-1]
