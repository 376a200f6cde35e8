"""Links of a history are judged by the oracle's steps: at the commit itself, or by the next older one."""

from __future__ import annotations

import pytest
from confidence import Link, judge_links, propose
from folds import Counts, Row, folds, leave_one_out, micro_average

STEPS = [
    {
        "commit": "c3",
        "time": 30,
        "path_before": "old.py",
        "name_before": "f",
        "path_after": "new.py",
        "name_after": "f",
    },
    {"commit": "c1", "time": 10, "changes": ["introduced"], "path_after": "old.py", "name_after": "f"},
]


def change(commit: str, time: int, path: str, name: str) -> Row:
    where = {"path_before": path, "name_before": name, "evidence": "similar", "confidence": "low"}
    return {"commit": commit, "time": time, **where}


@pytest.mark.parametrize(
    ("link", "is_right"),
    [
        (change("c3", 30, "old.py", "f"), True),
        (change("c3", 30, "new.py", "f"), False),
        (change("c2", 20, "old.py", "f"), True),  # not in the oracle: as its next older step ends
        (change("c2", 20, "old.py", "g"), False),
        (change("c1", 10, "older.py", "f"), False),  # introduced here
        (change("c0", 5, "old.py", "f"), False),  # nothing was there before
    ],
)
def test_a_link_is_right_where_the_oracle_agrees(link: Row, is_right: bool) -> None:
    row = {"repo": "one/one", "history": STEPS}
    assert judge_links(row, {"changes": [link]}) == [Link("one/one", "similar", "low", is_right)]


def test_of_a_look_alike_only_the_wrong_link_is_judged() -> None:
    row = {"repo": "one/one", "complete": False, "expect": "different", "history": STEPS[:1]}
    links = [change("c3", 30, "old.py", "f"), change("c3", 30, "other.py", "f")]
    assert [link.is_right for link in judge_links(row, {"changes": links})] == [False]


def test_what_is_older_than_a_wrong_link_is_not_judged() -> None:
    row = {"repo": "one/one", "history": STEPS}
    links = [change("c3", 30, "other.py", "f"), change("c2", 20, "other.py", "g")]
    assert [link.is_right for link in judge_links(row, {"changes": links})] == [False]


def test_an_evidence_is_given_the_confidence_that_its_links_are_worth() -> None:
    links = [Link("one/one", "similar", "low", n % 10 > 0) for n in range(100)]
    links += [Link("one/one", "same content", "low", n > 0) for n in range(1000)]
    assert propose(links) == {"similar": "low", "same content": "high"}


def test_a_rule_is_scored_on_the_repository_it_was_not_fitted_to() -> None:
    rows = [{"repo": repo, "value": value} for repo, value in (("a/a", 1), ("a/a", 2), ("b/b", 5))]
    assert [(fold.repository, len(fold.left_out), len(fold.others)) for fold in folds(rows)] == [
        ("a/a", 2, 1),
        ("b/b", 1, 2),
    ]
    counts = leave_one_out(
        rows,
        lambda others: max(row["value"] for row in others),
        lambda rule, own: Counts(*(sum(row["value"] <= rule for row in own), sum(row["value"] > rule for row in own))),
    )
    assert counts == {"a/a": Counts(2, 0), "b/b": Counts(0, 1)}
    assert micro_average(counts.values()).precision == pytest.approx(2 / 3)
