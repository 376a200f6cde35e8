"""Find the users that may break when something changes, their users, and so on, with their distance.

Takes the nodes that change; gives what is reached, nearest first. `docs/explanation/graph-questions.md` says what
counts as a user and what a change goes on through. `find_shortest_path` agrees with it: there is a way of n steps to
what a user is reached from in n steps.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from birthmark.graph.network import NetworkEdge, Node
from birthmark.queries.graph_questions.use_steps import FOLLOWED, TimeLimit, UseSteps, preference
from birthmark.vocabulary import EdgeKind

_FEW = 200  # nodes of which it is looked whether they have users beyond the depth
_AT_ONCE = 2000  # nodes whose users are asked for before the clock is looked at


class ReachedUser(NamedTuple):
    """A user, how many steps away it is, and the step that reaches it; `step.used` is one step nearer."""

    node: Node
    depth: int
    step: NetworkEdge


class Impact(NamedTuple):
    """What is reached, nearest first. It may be incomplete, for want of depth, of rows or of time."""

    reached: list[ReachedUser]
    is_complete: bool
    is_in_time: bool


def find_impact(steps: UseSteps, changed: Collection[Node], deepest: int, most: int, time_limit: TimeLimit) -> Impact:
    """Down to a depth, and of at most so many users."""
    reached: dict[Node, ReachedUser] = {}
    followed: set[Node] = set(changed)
    frontier, depth = [*changed], 0
    while frontier and depth < deepest and len(reached) <= most and not time_limit.is_over:
        depth += 1
        found = _users(steps, frontier, followed, time_limit)
        listed = listed_uses(found) if depth == 1 else [step for step in found if step.edge in FOLLOWED]
        for step in sorted(_best(listed).values(), key=_by_site):
            reached.setdefault(step.user, ReachedUser(step.user, depth, step))
        # The top level of a file is a user, and has none: what it defines is asked for by name.
        frontier = sorted({step.user for step in found if step.edge in FOLLOWED and isinstance(step.user, int)})
        followed.update(frontier)
    is_in_time = not time_limit.is_over
    is_complete = len(reached) <= most and _is_end(steps, frontier, followed, time_limit)
    return Impact([*reached.values()][:most], is_complete and is_in_time, is_in_time)


def _is_end(steps: UseSteps, frontier: list[Node], followed: set[Node], time_limit: TimeLimit) -> bool:
    """Return whether there is nothing beyond the depth; of many it is not looked for."""
    return len(frontier) <= _FEW and not any(
        step.edge in FOLLOWED for step in _users(steps, frontier, followed, time_limit)
    )


def _users(steps: UseSteps, frontier: list[Node], followed: set[Node], time_limit: TimeLimit) -> list[NetworkEdge]:
    """Those that were not gone on from already; what changes itself is none."""
    found: list[NetworkEdge] = []
    for start in range(0, len(frontier), _AT_ONCE):
        if not time_limit.is_over:
            found += (step for step in steps.to_users(frontier[start : start + _AT_ONCE]) if step.user not in followed)
    return found


def listed_uses(found: list[NetworkEdge]) -> list[NetworkEdge]:
    """Of what uses it directly: an import goes without saying where the file has another use."""
    used_in = {step.path for step in found if step.edge is not EdgeKind.IMPORTS}
    return [step for step in found if step.edge is not EdgeKind.IMPORTS or step.path not in used_in]


def _best(steps: Iterable[NetworkEdge]) -> dict[Node, NetworkEdge]:
    """For each user the step that is shown."""
    best: dict[Node, NetworkEdge] = {}
    for step in steps:
        if step.user not in best or preference(step) < preference(best[step.user]):
            best[step.user] = step
    return best


def _by_site(step: NetworkEdge) -> tuple[str, int, str]:
    return step.path, step.line, str(step.user)


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
