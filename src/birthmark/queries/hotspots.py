"""Find the changes of definitions, and rate the risk of a change.

An event counts as a change if it changed the code, not if it only moved it. The risk of a change is a sum of points
that can be recomputed by hand (docs/how-to/review-a-change.md); unknown facts give none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from birthmark.model import FUNCTION_LIKE
from birthmark.store.model import Event, SnapshotEntity
from birthmark.vocabulary import Change, Risk, RiskFactor

_OTHER_CODE = frozenset({Change.MODIFIED, Change.RENAMED})  # words that say so where the code before is not recorded
_WHOLE = frozenset({Change.BORN, Change.DELETED})  # the beginning and the end of it, not a change
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


def find_changes(events: Iterable[Event], runs: Collection[int] | None = None) -> dict[int, list[int]]:
    """Return the runs in which the code of each identity changed, in order; of these runs, or of all."""
    changes: dict[int, list[int]] = {}
    contents: dict[int, str] = {}
    for event in events:
        before = contents.get(event.identity)
        contents[event.identity] = event.content
        if runs is not None and event.run not in runs:
            continue
        is_other = event.change in _OTHER_CODE if before is None else event.content != before
        known = changes.setdefault(event.identity, [])
        if is_other and event.change not in _WHOLE and event.run not in known[-1:]:
            known.append(event.run)
    return changes


def without_containers(entities: Sequence[SnapshotEntity]) -> list[SnapshotEntity]:
    """Return the definitions of a file with code of their own: a type's code is that of its members."""
    return [shown for shown in entities if shown.kind in FUNCTION_LIKE or not _contains_any(shown, entities)]


def _contains_any(shown: SnapshotEntity, entities: Sequence[SnapshotEntity]) -> bool:
    """Return True if the next definition is inside: it comes right after and has the name in front."""
    following = entities[shown.ordinal + 1 : shown.ordinal + 2]
    return any(one.qualified_name.startswith(f"{shown.qualified_name}.") for one in following)


class RiskFacts(NamedTuple):
    """The known facts of a change. Users exclude tests; `n_tests` is None if it was not asked for.

    Possible users and tests have the name, which may mean something else. `n_changes` counts earlier changes of the
    definition itself, if the ledger has replayed the history; else `n_commits` counts those to its file in the year
    before.
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
