"""Pass 6: entities that are similar, each the other's best, by a margin.

Text, name, place and neighbours make one score. What is light may not leave its scope, a container with paired members
goes by those, and what is less alike than a neighbour that is paired is only of its family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from functools import partial

from birthmark.matching.model import FUNCTION, VALUE, MatchCandidate, sort_of
from birthmark.matching.mutual_best import best_candidates
from birthmark.matching.pairing_state import PairingState, Scope, Side
from birthmark.matching.rare_tokens import look_up, rare_marks
from birthmark.matching.similarity import Bag, Scale, Tokens, likeness, parts_of
from birthmark.vocabulary import Evidence

# A score is the share of common tokens plus what else agrees. The figures were chosen on refactorings that people had
# judged, and on unchanged entities whose partners had been taken away and which should have found no other.
NAME = 0.2  # the names are the same; in part, if they share words
SCOPE = 0.1  # it is where it would be had it stayed
FILE = 0.05  # it is in the same file at least
NEIGHBOUR = 0.06  # for each of the two beside it that is beside it again
ENOUGH = 0.7  # the score it takes
ENOUGH_IF_SMALL = 0.85  # `x = 1` and `y = 1` share two thirds of their tokens
SMALL = 8  # tokens
FLOOR = 0.35  # the share of common tokens without which nothing else counts
FAMILY = 0.1  # by which a paired neighbour may be more alike; tests of one class are much alike
MARGIN = 0.04  # by which the best must be better than the second

_AROUND = 4  # entities on either side that may be of one family
_BUCKET = 576  # pairs of a bucket that are all compared

Bucket = Callable[[MatchCandidate, Scope], Hashable]

ALL: Bucket = lambda _, __: 0  # noqa: E731, a row of the table by itself
BUCKETS: tuple[Bucket, ...] = (
    lambda entity, _: parts_of(entity.name),
    lambda _, scope: scope,
    lambda _, scope: scope[0],
)


def pair_similar(comparison: SimilarityScores) -> None:
    """Those that are each other's best; near ties are noted."""
    state = comparison.state
    scores = {pair: score for pair in comparison.candidates() if (score := comparison.score(*pair))}
    of_old, of_new = best_candidates(scores, 0, MARGIN), best_candidates(scores, 1, MARGIN)
    for new, olds in of_new.items():
        if len(olds) > 1:
            state.note_tie(sorted(olds), [new])
    for old, news in of_old.items():
        if len(news) > 1:
            state.note_tie([old], sorted(news))
    chosen = [(old, news[0]) for old, news in of_old.items() if len(news) == 1 and of_new[news[0]] == [old]]
    for old, new in [pair for pair in chosen if not comparison.is_less_alike_than_neighbours(*pair)]:
        state.add(old, new, Evidence.SIMILAR, round(scores[old, new], 3))


class SimilarityScores:
    """The tokens of what is free, and the scores between them."""

    def __init__(self, state: PairingState, old_tokens: Tokens, new_tokens: Tokens) -> None:
        self.state = state
        self.old_tokens, self.new_tokens = old_tokens, new_tokens
        old = {index: old_tokens(state.old.entities[index]) for index in state.old.free}
        new = {index: new_tokens(state.new.entities[index]) for index in state.new.free}
        self.marks = rare_marks(old, new)
        self.old_bags = {index: Counter(tokens) for index, tokens in old.items()}
        self.new_bags = {index: Counter(tokens) for index, tokens in new.items()}
        self.scale = Scale([*self.old_bags.values(), *self.new_bags.values()])
        self.old_weights = {index: self.scale.weigh(bag) for index, bag in self.old_bags.items()}
        self.new_weights = {index: self.scale.weigh(bag) for index, bag in self.new_bags.items()}
        self.shares: dict[tuple[int, int], float] = {}

    def score(self, old: int, new: int) -> float:
        """0 where it is not enough."""
        share = self.share(old, new)
        if share < FLOOR or not self._may_move(old, new):
            return 0.0
        before, after = self.state.old.entities[old], self.state.new.entities[new]
        score = share + NAME * likeness(before.name, after.name) + self._place_score(old, new)
        is_small = min(self.old_bags[old].total(), self.new_bags[new].total()) < SMALL
        return score if score >= (ENOUGH_IF_SMALL if is_small else ENOUGH) else 0.0

    def share(self, old: int, new: int) -> float:
        """Of tokens in common; 0 where the sizes alone rule it out."""
        known = self.shares.get((old, new))
        if known is None:
            known, before, after = 0.0, self.old_weights[old], self.new_weights[new]
            if 2 * min(before, after) > FLOOR * (before + after):
                known = 2 * self.scale.common(self.old_bags[old], self.new_bags[new]) / (before + after)
            self.shares[old, new] = known
        return known

    def _may_move(self, old: int, new: int) -> bool:
        """What is light is known by its scope; only if that is gone, it may have become a scope that is new."""
        state = self.state
        if sort_of(state.old.entities[old]) == VALUE and state.target_of(old) != state.new.scope_of(new):
            return False  # Every class has its logger, much alike.
        if not state.is_credible(old, new):
            return False
        if state.target_of(old) == state.new.scope_of(new) or not (state.old.is_light(old) or state.new.is_light(new)):
            return True
        before, after = state.old.entities[old], state.new.entities[new]
        is_named = before.name == after.name or (before.parent is None and after.parent is None)
        return is_named and state.old.has_lost_owner(old, state.new) and state.new.has_lost_owner(new, state.old)

    def _place_score(self, old: int, new: int) -> float:
        target, scope = self.state.target_of(old), self.state.new.scope_of(new)
        score = SCOPE if target == scope else FILE if target[0] == scope[0] else 0.0
        return score + NEIGHBOUR * self.state.n_neighbours(old, new)

    def is_less_alike_than_neighbours(self, old: int, new: int) -> bool:
        """Whether a paired neighbour of one of them is clearly more alike to it than the other."""
        most = self.share(old, new) + FAMILY
        around_old = self._shares_around(self.state.old, old, self.old_bags[old], self.old_tokens)
        around_new = self._shares_around(self.state.new, new, self.new_bags[new], self.new_tokens)
        return any(share > most for shares in (around_old, around_new) for share in shares)

    def _shares_around(self, side: Side, index: int, bag: Bag, tokens: Tokens) -> Iterator[float]:
        sort = sort_of(side.entities[index])
        for other in side.around(index, _AROUND):
            if side.partners[other] >= 0 and sort_of(side.entities[other]) == sort:
                yield self.scale.share(bag, Counter(tokens(side.entities[other])))

    def candidates(self) -> dict[tuple[int, int], None]:
        """Pairs worth comparing, in an order that depends on nothing but the entities."""
        pairs: dict[tuple[int, int], None] = {}
        for bucket in BUCKETS:
            for old, new in self.state.groups(partial(self._old_key, bucket), partial(self._new_key, bucket)):
                if len(old) * len(new) <= _BUCKET:
                    pairs |= dict.fromkeys((before, after) for before in old for after in new)
        keys = partial(self._old_key, ALL), partial(self._new_key, ALL)
        return pairs | dict.fromkeys(look_up(self.state.old.free, self.state.new.free, self.marks, keys))

    def _old_key(self, bucket: Bucket, index: int) -> Hashable:
        return _key(self.state.old, index, bucket, self.state.target_of(index))

    def _new_key(self, bucket: Bucket, index: int) -> Hashable:
        return _key(self.state.new, index, bucket, self.state.new.scope_of(index))


def _key(side: Side, index: int, bucket: Bucket, scope: Scope) -> Hashable:
    """Only of one family and sort can two be one; a container with paired members has no key."""
    entity = side.entities[index]
    if any(side.partners[member] >= 0 for member in side.members.get(index, ())) and sort_of(entity) != FUNCTION:
        return None
    return entity.family, sort_of(entity), bucket(entity, scope)
