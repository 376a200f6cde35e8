"""The risk of a change, as a score that can be recomputed by hand.

Takes what is known of a change; gives points for each factor. What is not known gives none. The table is documented
in docs/how-to/review-a-change.md.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from birthmark.vocabulary import Risk, RiskFactor

# A point for each number that is reached.
STEPS = {
    RiskFactor.USERS: (1, 3, 10, 30),
    RiskFactor.SIZE: (5, 20, 60),
}
OWN_CHURN = (3, 6, 12)  # changes of the definition itself
FILE_CHURN = (10, 25, 60)  # commits to its file
# Points for what is so, or is not.
INTERFACE_POINTS = 1
UNCHANGED_USERS_POINTS = 3
UNTESTED_POINTS = 2
LEVELS = ((7, Risk.HIGH), (4, Risk.MEDIUM), (0, Risk.LOW))  # the least points of each


class RiskFacts(NamedTuple):
    """What is known of a change. Users are those but tests; `n_tests` is None where that was not asked. Possible ones
    have its name, which may mean others, too.

    `n_changes` are earlier changes of the definition itself, where the ledger has replayed the history; else
    `n_commits` are those to its file in the year before.
    """

    n_lines: int
    n_users: int = 0
    n_user_files: int = 0
    n_unchanged_users: int = 0
    n_possible_users: int = 0
    n_possible_tests: int = 0
    n_tests: int | None = None
    n_steps: int | None = None  # from the nearest test
    n_changes: int | None = None
    n_commits: int | None = None
    is_interface: bool = False


class RiskScore(NamedTuple):
    """Points by factor, without those that gave none."""

    points: dict[RiskFactor, int]

    @property
    def total(self) -> int:
        return sum(self.points.values())

    @property
    def risk(self) -> Risk:
        return next(risk for least, risk in LEVELS if self.total >= least)


def rate_risk(facts: RiskFacts) -> RiskScore:
    points = {
        RiskFactor.USERS: bisect_right(STEPS[RiskFactor.USERS], facts.n_users),
        RiskFactor.UNCHANGED_USERS: UNCHANGED_USERS_POINTS * (facts.is_interface and facts.n_unchanged_users > 0),
        RiskFactor.INTERFACE: INTERFACE_POINTS * facts.is_interface,
        RiskFactor.TESTS: UNTESTED_POINTS * (facts.n_tests == 0 and not facts.n_possible_tests),
        RiskFactor.CHURN: _churn(facts),
        RiskFactor.SIZE: bisect_right(STEPS[RiskFactor.SIZE], facts.n_lines),
    }
    return RiskScore({factor: number for factor, number in points.items() if number})


def _churn(facts: RiskFacts) -> int:
    if facts.n_changes is not None:
        return bisect_right(OWN_CHURN, facts.n_changes)
    return bisect_right(FILE_CHURN, facts.n_commits or 0)
