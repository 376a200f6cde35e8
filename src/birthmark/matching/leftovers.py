"""Before anything is called new: could it be one of those that are left over?

Every pair of an old and a new leftover that is worth comparing gets the odds that all that agrees about them gives. The
likeliest are taken first, and since a pair changes the odds of those around it, they are worked out again after that.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from birthmark.matching.agreement import WEIGHTS, Agreements, log_odds
from birthmark.matching.model import FUNCTION, VALUE, sort_of
from birthmark.matching.mutual_best import mutual_best
from birthmark.matching.pairing_state import HEAVY, PairingState
from birthmark.matching.similar import SimilarityScores
from birthmark.vocabulary import Evidence

LEVELS = (2.5, 1.5, 0.5, -0.5)  # logarithms of odds
MARGIN = 0.3  # by which the best must be better than the second
_LEAST = min(LEVELS) - MARGIN  # what is less likely is no rival either
_ROUNDS = 4  # at each level

Follow = Callable[[PairingState], None]


def pair_leftovers(comparison: SimilarityScores, pair_dependents: Follow) -> None:
    """Each other's likeliest, from the surest on."""
    agreements = Agreements(comparison)
    for level in LEVELS:
        for _ in range(_ROUNDS):
            if comparison.state.is_settled or not _pair_likely(agreements, level):
                break
            pair_dependents(comparison.state)
            agreements.refresh()


def _pair_likely(agreements: Agreements, level: float) -> bool:
    state, comparison = agreements.state, agreements.comparison
    odds = {pair: value for pair in comparison.candidates() if (value := _odds_of(agreements, *pair)) >= _LEAST}
    likely = [pair for pair in mutual_best(odds, MARGIN) if odds[pair] >= level]
    for old, new in likely:
        state.add(old, new, Evidence.LIKELY, round(odds[old, new], 3))
    return bool(likely)


def _odds_of(agreements: Agreements, old: int, new: int) -> float:
    sort = sort_of(agreements.state.old.entities[old])
    if sort not in WEIGHTS or not _may_leave(agreements.state, old, new):
        return -inf
    agreement = agreements.between(old, new)
    # A field whose name is still in use was not renamed.
    return -inf if sort == VALUE and agreement.stays else log_odds(sort, agreement)


def _may_leave(state: PairingState, old: int, new: int) -> bool:
    """What says little does not go from one type to another if both stay: every other type has its getters."""
    before, after = state.old.entities[old], state.new.entities[new]
    is_getter = sort_of(before) == FUNCTION and (state.old.is_light(old) or state.new.is_light(new))
    if min(before.weight, after.weight) >= HEAVY or (before.name == after.name and not is_getter):
        return True
    partner = state.old.partners[state.old.owners[old]] if state.old.owners[old] >= 0 else -1
    owner = state.new.owners[new]
    return partner < 0 or owner < 0 or partner == owner or state.new.partners[owner] < 0
