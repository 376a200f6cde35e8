"""Rate the risk of a change, and give the reasons in words.

The risk is a sum of points that can be recomputed by hand (docs/how-to/review-a-change.md); unknown facts give none.
"""

from __future__ import annotations

from bisect import bisect_right

from birthmark.documents.reviews import RiskFactsDocument
from birthmark.vocabulary import Risk, RiskFactor
from birthmark.words import count

# A point for each number that is reached.
STEPS = {
    RiskFactor.USERS: (1, 3, 10, 30),
    RiskFactor.SIZE: (5, 20, 60),
}
OWN_CHURN = (3, 6, 12)  # changes of the definition itself
FILE_CHURN = (10, 25, 60)  # commits to its file
# Points for facts that hold, or do not.
INTERFACE_POINTS = 1
UNCHANGED_USERS_POINTS = 3
UNTESTED_POINTS = 2
LEVELS = ((7, Risk.HIGH), (4, Risk.MEDIUM), (0, Risk.LOW))  # the least points of each


def rate_risk(facts: RiskFactsDocument) -> tuple[Risk, dict[str, int]]:
    """Return the risk, and the points by factor, without those that gave none."""
    points = {
        RiskFactor.USERS: bisect_right(STEPS[RiskFactor.USERS], facts.users),
        RiskFactor.UNCHANGED_USERS: UNCHANGED_USERS_POINTS * (facts.interface and facts.unchanged_users > 0),
        RiskFactor.INTERFACE: INTERFACE_POINTS * facts.interface,
        RiskFactor.TESTS: UNTESTED_POINTS * (facts.tests == 0 and not facts.possible_tests),
        RiskFactor.CHURN: _churn(facts),
        RiskFactor.SIZE: bisect_right(STEPS[RiskFactor.SIZE], facts.lines),
    }
    total = sum(points.values())
    return next(risk for least, risk in LEVELS if total >= least), {str(one): n for one, n in points.items() if n}


def _churn(facts: RiskFactsDocument) -> int:
    if facts.changes is not None:
        return bisect_right(OWN_CHURN, facts.changes)
    return bisect_right(FILE_CHURN, facts.commits or 0)


def list_reasons(facts: RiskFactsDocument) -> list[str]:
    """Return `14 users in 6 files`, `no test is known to reach it`, `changed 9 times before`."""
    found = []
    if facts.users:
        left = f", {facts.unchanged_users:,} of them not changed" if facts.unchanged_users else ""
        found.append(f"{count(facts.users, 'user')} in {count(facts.user_files, 'file')}{left}")
    if facts.possible_users:
        found.append(f"{count(facts.possible_users, 'possible user')} by name")
    found += _tests(facts)
    if facts.changes:
        times = "once" if facts.changes == 1 else f"{facts.changes:,} times"
        found.append(f"changed {times} before")
    if facts.commits is not None and facts.commits >= FILE_CHURN[0]:
        found.append(f"its file in {count(facts.commits, 'commit')} of the year before")
    return found


def _tests(facts: RiskFactsDocument) -> list[str]:
    if facts.tests is None:
        return []
    if facts.tests:
        near = "itself one" if facts.steps == 0 else f"the nearest {count(facts.steps or 0, 'step')} away"
        return [f"{count(facts.tests, 'test')} {'reaches' if facts.tests == 1 else 'reach'} it, {near}"]
    if facts.possible_tests:
        return [f"{count(facts.possible_tests, 'test')} may reach it by name"]
    return ["no test is known to reach it"]
