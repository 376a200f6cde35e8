"""What reaches a definition or a file: users, users of these and so on, up to where tests begin.

Takes where to start and rules that go one step further; gives a step for each node that was reached, nearest first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from birthmark.graph.network import Node
from birthmark.vocabulary import ReachWord, Resolution


class ReachStep(NamedTuple):
    """How a node has to do with one that is a step nearer to the start, and the place that shows it."""

    node: Node
    nearer: Node
    word: ReachWord
    resolution: Resolution | None
    path: str
    line: int


MANY = 1 << 30  # steps
Rule = Callable[[Collection[Node]], Iterable[ReachStep]]
Reached = Mapping[Node, ReachStep | None]


def find_reaching(
    start: Iterable[Node], rules: Sequence[Rule], is_end: Callable[[Node], bool], most_steps: int = MANY
) -> Reached:
    """All that reaches the start, in the order of distance; nothing is looked for beyond an end.

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
    """To each node that is not reached yet, in the order of the places."""
    found: dict[Node, ReachStep] = {}
    for step in steps:
        node = step.node
        if node not in reached:
            known = found.get(node)
            if known is None or (step.path, step.line) < (known.path, known.line):
                found[node] = step
    return dict(sorted(found.items(), key=_order))


def way_from(reached: Reached, node: Node) -> list[ReachStep]:
    """The steps from a node to the start; none for the start itself."""
    steps = []
    step = reached[node]
    while step is not None:
        steps.append(step)
        step = reached[step.nearer]
    return steps


def _order(item: tuple[Node, ReachStep]) -> tuple[str, int, str]:
    node, step = item
    return step.path, step.line, str(node)
