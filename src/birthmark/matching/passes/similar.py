"""Pass 6: pair similar entities that are each other's best by a margin.

Text, name, place and neighbours make one score. A light entity may not leave its scope, and a container with paired
members goes by those. If a paired entity beside one of the two is more like it than the other is, the two are only
alike, as tests of one class are: then one is gone and the other is new.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator

from birthmark.matching.model import FUNCTION, VALUE, MatchCandidate, sort_of
from birthmark.matching.pairing_state import Key, PairingState, Scope, Side
from birthmark.matching.passes.dependents import pair_dependents
from birthmark.matching.similarity import FLOOR, Bag, Texts, best_candidates, likeness, look_up, parts_of
from birthmark.vocabulary import Evidence

# A score is the share of common tokens plus these bonuses. The figures were chosen on judged refactorings, and on
# unchanged entities whose partners had been taken away, which should find no other.
NAME = 0.2  # the names are the same; in part, if they share words
SCOPE = 0.1  # it is where it would be had it stayed
FILE = 0.05  # it is in the same file at least
NEIGHBOUR = 0.06  # for each of the two beside it that is beside it again
ENOUGH = 0.7  # the score it takes
ENOUGH_IF_SMALL = 0.85  # `x = 1` and `y = 1` share two thirds of their tokens
SMALL = 8  # tokens
MARGIN = 0.04  # by which the best must be better than the second
_ROUNDS = 4
_BUCKET = 576  # pairs of a bucket that are all compared
Bucket = Callable[[MatchCandidate, Scope], Hashable]
ALL: Bucket = lambda _, __: 0  # noqa: E731, a row of the table by itself
BUCKETS: tuple[Bucket, ...] = (
    lambda entity, _: parts_of(entity.name),
    lambda _, scope: scope,
    lambda _, scope: scope[0],
)

_BESIDE = 0.1  # by which one that is paired beside it may be more alike; one in another file may not be at all
_AROUND = 4  # on either side in its scope
_NEAR = 8  # on either side by weight, among those in any file that share a word of their names


def pair_similar(state: PairingState) -> None:
    """Pair similar entities in rounds, since each pair helps the next."""
    for _ in range(_ROUNDS):
        n_pairs = len(state.pairs)
        _pair_best(state)
        pair_dependents(state)
        if n_pairs == len(state.pairs) or state.is_settled:
            return


def _pair_best(state: PairingState) -> None:
    """Pair entities that are each other's best and note near ties."""
    scores = {pair: score for pair in find_candidates(state) if (score := _score(state, *pair))}
    of_old, of_new = best_candidates(scores, 0, MARGIN), best_candidates(scores, 1, MARGIN)
    for new, olds in of_new.items():
        if len(olds) > 1:
            state.note_tie(sorted(olds), [new])
    for old, news in of_old.items():
        if len(news) > 1:
            state.note_tie([old], sorted(news))
    chosen = [(old, news[0]) for old, news in of_old.items() if len(news) == 1 and of_new[news[0]] == [old]]
    for old, new in [pair for pair in chosen if not _is_of_family(state, *pair)]:
        state.add(old, new, Evidence.SIMILAR, round(scores[old, new], 3))


def _score(state: PairingState, old: int, new: int) -> float:
    """Return the score of a pair; 0 where it is not enough."""
    share = state.texts.share(old, new)
    if share < FLOOR or not _may_move(state, old, new):
        return 0.0
    before, after = state.old.entities[old], state.new.entities[new]
    score = share + NAME * likeness(before.name, after.name) + _place_score(state, old, new)
    is_small = min(state.texts.old_bags[old].total(), state.texts.new_bags[new].total()) < SMALL
    return score if score >= (ENOUGH_IF_SMALL if is_small else ENOUGH) else 0.0


def _may_move(state: PairingState, old: int, new: int) -> bool:
    """Return False for light entities that leave their scope, unless both scopes lack a counterpart."""
    if sort_of(state.old.entities[old]) == VALUE and state.target_of(old) != state.new.scope_of(new):
        return False  # Every class has its logger, much alike.
    if not state.is_credible(old, new):
        return False
    if state.target_of(old) == state.new.scope_of(new) or not (state.old.is_light(old) or state.new.is_light(new)):
        return True
    before, after = state.old.entities[old], state.new.entities[new]
    is_named = before.name == after.name or (before.parent is None and after.parent is None)
    return is_named and state.old.has_lost_owner(old, state.new) and state.new.has_lost_owner(new, state.old)


def _place_score(state: PairingState, old: int, new: int) -> float:
    target, scope = state.target_of(old), state.new.scope_of(new)
    score = SCOPE if target == scope else FILE if target[0] == scope[0] else 0.0
    return score + NEIGHBOUR * state.n_neighbours(old, new)


def find_candidates(state: PairingState) -> dict[tuple[int, int], None]:
    """Return pairs worth comparing, in an order that depends on nothing but the entities."""
    pairs: dict[tuple[int, int], None] = {}
    for bucket in BUCKETS:
        for old, new in state.groups(*_keys(state, bucket)):
            if len(old) * len(new) <= _BUCKET:
                pairs |= dict.fromkeys((before, after) for before in old for after in new)
    return pairs | dict.fromkeys(look_up(state.old.free, state.new.free, state.texts.marks, _keys(state, ALL)))


def _keys(state: PairingState, bucket: Bucket) -> tuple[Key, Key]:
    return (
        lambda index: _key(state.old, index, bucket, state.target_of(index)),
        lambda index: _key(state.new, index, bucket, state.new.scope_of(index)),
    )


def _key(side: Side, index: int, bucket: Bucket, scope: Scope) -> Hashable:
    """Return family, sort and bucket of an entity; None for a container with paired members."""
    entity = side.entities[index]
    if any(side.partners[member] >= 0 for member in side.members.get(index, ())) and sort_of(entity) != FUNCTION:
        return None
    return entity.family, sort_of(entity), bucket(entity, scope)


def _is_of_family(state: PairingState, old: int, new: int) -> bool:
    share, words = state.texts.share(old, new), _common_words(state, old, new)
    sides = (state.old, old, state.texts.old_bags[old]), (state.new, new, state.texts.new_bags[new])
    for side, index, bag in sides:
        beside = _shares(side, index, side.around(index, _AROUND), bag, state.texts)
        elsewhere = _shares(side, index, _named_alike(side, index, words), bag, state.texts)
        if any(other > share + _BESIDE for other in beside) or any(other > share for other in elsewhere):
            return True
    return False


def _common_words(state: PairingState, old: int, new: int) -> frozenset[str]:
    """Return the common words of the names of two entities, if the old one would have left its file."""
    before, after = state.old.entities[old], state.new.entities[new]
    stays = state.target_of(old)[0] == after.path
    return frozenset() if stays else parts_of(before.name) & parts_of(after.name)


def _shares(side: Side, index: int, others: Iterable[int], bag: Bag, texts: Texts) -> Iterator[float]:
    """Yield the likeness to those of `others` that are paired and of the same sort."""
    sort = sort_of(side.entities[index])
    for other in others:
        if side.partners[other] >= 0 and sort_of(side.entities[other]) == sort:
            yield texts.share_of_bags(bag, Counter(side.tokens(side.entities[other])))


def _named_alike(side: Side, index: int, words: Iterable[str]) -> Iterator[int]:
    """Yield entities of any file whose names have the rarest of these words and whose weights are close."""
    entity = side.entities[index]
    named = min((side.by_word[sort_of(entity), word] for word in words), key=len, default=[])
    at = bisect_left(named, (entity.weight, index))
    return (other for _, other in named[max(0, at - _NEAR) : at + _NEAR + 1])
