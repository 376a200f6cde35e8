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
from birthmark.queries.reach_of_each import TestReach, reach_of_each
from birthmark.queries.reach_rules import ReachRules, use_steps


class ReviewTests(NamedTuple):
    """How many tests reach each change; all of them, nearest first; and how many tests there are."""

    of_each: Mapping[Node, TestReach]
    tests: list[ReachingTest]
    n_all: int


def find_review_tests(
    session: Session, nodes: Collection[Node], edges: Iterable[NetworkEdge], changed_tests: Collection[Node]
) -> ReviewTests:
    """`edges` are those that lead to the nodes, mentions included; tests that changed are the nearest."""
    rules = _UseRules(make_rules(session), edges)
    of_each = reach_of_each(nodes, rules.rules, rules.is_test) if nodes else {}
    return ReviewTests(of_each, tests_reaching(session, rules, {*nodes, *changed_tests}), rules.tests.count())


class _UseRules(ReachRules):
    """Uses of the network, containers, dispatch and fixtures; no imports, and no text is read."""

    def __init__(self, rules: ReachRules, edges: Iterable[NetworkEdge]) -> None:
        vars(self).update(vars(rules))
        self._steps: dict[Node, list[ReachStep]] = {}
        for step in use_steps(edges):
            self._steps.setdefault(step.nearer, []).append(step)

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.uses, self.containers, self.overridden, self.namesakes, self.tests_inside

    def uses(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        missing = [node for node in frontier if node not in self._steps]
        self._steps |= {node: [] for node in missing}
        for step in use_steps(self.network.users_of(missing) if missing else ()):
            self._steps[step.nearer].append(step)
        for one in self.definitions(missing):
            self._steps[one.identity] += self.fixtures.takers(one)
        for node in frontier:
            yield from self._steps[node]
