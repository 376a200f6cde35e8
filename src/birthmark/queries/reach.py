"""Find what reaches a definition or a file: users, users of these and so on, up to where tests begin.

Takes the start and rules that go one step further; gives a step for each reached node, nearest first. `reach_of` counts
the tests that reach a definition by its uses. Unlike for the choice of tests to run, a test that merely imports a file
does not count: it says nothing about the code in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from birthmark.graph.network import Node
from birthmark.vocabulary import ReachWord, Resolution

MOST_STEPS = 6
_NO_USE = frozenset({ReachWord.IMPORTS, ReachWord.UNKNOWN_USERS, ReachWord.BELOW})


class ReachStep(NamedTuple):
    """The relation of a node to one that is a step nearer to the start, and the place that shows it."""

    node: Node
    nearer: Node
    word: ReachWord
    resolution: Resolution | None
    path: str
    line: int


StepsFrom = Mapping[Node, Sequence[ReachStep]]
MANY = 1 << 30  # steps
Rule = Callable[[Collection[Node]], Iterable[ReachStep]]
Reached = Mapping[Node, ReachStep | None]


def find_reaching(
    start: Iterable[Node], rules: Sequence[Rule], is_end: Callable[[Node], bool], most_steps: int = MANY
) -> Reached:
    """Return everything that reaches the start, in the order of distance; nothing is looked for beyond an end.

    Of several steps to a node, that of the first rule is kept, and of this rule the first in source order.
    """
    reached: dict[Node, ReachStep | None] = dict.fromkeys(sorted(start, key=str))
    frontier = [node for node in reached if not is_end(node)]
    for _ in range(most_steps):
        if not frontier:
            break
        fresh: list[Node] = []
        for rule in rules:
            found = _first_steps(rule(frontier), reached)
            reached |= found
            fresh += found
        frontier = [node for node in fresh if not is_end(node)]
    return reached


def _first_steps(steps: Iterable[ReachStep], reached: Reached) -> dict[Node, ReachStep]:
    """Return a step to each node that is not reached yet, in the order of the places."""
    found: dict[Node, ReachStep] = {}
    for step in steps:
        node = step.node
        if node not in reached:
            known = found.get(node)
            if known is None or (step.path, step.line) < (known.path, known.line):
                found[node] = step
    return dict(sorted(found.items(), key=_order))


def way_from(reached: Reached, node: Node) -> list[ReachStep]:
    """Return the steps from a node to the start; none for the start itself."""
    steps = []
    step = reached[node]
    while step is not None:
        steps.append(step)
        step = reached[step.nearer]
    return steps


def _order(item: tuple[Node, ReachStep]) -> tuple[str, int, str]:
    node, step = item
    return step.path, step.line, str(node)


class ReachCount(NamedTuple):
    """The number of tests that reach something, and the steps of the nearest; None if not known."""

    n_tests: int | None
    n_steps: int | None


NOT_ASKED = ReachCount(None, None)


def record_steps(nodes: Collection[Node], rules: Sequence[Rule], is_test: Callable[[Node], bool]) -> StepsFrom:
    """Return all uses within some steps of any of the nodes, each looked up once."""
    steps: dict[Node, list[ReachStep]] = {}
    find_reaching(nodes, [recording(rule, steps, _NO_USE) for rule in rules], is_test, MOST_STEPS)
    return steps


def recording(rule: Rule, steps: dict[Node, list[ReachStep]], left_out: Collection[ReachWord] = ()) -> Rule:
    """Return a rule that adds its steps to those given, by the nearer node."""

    def record(frontier: Collection[Node]) -> Iterator[ReachStep]:
        for step in rule(frontier):
            if step.word not in left_out:
                steps.setdefault(step.nearer, []).append(step)
                yield step

    return record


def reach_of(start: Node, steps: StepsFrom, is_test: Callable[[Node], bool]) -> ReachCount:
    seen, frontier, tests, nearest = {start}, {start}, set[Node](), None
    for n_steps in range(MOST_STEPS + 1):
        found = {node for node in frontier if is_test(node)}
        nearest = n_steps if found and nearest is None else nearest
        tests |= found
        frontier = {step.node for node in frontier - found for step in steps.get(node, ())} - seen
        seen |= frontier
    return ReachCount(len(tests), nearest)
