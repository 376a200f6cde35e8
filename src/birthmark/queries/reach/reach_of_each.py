"""Of several definitions at once, how many tests reach each by its uses, and how near the nearest is.

Takes rules as `find_reaching` does. Unlike for the choice of tests to run, a test that merely imports a file does not
count: it says nothing of what the code in it does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from birthmark.graph.network import Node
from birthmark.queries.reach.reach import ReachStep, Rule, find_reaching
from birthmark.vocabulary import ReachWord

MOST_STEPS = 6
_NO_USE = frozenset({ReachWord.IMPORTS, ReachWord.UNKNOWN_USERS, ReachWord.BELOW})

StepsFrom = Mapping[Node, Sequence[ReachStep]]


class ReachCount(NamedTuple):
    """How many tests reach something, and in how many steps the nearest does; None if that is not known."""

    n_tests: int | None
    n_steps: int | None


NOT_ASKED = ReachCount(None, None)


def record_steps(nodes: Collection[Node], rules: Sequence[Rule], is_test: Callable[[Node], bool]) -> StepsFrom:
    """All uses within some steps of any of the nodes, each looked up once, however many nodes there are."""
    steps: dict[Node, list[ReachStep]] = {}

    def recording(rule: Rule) -> Rule:
        def record(frontier: Collection[Node]) -> Iterator[ReachStep]:
            for step in rule(frontier):
                if step.word not in _NO_USE:
                    steps.setdefault(step.nearer, []).append(step)
                    yield step

        return record

    find_reaching(nodes, [recording(rule) for rule in rules], is_test, MOST_STEPS)
    return steps


def reach_of(start: Node, steps: StepsFrom, is_test: Callable[[Node], bool]) -> ReachCount:
    seen, frontier, tests, nearest = {start}, {start}, set[Node](), None
    for n_steps in range(MOST_STEPS + 1):
        found = {node for node in frontier if is_test(node)}
        nearest = n_steps if found and nearest is None else nearest
        tests |= found
        frontier = {step.node for node in frontier - found for step in steps.get(node, ())} - seen
        seen |= frontier
    return ReachCount(len(tests), nearest)
