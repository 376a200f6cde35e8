"""Decide jointly about all entities that the sure passes have left over.

Every pair that is worth comparing gets odds from all evidence about it (`agreement.py`, `weights.py`). The likeliest
pairs are made first; since a pair changes the odds of those around it, these are computed again. Of two that are nearly
as likely, none is made: that is a tie.

If an unsure pair is less alike than one of the two and a paired entity beside it, the two are only alike, as tests of
one class are: then one is gone and the other is new.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from math import inf

from birthmark.identity.fingerprints import HEAVY
from birthmark.matching.agreement import Agreement, Agreements
from birthmark.matching.candidates import find_candidates, weighed_as
from birthmark.matching.model import FUNCTION, TYPE, VALUE, sort_of
from birthmark.matching.pairing_state import PairingState, Side
from birthmark.matching.passes.dependents import pair_dependents
from birthmark.matching.similarity import FLOOR, best_candidates, mutual_best, parts_of
from birthmark.matching.weights import log_odds, odds_among_rivals
from birthmark.vocabulary import Evidence

LEVELS = (4.0, 2.5, 1.5, 0.5, -0.5, -1.0)  # logarithms of odds
LEAST = {VALUE: -0.5, FUNCTION: -1.0, TYPE: -1.0}  # it takes; constants of one name and value are common
_LEAST_OTHERWISE = 0.0
MARGIN = 0.3  # by which the best must be better than the second
_ROUNDS = 4  # at each level
_NO_RIVAL = -8.0  # odds below which a pair is no rival to others
_TIE = 1.5  # by which two that rival each other may be less likely, each

ALIKE = 0.5  # the share of tokens, or of places of use, that says something
_NEARLY_ALL = 0.8  # of the tokens
_SURE_IF_IT_STAYS, _SURE_IF_IT_LEAVES = 0.0, 1.0  # odds from which others of the family do not matter
_BESIDE = 0.1  # by which one that is paired beside it may be more alike; one in another file may not be at all
_AROUND = 4  # on either side in its scope
_NEAR = 8  # on either side by weight, among those in any file that share a word of their names

Pair = tuple[int, int]
Odds = dict[Pair, float]


def pair_leftovers(state: PairingState) -> None:
    """Pair leftovers that are each other's likeliest, from the surest level on."""
    agreements, refused = Agreements(state), set[Pair]()
    own = _find_odds(agreements, {}, refused)
    for level in LEVELS:
        for _ in range(_ROUNDS):
            n_pairs = len(state.pairs)
            odds = _among_rivals(state, own)
            likely = _likeliest(state, odds, level)
            alike = {pair for pair in likely if _are_two_of_a_family(agreements, *pair, odds[pair])}
            words = {pair: _evidence(state, pair, agreements.between(*pair)) for pair in likely if pair not in alike}
            for pair, evidence in words.items():
                state.add(*pair, evidence, round(odds[pair], 3))
            refused |= alike
            if n_pairs == len(state.pairs):
                break
            pair_dependents(state)
            agreements.refresh()
            own = _find_odds(agreements, _unaffected(state, own, n_pairs), refused)
    _note_ties(agreements, _among_rivals(state, own))


def _likeliest(state: PairingState, odds: Odds, level: float) -> list[Pair]:
    """Return pairs that are each other's only best, and likely enough."""
    return [pair for pair in mutual_best(odds, MARGIN) if odds[pair] >= max(level, _least(state, pair[0]))]


def _among_rivals(state: PairingState, own: Odds) -> Odds:
    """Return odds that take the best other candidates of both entities into account."""
    best = _two_best(own, 0), _two_best(own, 1)
    return {
        pair: odds_among_rivals(
            weighed_as(state.old.entities[pair[0]]), value, *(_rival(best[side][pair[side]], value) for side in (0, 1))
        )
        for pair, value in own.items()
        if value > _NO_RIVAL
    }


def _two_best(odds: Odds, side: int) -> dict[int, tuple[float, float]]:
    best: dict[int, tuple[float, float]] = {}
    for pair, value in odds.items():
        first, second = best.get(pair[side], (-inf, -inf))
        if value > second:
            best[pair[side]] = (value, first) if value > first else (first, value)
    return best


def _rival(best: tuple[float, float], own: float) -> float:
    return best[1] if best[0] == own else best[0]


def _note_ties(agreements: Agreements, odds: Odds) -> None:
    """Note pairs that are nearly as likely; methods of two classes that became one of their base are no tie."""
    state = agreements.state
    likely = {pair: value for pair, value in odds.items() if value >= _least(state, pair[0]) - _TIE}
    known = {pair: value for pair, value in likely.items() if not agreements.between(*pair).kin}
    for new, olds in best_candidates(known, 1, MARGIN).items():
        if len(olds) > 1:
            state.note_tie(sorted(olds), [new])
    for old, news in best_candidates(known, 0, MARGIN).items():
        if len(news) > 1:
            state.note_tie([old], sorted(news))


def _find_odds(agreements: Agreements, known: Odds, refused: Collection[Pair]) -> Odds:
    """Return the odds of all candidates, each by itself."""
    if agreements.state.is_settled:
        return {}
    candidates = find_candidates(agreements.state, agreements.votes)
    return {
        pair: known[pair] if pair in known else _odds_of(agreements, *pair)
        for pair in candidates
        if pair not in refused
    }


def _least(state: PairingState, old: int) -> float:
    return LEAST.get(weighed_as(state.old.entities[old]), _LEAST_OTHERWISE)


def _unaffected(state: PairingState, odds: Odds, n_pairs: int) -> Odds:
    """Return the odds of scopes in which, and in whose containers, nothing was paired after the first `n_pairs`."""
    old, new = state.old, state.new
    olds = {scope for pair in state.pairs[n_pairs:] for scope in (old.scope_of(pair.old), old.inside(pair.old))}
    news = {scope for pair in state.pairs[n_pairs:] for scope in (new.scope_of(pair.new), new.inside(pair.new))}
    return {
        pair: value
        for pair, value in odds.items()
        if old.scope_of(pair[0]) not in olds and new.scope_of(pair[1]) not in news
    }


def _odds_of(agreements: Agreements, old: int, new: int) -> float:
    """Return the logarithm of the odds; minus infinity for what is no proof whatever else agrees."""
    state = agreements.state
    if _has_nothing_in_common(agreements, old, new) or not _may_leave(state, old, new):
        return -inf
    sort, agreement = weighed_as(state.old.entities[old]), agreements.between(old, new)
    is_proof = says_enough(sort, agreement) or (agreement.body > 0 and _are_alone(agreements, old, new))
    return log_odds(sort, agreement) if is_proof else -inf


def _are_alone(agreements: Agreements, old: int, new: int) -> bool:
    """Return True if each is all that is in its file, one of which is gone and the other was not there."""
    state = agreements.state
    before, after = state.old.entities[old].path, state.new.entities[new].path
    is_moved = before not in state.new.paths and after not in state.old.paths
    return is_moved and agreements.n_old[before] == 1 and agreements.n_new[after] == 1


def says_enough(sort: str, agreement: Agreement) -> bool:
    """Return False if only weak evidence agrees: it needs a name, users or a context that agrees, too."""
    is_named = bool(agreement.name or agreement.words or agreement.rewriting or agreement.renamed)
    is_used_alike = max(agreement.uses, agreement.places) >= ALIKE
    has_followed = bool(agreement.flow or agreement.kin or agreement.owners or agreement.company > ALIKE)
    if sort == VALUE:
        return _value_says_enough(agreement, is_named, is_used_alike, has_followed)
    is_named_type = sort == TYPE and agreement.name > 0
    is_alike = max(agreement.tokens, agreement.members) >= FLOOR
    if not (is_alike or is_used_alike or has_followed or is_named_type):
        return False
    if agreement.name and agreement.scope:
        return is_alike or agreement.parameters > 0 or not agreement.light  # Else it is another overload.
    if agreement.light and not (agreement.scope or agreement.name):
        return has_followed or (is_named and (sort == TYPE or agreement.tokens >= _NEARLY_ALL))
    if sort == TYPE and not is_named and not is_used_alike:
        return not agreement.light and max(agreement.tokens, agreement.members) >= ALIKE
    is_in_its_place = agreement.slot > 0 and (agreement.body > 0 or agreement.tokens >= _NEARLY_ALL)
    return is_named or is_used_alike or not agreement.light or is_in_its_place


def _value_says_enough(agreement: Agreement, is_named: bool, is_used_alike: bool, has_followed: bool) -> bool:
    if not agreement.scope:
        return has_followed or not agreement.light  # Every other file has its `X = 1`.
    if agreement.stays:  # The old name is still in use, though perhaps for something else.
        return is_named or (agreement.places >= ALIKE and agreement.contradicted > 0)
    return is_named or is_used_alike or agreement.tokens >= ALIKE


def _has_nothing_in_common(agreements: Agreements, old: int, new: int) -> bool:
    """Return True for two of another name in another place, with other members and other code."""
    state = agreements.state
    if state.old.entities[old].name == state.new.entities[new].name or agreements.votes[old, new]:
        return False
    return state.target_of(old) != state.new.scope_of(new) and state.texts.share(old, new) < FLOOR


def _may_leave(state: PairingState, old: int, new: int) -> bool:
    """Return False for light entities that would go from one type to another that both stay."""
    before, after = state.old.entities[old], state.new.entities[new]
    is_getter = sort_of(before) == FUNCTION and (state.old.is_light(old) or state.new.is_light(new))
    if min(before.weight, after.weight) >= HEAVY or (before.name == after.name and not is_getter):
        return True
    partner = state.old.partners[state.old.owners[old]] if state.old.owners[old] >= 0 else -1
    owner = state.new.owners[new]
    return partner < 0 or owner < 0 or partner == owner or state.new.partners[owner] < 0


def _evidence(state: PairingState, pair: Pair, agreement: Agreement) -> Evidence:
    """Return the word for what most speaks for a pair; the text of a value says little."""
    if agreement.tokens >= ALIKE and sort_of(state.old.entities[pair[0]]) != VALUE:
        return Evidence.SIMILAR
    if max(agreement.uses, agreement.places) >= ALIKE:
        return Evidence.SAME_USES
    return Evidence.SAME_NAME_FOLLOWING if agreement.name and agreement.flow else Evidence.LIKELY


def _are_two_of_a_family(agreements: Agreements, old: int, new: int, odds: float) -> bool:
    """Return True if the pair is uncertain, and another one that is paired is more like one of the two."""
    state = agreements.state
    stays = state.target_of(old) == state.new.scope_of(new)
    if odds >= (_SURE_IF_IT_STAYS if stays else _SURE_IF_IT_LEAVES):
        return False
    share, words = state.texts.share(old, new), _common_words(state, old, new)
    for side, index in ((state.old, old), (state.new, new)):
        beside, elsewhere = side.around(index, _AROUND), _named_alike(side, index, words)
        if _is_one_more_alike(agreements, side, index, beside, share + _BESIDE):
            return True
        if _is_one_more_alike(agreements, side, index, elsewhere, share):
            return True
    return False


def _is_one_more_alike(agreements: Agreements, side: Side, index: int, others: Iterable[int], share: float) -> bool:
    """Return True if one of `others` that is paired and of the same sort is more like an entity than `share`."""
    sort, (bag, weight) = sort_of(side.entities[index]), agreements.weighed(side, index)
    for other in others:
        if side.partners[other] < 0 or sort_of(side.entities[other]) != sort:
            continue
        other_bag, other_weight = agreements.weighed(side, other)
        least = share * (weight + other_weight)
        if 2 * min(weight, other_weight) > least and 2 * agreements.state.texts.common(bag, other_bag) > least:
            return True
    return False


def _common_words(state: PairingState, old: int, new: int) -> frozenset[str]:
    """Return the common words of the names of two entities, if the old one would have left its file."""
    before, after = state.old.entities[old], state.new.entities[new]
    stays = state.target_of(old)[0] == after.path
    return frozenset() if stays else parts_of(before.name) & parts_of(after.name)


def _named_alike(side: Side, index: int, words: Iterable[str]) -> Iterator[int]:
    """Yield entities of any file whose names have the rarest of these words and whose weights are close."""
    entity = side.entities[index]
    named = min((side.by_word[sort_of(entity), word] for word in words), key=len, default=[])
    at = bisect_left(named, (entity.weight, index))
    return (other for _, other in named[max(0, at - _NEAR) : at + _NEAR + 1])
