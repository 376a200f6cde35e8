"""The risk of a change: the table that is documented, and that more of anything never lowers it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from birthmark.app.changes.risks import FILE_CHURN, LEVELS, OWN_CHURN, STEPS, rate_risk
from birthmark.documents.reviews import RiskFactsDocument
from birthmark.vocabulary import Risk, RiskFactor

PAGE = (Path(__file__).parents[2] / "docs/how-to/review-a-change.md").read_text("utf-8")
NUMBERS = st.integers(0, 200)
FACTS = st.builds(RiskFactsDocument, *[NUMBERS] * 8, st.none(), NUMBERS, st.booleans())
GROWING = ("lines", "users", "unchanged_users", "commits")
NO_FACTS = RiskFactsDocument(0, 0, 0, 0, 0, 0, None, None, None, None, False)


def facts_of(lines: int, **facts: int) -> RiskFactsDocument:
    return replace(NO_FACTS, lines=lines, **facts)


def total(facts: RiskFactsDocument) -> int:
    return sum(rate_risk(facts)[1].values())


@given(FACTS, st.sampled_from(GROWING), NUMBERS)
def test_more_is_never_less_risky(facts: RiskFactsDocument, field: str, more: int) -> None:
    grown = replace(facts, **{field: getattr(facts, field) + more})
    assert total(grown) >= total(facts)


@given(FACTS)
def test_a_test_that_reaches_it_never_makes_it_riskier(facts: RiskFactsDocument) -> None:
    assert total(replace(facts, tests=1)) <= total(replace(facts, tests=0))


@pytest.mark.parametrize(
    ("facts", "points", "risk"),
    [
        (facts_of(1), {}, Risk.LOW),
        (facts_of(5, users=1, user_files=1, tests=3), {RiskFactor.USERS: 1, RiskFactor.SIZE: 1}, Risk.LOW),
        (facts_of(4, users=2, tests=0), {RiskFactor.USERS: 1, RiskFactor.TESTS: 2}, Risk.LOW),
        (facts_of(4, users=3, tests=0), {RiskFactor.USERS: 2, RiskFactor.TESTS: 2}, Risk.MEDIUM),
        (facts_of(4, users=3, tests=0, possible_tests=1), {RiskFactor.USERS: 2}, Risk.LOW),
        (facts_of(4, unchanged_users=5), {}, Risk.LOW),
        (
            facts_of(60, users=10, user_files=4, unchanged_users=2, changes=3, interface=True),
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
def test_points_of(facts: RiskFactsDocument, points: dict[RiskFactor, int], risk: Risk) -> None:
    assert rate_risk(facts) == (risk, points)


def test_the_table_is_documented() -> None:
    for steps in (*STEPS.values(), OWN_CHURN, FILE_CHURN):
        assert ", ".join(map(str, steps)) in PAGE
    assert f"high from {LEVELS[0][0]} points on, medium from {LEVELS[1][0]}" in PAGE
