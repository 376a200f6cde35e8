"""The tests that reach what changed by its uses: of each change how many, and of all changes the nearest.

`affected` lists more: all that a change may reach in any way, which may be most of the tests and take its time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from birthmark.app.answers.reaching_tests import ReachingTest, make_rules, tests_reaching
from birthmark.app.workspace.session import Session
from birthmark.graph.network import NetworkEdge, Node
from birthmark.queries.reach import ReachStep, Rule
from birthmark.queries.reach_of_each import ReachCount, StepsFrom, reach_of, record_steps
from birthmark.queries.reach_rules import ReachRules, use_steps

NEAR = 3  # steps from a test that is listed


class ReviewTests(NamedTuple):
    """How many tests reach each change; those that are near to any, nearest first; and how many there are at all."""

    of_each: Mapping[Node, ReachCount]
    near: list[ReachingTest]
    n_all: int


def find_review_tests(
    session: Session, nodes: Collection[Node], edges: Iterable[NetworkEdge], changed_tests: Collection[Node]
) -> ReviewTests:
    """`edges` are those that lead to the nodes, mentions included; tests that changed are the nearest."""
    rules = make_rules(session)
    steps = record_steps(nodes, _use_rules(rules, [*edges]), rules.is_test) if nodes else {}
    tests = tests_reaching(session, _RecordedRules(rules, steps), {*nodes, *changed_tests})
    of_each = {node: reach_of(node, steps, rules.is_test) for node in nodes}
    return ReviewTests(of_each, [test for test in tests if test.distance <= NEAR], rules.tests.count())


def _use_rules(rules: ReachRules, edges: list[NetworkEdge]) -> tuple[Rule, ...]:
    """Uses of the network, containers, dispatch and fixtures; no imports, and no more text is read."""
    known: dict[Node, list[NetworkEdge]] = {}
    for edge in edges:
        known.setdefault(edge.used, []).append(edge)

    def uses(frontier: Collection[Node]) -> Iterator[ReachStep]:
        for node in frontier:
            yield from use_steps(known.get(node, ()))
        others = [node for node in frontier if node not in known]
        yield from use_steps(rules.network.users_of(others) if others else ())
        for one in rules.definitions(frontier):
            yield from rules.fixtures.takers(one)

    return uses, rules.containers, rules.overridden, rules.namesakes, rules.tests_inside


class _RecordedRules(ReachRules):
    """The same again, as it was recorded."""

    def __init__(self, rules: ReachRules, steps: StepsFrom) -> None:
        vars(self).update(vars(rules))
        self._steps = steps

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (lambda frontier: (step for node in frontier for step in self._steps.get(node, ())),)
