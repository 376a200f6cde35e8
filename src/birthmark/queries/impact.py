"""Find the users that may break when something changes, their users, and so on, with their distance.

Takes the nodes that change; gives the reached users, nearest first. `docs/explanation/graph-questions.md` says what
counts as a user and through what a change goes on. `find_shortest_path` agrees with it: if a user is n steps from a
node, a shortest path has n steps.

UseSteps takes one step along uses from a whole set of nodes. Two things are used without their name being written:
making an object of a class uses its constructor, and calling a method may use the methods that override it. Steps
include both: the `used` of a step is the node that it counts for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from time import monotonic
from typing import NamedTuple, Protocol, TypeVar

from birthmark.errors import BirthmarkError
from birthmark.graph.network import Network, NetworkEdge, Node
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.model import CLASS_LIKE
from birthmark.queries.test_code import is_test_code
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import EdgeKind, Resolution

# A change goes on from user to user along these. An import or an override concerns only the changed definition itself:
# it depends on its name and its parameters, not on its behaviour.
FOLLOWED = frozenset(EdgeKind) - {EdgeKind.IMPORTS, EdgeKind.EXPORTS, EdgeKind.OVERRIDES}
_ALL = frozenset(EdgeKind)
_CONSTRUCTS = frozenset({EdgeKind.CALLS, EdgeKind.READS, EdgeKind.INHERITS})
_DISPATCHES = frozenset({EdgeKind.CALLS, EdgeKind.READS})
_CERTAINTY = {resolution: rank for rank, resolution in enumerate(Resolution)}
_KIND_ORDER = {kind: rank for rank, kind in enumerate(EdgeKind)}
_ROWS_AT_ONCE = 10_000
T = TypeVar("T")
_OFTEN = 4096  # values between two looks at the clock
_FEW = 200  # nodes that are checked for users beyond the depth
_AT_ONCE = 2000  # nodes whose users are asked for before the clock is looked at


class Definitions(Protocol):
    """The definitions of a snapshot."""

    def definitions(self, identities: Collection[int]) -> Mapping[int, Definition]:
        """Return definitions by identity."""

    def inside(self, path: str) -> Sequence[Definition]:
        """Return all definitions of a file in source order."""


class UseSteps:
    """Steps over a network and the definitions in it."""

    def __init__(self, network: Network, snapshot: Definitions) -> None:
        self.network, self.snapshot = network, snapshot

    def to_users(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        """Yield all uses of the nodes."""
        asked: dict[Node, list[tuple[Node, frozenset[EdgeKind]]]] = {node: [(node, _ALL)] for node in nodes}
        constructors = self._constructors(nodes)
        for constructor, class_ in constructors.items():
            asked.setdefault(class_, []).append((constructor, _CONSTRUCTS))
        for edge in self.network.used_by([node for node in nodes if isinstance(node, int)]):
            if edge.edge is EdgeKind.OVERRIDES and edge.user not in constructors:
                asked.setdefault(edge.used, []).append((edge.user, _DISPATCHES))
        edges = self._from_outside(self.network.users_of(asked))
        overriding = _overriding(edges)
        for edge in edges:
            for node, kinds in asked[edge.used]:
                if edge.edge in kinds and (kinds is not _DISPATCHES or (edge.user, edge.used) not in overriding):
                    yield _step(edge, node, is_dispatched=kinds is _DISPATCHES)

    def to_used(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        """Yield all that the nodes use."""
        edges = self._from_outside(self.network.used_by(nodes))
        constructors = self._constructors_of({edge.used for edge in edges if edge.edge in _CONSTRUCTS})
        overriding = _overriding(self.network.users_of({edge.used for edge in edges if edge.edge in _DISPATCHES}))
        methods = self._methods_over(overriding)
        for edge in edges:
            yield _step(edge, edge.used)
            if edge.edge in _CONSTRUCTS:
                yield from (_step(edge, one) for one in constructors.get(edge.used, ()))
            if edge.edge in _DISPATCHES and (edge.user, edge.used) not in overriding:
                yield from (_step(edge, one, is_dispatched=True) for one in methods.get(edge.used, ()))

    def _from_outside(self, edges: Iterable[NetworkEdge]) -> list[NetworkEdge]:
        """Return edges without those inside the used definition, as from a method's decorator in its class."""
        found = [*edges]
        used = self.snapshot.definitions({edge.used for edge in found if isinstance(edge.used, int)})
        return [
            edge for edge in found if not is_inside(edge, used.get(edge.used) if isinstance(edge.used, int) else None)
        ]

    def _constructors(self, nodes: Iterable[Node]) -> dict[Node, Node]:
        """Return the constructors among nodes, with their classes."""
        known = self.snapshot.definitions([node for node in nodes if isinstance(node, int)])
        found: dict[Node, Node] = {}
        for definition in known.values():
            class_ = self._class_of(definition) if definition.kind == "constructor" else None
            if class_ is not None:
                found[definition.identity] = class_.identity
        return found

    def _class_of(self, constructor: Definition) -> Definition | None:
        around = (one for one in self.snapshot.inside(constructor.path) if one.kind in CLASS_LIKE)
        own = [one for one in around if one.qualified_name == constructor.parent and _contains(one, constructor)]
        return own[-1] if own else None

    def _constructors_of(self, nodes: Iterable[Node]) -> dict[Node, list[Node]]:
        known = self.snapshot.definitions([node for node in nodes if isinstance(node, int)])
        found: dict[Node, list[Node]] = {}
        for path in {one.path for one in known.values() if one.kind in CLASS_LIKE}:
            inside = self.snapshot.inside(path)
            for constructor, class_ in self._constructors([one.identity for one in inside]).items():
                found.setdefault(class_, []).append(constructor)
        return found

    def _methods_over(self, overriding: Collection[tuple[Node, Node]]) -> dict[Node, list[Node]]:
        """Return overriding methods by what they override; constructors are left out, as their class is known."""
        constructors = self._constructors({user for user, _ in overriding})
        found: dict[Node, list[Node]] = {}
        for user, used in overriding:
            if user not in constructors:
                found.setdefault(used, []).append(user)
        return found


def _overriding(edges: Iterable[NetworkEdge]) -> set[tuple[Node, Node]]:
    """Return methods with what they override; calls of that name within them mean the base's own method."""
    return {(edge.user, edge.used) for edge in edges if edge.edge is EdgeKind.OVERRIDES}


def with_members(definition: Definition, inside: Iterable[Definition]) -> set[Node]:
    """Return a definition and everything inside of it."""
    name = definition.qualified_name
    return {one.identity for one in inside if name in scopes_around(one.qualified_name) and _contains(definition, one)}


def is_inside(edge: NetworkEdge, place: Definition | SnapshotEntity | None) -> bool:
    """Return True if an edge starts inside a definition."""
    return place is not None and edge.path == place.path and place.start_line <= edge.line <= place.end_line


def _contains(outer: Definition, inner: Definition) -> bool:
    return outer.start_line <= inner.start_line and inner.end_line <= outer.end_line


def _step(edge: NetworkEdge, used: Node, *, is_dispatched: bool = False) -> NetworkEdge:
    if not is_dispatched:
        return edge._replace(used=used)
    resolution = max(edge.resolution, Resolution.DISPATCH, key=_CERTAINTY.__getitem__)
    return edge._replace(used=used, resolution=resolution)


def preference(step: NetworkEdge) -> tuple[int, int, str, int, str, str]:
    """Return a sort key of steps: the surest first, then by kind and place."""
    return (
        _CERTAINTY[step.resolution],
        _KIND_ORDER[step.edge],
        step.path,
        step.line,
        str(step.used),
        str(step.user),
    )


class NetworkWithoutTests:
    """Another network without the edges that start in the code of tests."""

    def __init__(self, network: Network, snapshot: Definitions) -> None:
        self.network, self.snapshot = network, snapshot

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.users_of(nodes))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.used_by(nodes))

    def all_edges(self) -> Iterator[NetworkEdge]:
        return self._kept(self.network.all_edges())

    def possible_users_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return self._kept(self.network.possible_users_of(identities))

    def calls_of(self, definition: Definition) -> Iterator[NetworkEdge]:
        return self._kept(self.network.calls_of(definition))

    def _kept(self, edges: Iterable[NetworkEdge]) -> Iterator[NetworkEdge]:
        rest = iter(edges)
        while some := [*islice(rest, _ROWS_AT_ONCE)]:
            users = self.snapshot.definitions({edge.user for edge in some if isinstance(edge.user, int)})
            for edge in some:
                user = users.get(edge.user) if isinstance(edge.user, int) else None
                if not is_test_code(edge.path, user.language if user else "", user.qualified_name if user else ""):
                    yield edge


class TimeLimit:
    """A time limit that starts when it is made; tests may pass another clock."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.seconds, self._clock = seconds, clock
        self._end = clock() + seconds

    @property
    def is_over(self) -> bool:
        return self._clock() > self._end

    def during(self, values: Iterable[T]) -> Iterator[T]:
        """Yield the values, for an answer that needs all of them; raise an error if the time is over before."""
        for number, value in enumerate(values):
            if number % _OFTEN == 0 and self.is_over:
                raise BirthmarkError(f"no answer within {self.seconds:g} s; allow more with --timeout")
            yield value


class Impact(NamedTuple):
    """The users that are reached, nearest first; incomplete for want of depth, of rows or of time."""

    reached: list[tuple[int, NetworkEdge]]  # the distance of a user, and the step that reaches it
    is_complete: bool
    is_in_time: bool


def find_impact(steps: UseSteps, changed: Collection[Node], deepest: int, most: int, time_limit: TimeLimit) -> Impact:
    """Return the users down to a depth, up to a number of them."""
    reached: dict[Node, tuple[int, NetworkEdge]] = {}
    followed: set[Node] = set(changed)
    frontier, depth = [*changed], 0
    while frontier and depth < deepest and len(reached) <= most and not time_limit.is_over:
        depth += 1
        found = _users(steps, frontier, followed, time_limit)
        listed = listed_uses(found) if depth == 1 else [step for step in found if step.edge in FOLLOWED]
        for step in sorted(_best(listed).values(), key=_by_site):
            reached.setdefault(step.user, (depth, step))
        # The top level of a file is a user, and has none: its definitions are nodes of their own.
        frontier = sorted({step.user for step in found if step.edge in FOLLOWED and isinstance(step.user, int)})
        followed.update(frontier)
    is_in_time = not time_limit.is_over
    is_complete = len(reached) <= most and _is_end(steps, frontier, followed, time_limit)
    return Impact([*reached.values()][:most], is_complete and is_in_time, is_in_time)


def _is_end(steps: UseSteps, frontier: list[Node], followed: set[Node], time_limit: TimeLimit) -> bool:
    """Return True if nothing is beyond the depth; if there are many nodes, that is not looked up."""
    return len(frontier) <= _FEW and not any(
        step.edge in FOLLOWED for step in _users(steps, frontier, followed, time_limit)
    )


def _users(steps: UseSteps, frontier: list[Node], followed: set[Node], time_limit: TimeLimit) -> list[NetworkEdge]:
    """Return steps to users that were not followed yet."""
    found: list[NetworkEdge] = []
    for start in range(0, len(frontier), _AT_ONCE):
        if not time_limit.is_over:
            found += (step for step in steps.to_users(frontier[start : start + _AT_ONCE]) if step.user not in followed)
    return found


def listed_uses(found: list[NetworkEdge]) -> list[NetworkEdge]:
    """Return uses without imports in files that have another use."""
    used_in = {step.path for step in found if step.edge is not EdgeKind.IMPORTS}
    return [step for step in found if step.edge is not EdgeKind.IMPORTS or step.path not in used_in]


def _best(steps: Iterable[NetworkEdge]) -> dict[Node, NetworkEdge]:
    """Return the step to show for each user."""
    best: dict[Node, NetworkEdge] = {}
    for step in steps:
        if step.user not in best or preference(step) < preference(best[step.user]):
            best[step.user] = step
    return best


def _by_site(step: NetworkEdge) -> tuple[str, int, str]:
    return step.path, step.line, str(step.user)


def find_shortest_path(
    steps: UseSteps, starts: Collection[Node], ends: Collection[Node], time_limit: TimeLimit
) -> tuple[list[NetworkEdge], bool]:
    """Return a shortest path from any start to any end and True, or no steps and False if the time is over.

    Of several of one length, it is the one with the surest last steps.
    """
    came_by: dict[Node, NetworkEdge | None] = dict.fromkeys(starts)
    frontier = sorted(starts, key=str)
    while frontier and not time_limit.is_over:
        # As with impact: an importer or override of something is its user, but not that of what it uses.
        is_first = frontier[0] in starts
        found = sorted((step for step in steps.to_used(frontier) if is_first or step.edge in FOLLOWED), key=preference)
        last = next((step for step in found if step.used in ends), None)
        if last is not None:
            return _way(came_by, last), True
        frontier = []
        for step in found:
            if step.edge in FOLLOWED and isinstance(step.used, int) and step.used not in came_by:
                came_by[step.used] = step
                frontier.append(step.used)
    return [], not time_limit.is_over


def _way(came_by: dict[Node, NetworkEdge | None], last: NetworkEdge) -> list[NetworkEdge]:
    way = [last]
    while (before := came_by[way[-1].user]) is not None:
        way.append(before)
    return way[::-1]
