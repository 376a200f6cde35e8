"""The risk of a change: the table that is documented, and that more of anything never lowers it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.queries.hotspots import FILE_CHURN, LEVELS, OWN_CHURN, STEPS, RiskFacts, rate_risk
from birthmark.vocabulary import Risk, RiskFactor

PAGE = (Path(__file__).parents[2] / "docs/how-to/review-a-change.md").read_text("utf-8")
NUMBERS = st.integers(0, 200)
FACTS = st.builds(
    RiskFacts, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.none(), NUMBERS, st.booleans()
)
GROWING = ("n_lines", "n_users", "n_unchanged_users", "n_commits")


@given(FACTS, st.sampled_from(GROWING), NUMBERS)
def test_more_is_never_less_risky(facts: RiskFacts, field: str, more: int) -> None:
    grown = facts._replace(**{field: getattr(facts, field) + more})
    assert rate_risk(grown).total >= rate_risk(facts).total


@given(FACTS)
def test_a_test_that_reaches_it_never_makes_it_riskier(facts: RiskFacts) -> None:
    assert rate_risk(facts._replace(n_tests=1)).total <= rate_risk(facts._replace(n_tests=0)).total


@pytest.mark.parametrize(
    ("facts", "points", "risk"),
    [
        (RiskFacts(1), {}, Risk.LOW),
        (RiskFacts(5, 1, 1, n_tests=3), {RiskFactor.USERS: 1, RiskFactor.SIZE: 1}, Risk.LOW),
        (RiskFacts(4, 2, n_tests=0), {RiskFactor.USERS: 1, RiskFactor.TESTS: 2}, Risk.LOW),
        (RiskFacts(4, 3, n_tests=0), {RiskFactor.USERS: 2, RiskFactor.TESTS: 2}, Risk.MEDIUM),
        (RiskFacts(4, 3, n_tests=0, n_possible_tests=1), {RiskFactor.USERS: 2}, Risk.LOW),
        (RiskFacts(4, n_unchanged_users=5), {}, Risk.LOW),
        (
            RiskFacts(60, 10, 4, 2, n_changes=3, is_interface=True),
            {
                RiskFactor.USERS: 3,
                RiskFactor.UNCHANGED_USERS: 3,
                RiskFactor.INTERFACE: 1,
                RiskFactor.CHURN: 1,
                RiskFactor.SIZE: 3,
            },
            Risk.HIGH,
        ),
    ],
)
def test_points_of(facts: RiskFacts, points: dict[RiskFactor, int], risk: Risk) -> None:
    assert (rate_risk(facts).points, rate_risk(facts).risk) == (points, risk)


def test_the_table_is_documented() -> None:
    for steps in (*STEPS.values(), OWN_CHURN, FILE_CHURN):
        assert ", ".join(map(str, steps)) in PAGE
    assert f"high from {LEVELS[0][0]} points on, medium from {LEVELS[1][0]}" in PAGE
