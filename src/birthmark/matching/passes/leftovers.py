"""Before anything is called new: could it be one of those that are left over?

Every pair of an old and a new leftover that is worth comparing gets the odds that all that agrees about them gives. The
likeliest are taken first, and since a pair changes the odds of those around it, they are worked out again after that.
"""

from __future__ import annotations

from math import inf

from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.model import FUNCTION, TYPE, VALUE, sort_of
from birthmark.matching.pairing_state import PairingState
from birthmark.matching.passes.agreement import WEIGHTS, Agreements, log_odds, weighed_as
from birthmark.matching.passes.dependents import pair_dependents
from birthmark.matching.passes.uses import CONTAINED
from birthmark.matching.similarity import mutual_best
from birthmark.vocabulary import Evidence

LEVELS = (2.5, 1.5, 0.5, -0.5, -1.0)  # logarithms of odds
LEAST = {VALUE: -0.5, FUNCTION: -1.0, TYPE: -1.0}  # it takes; constants of one name and value are common
MARGIN = 0.3  # by which the best must be better than the second
# Of a field that keeps a name that nothing else has and is declared much as it was, as another of the two scopes does:
# 9 of 10 such candidates that people had judged were right. Functions are left out: those that override share names.
IN_COMPANY = 0.5
_NO_RIVAL = min(LEVELS) - MARGIN  # what is less likely
_ROUNDS = 4  # at each level

Odds = dict[tuple[int, int], float]


def pair_leftovers(state: PairingState) -> None:
    """Each other's likeliest, from the surest on."""
    agreements = Agreements(state)
    odds = _find_odds(agreements, {})
    for level in LEVELS:
        for _ in range(_ROUNDS):
            likely = [
                pair for pair in mutual_best(_likely(odds), MARGIN) if odds[pair] >= max(level, _least(state, pair[0]))
            ]
            if not likely:
                break
            n_pairs = len(state.pairs)
            for old, new in likely:
                state.add(old, new, Evidence.LIKELY, round(odds[old, new], 3))
            pair_dependents(state)
            agreements.refresh()
            odds = _find_odds(agreements, _unaffected(state, odds, n_pairs))


def _find_odds(agreements: Agreements, known: Odds) -> Odds:
    candidates = {} if agreements.state.is_settled else agreements.candidates()
    return {pair: known[pair] if pair in known else _odds_of(agreements, *pair) for pair in candidates}


def _least(state: PairingState, old: int) -> float:
    return LEAST[weighed_as(state.old.entities[old])]


def _likely(odds: Odds) -> Odds:
    return {pair: value for pair, value in odds.items() if value >= _NO_RIVAL}


def _unaffected(state: PairingState, odds: Odds, n_pairs: int) -> Odds:
    """Those of scopes in which, and in whose containers, nothing has been paired since there were so many pairs."""
    old, new = state.old, state.new
    olds = {scope for pair in state.pairs[n_pairs:] for scope in (old.scope_of(pair.old), old.inside(pair.old))}
    news = {scope for pair in state.pairs[n_pairs:] for scope in (new.scope_of(pair.new), new.inside(pair.new))}
    return {
        pair: value
        for pair, value in odds.items()
        if old.scope_of(pair[0]) not in olds and new.scope_of(pair[1]) not in news
    }


def _odds_of(agreements: Agreements, old: int, new: int) -> float:
    sort = weighed_as(agreements.state.old.entities[old])
    if sort not in WEIGHTS or not _may_leave(agreements.state, old, new):
        return -inf
    agreement = agreements.between(old, new)
    if sort == VALUE and agreement.stays:
        return -inf  # A field whose name is still in use was not renamed.
    if sort == TYPE and agreement.light and not (agreement.name or agreement.words):
        return -inf  # An empty type is known by its name alone.
    odds = log_odds(sort, agreement)
    is_in_company = sort == VALUE and agreement.name and agreement.unique and agreement.company
    return max(odds, IN_COMPANY) if is_in_company and _is_same_member(agreements.state, old, new) else odds


def _is_same_member(state: PairingState, old: int, new: int) -> bool:
    if state.old.owners[old] < 0 or state.new.owners[new] < 0:
        return False
    return state.contained(old, new) >= CONTAINED


def _may_leave(state: PairingState, old: int, new: int) -> bool:
    """What says little does not go from one type to another if both stay: every other type has its getters."""
    before, after = state.old.entities[old], state.new.entities[new]
    is_getter = sort_of(before) == FUNCTION and (state.old.is_light(old) or state.new.is_light(new))
    if min(before.weight, after.weight) >= HEAVY or (before.name == after.name and not is_getter):
        return True
    partner = state.old.partners[state.old.owners[old]] if state.old.owners[old] >= 0 else -1
    owner = state.new.owners[new]
    return partner < 0 or owner < 0 or partner == owner or state.new.partners[owner] < 0
