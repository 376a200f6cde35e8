"""Answers do not depend on what was asked before, and know what they were made from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.graph.answers import Answers, Known, lookups_of

Rules = dict[int, list[int]]


class Sums:
    """The sum of a node's number and of what its followers give; a follower that is being summed up gives nothing."""

    def __init__(self, rules: Rules, deepest: int) -> None:
        self.rules, self.deepest = rules, deepest
        self.answers = Answers()
        self.known: Known = {}

    def ask(self, node: int, depth: int) -> int:
        if not self.answers.reaches(depth):
            return 0
        return self.answers.once(self.known, node, self._sum, node, depth) or 0

    def _sum(self, node: int, depth: int) -> int:
        self.answers.read(str(node))
        return node + sum(self.ask(one, depth - 1) for one in self.rules.get(node, ()))

    def start(self, node: int) -> tuple[int, set[str]]:
        self.answers.made_from = set()
        found = self.ask(node, self.deepest)
        return found, lookups_of(self.answers.made_from)


NODES = st.integers(0, 7)
RULES = st.dictionaries(NODES, st.lists(NODES, max_size=3), max_size=8)
FORWARD = RULES.map(lambda rules: {node: [one for one in after if one > node] for node, after in rules.items()})


@given(rules=FORWARD, asked=st.lists(NODES, min_size=1, max_size=8))
def test_answers_do_not_depend_on_what_was_asked_before(rules: Rules, asked: list[int]) -> None:
    sums = Sums(rules, 9)
    for node in asked:
        assert sums.start(node)[0] == Sums(rules, 9).start(node)[0]


def test_what_was_cut_off_is_not_kept() -> None:
    sums = Sums({0: [1], 1: [2], 2: [3]}, 3)
    assert [sums.start(0)[0], sums.start(1)[0]] == [3, 6]


@given(rules=RULES, asked=st.lists(NODES, min_size=1, max_size=8), changed=NODES)
def test_what_was_not_looked_up_changes_no_answer(rules: Rules, asked: list[int], changed: int) -> None:
    other = rules | {changed: [*rules.get(changed, ()), 1]}
    for node in asked:
        found, lookups = Sums(rules, 9).start(node)
        if str(changed) not in lookups:
            assert Sums(other, 9).start(node) == (found, lookups)


@given(rules=RULES, asked=st.lists(NODES, min_size=1, max_size=8))
def test_all_that_an_answer_depends_on_is_known_whatever_was_asked_before(rules: Rules, asked: list[int]) -> None:
    sums = Sums(rules, 20)
    for node in asked:
        reached, stack = {node}, [node]
        while stack:
            fresh = set(rules.get(stack.pop(), ())) - reached
            reached |= fresh
            stack += fresh
        assert sums.start(node)[1] == {str(one) for one in reached}


def test_a_failure_leaves_nothing_behind() -> None:
    answers, known = Answers(), Known()
    with pytest.raises(ZeroDivisionError):
        answers.once(known, "a", lambda: 1 // 0)
    assert not known
    assert answers.once(known, "a", lambda: 1) == 1


def test_an_answer_is_made_once() -> None:
    answers, known, made = Answers(), Known(), list[int]()
    for _ in range(3):
        assert answers.once(known, "a", lambda: made.append(1) or 7) == 7  # type: ignore[func-returns-value]
    assert made == [1]
