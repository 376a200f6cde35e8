"""The tests that reach what changed by its uses: of each change how many, and of all changes the nearest.

`affected` lists more: all that a change may reach in any way, which may be most of the tests and take its time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from birthmark.app.answers.uses.reaching_tests import ReachingTest, find_reaching_tests
from birthmark.app.workspace.session import Session
from birthmark.graph.network import Node
from birthmark.queries.reach.reach import ReachCount, Rule, reach_of, record_steps

NEAR = 3  # steps from a test that is listed


class ReviewTests(NamedTuple):
    """How many tests reach each change; those that are near to any, nearest first; and how many there are at all."""

    of_each: Mapping[Node, ReachCount]
    near: list[ReachingTest]
    n_all: int


def find_review_tests(session: Session, nodes: Collection[Node], changed_tests: Collection[Node]) -> ReviewTests:
    """Tests that changed are the nearest."""
    rules = session.reach_rules
    steps = record_steps(nodes, rules.use_rules, rules.is_test) if nodes else {}
    recorded: Rule = lambda frontier: (step for node in frontier for step in steps.get(node, ()))  # noqa: E731
    tests = find_reaching_tests(rules, {*nodes, *changed_tests}, [recorded])
    of_each = {node: reach_of(node, steps, rules.is_test) for node in nodes}
    return ReviewTests(of_each, [test for test in tests if test.distance <= NEAR], rules.tests.n_tests)
