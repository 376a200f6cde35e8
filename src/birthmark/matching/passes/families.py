"""Whether two that are similar are only of one family, as tests of one class and modules made from one template are.

Takes an old and a new entity. If one of the family that is paired already is more alike to one of the two than the
other is, they are two of the family: one is gone and the other is new.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator

from birthmark.matching.model import sort_of
from birthmark.matching.pairing_state import PairingState, Side
from birthmark.matching.similarity import Bag, Scale, parts_of

BESIDE = 0.1  # by which one that is paired beside it may be more alike; one in another file may not be at all
_AROUND = 4  # on either side in its scope
_NEAR = 8  # on either side by weight, among those in any file that share a word of their names


def is_of_family(state: PairingState, old: int, new: int) -> bool:
    share, words = state.texts.share(old, new), _common_words(state, old, new)
    sides = (state.old, old, state.texts.old_bags[old]), (state.new, new, state.texts.new_bags[new])
    for side, index, bag in sides:
        beside = _shares(side, index, side.around(index, _AROUND), bag, state.texts.scale)
        elsewhere = _shares(side, index, _named_alike(side, index, words), bag, state.texts.scale)
        if any(other > share + BESIDE for other in beside) or any(other > share for other in elsewhere):
            return True
    return False


def _common_words(state: PairingState, old: int, new: int) -> frozenset[str]:
    """Of the names of two of which one would have left its file; otherwise none are asked for."""
    before, after = state.old.entities[old], state.new.entities[new]
    stays = state.target_of(old)[0] == after.path
    return frozenset() if stays else parts_of(before.name) & parts_of(after.name)


def _shares(side: Side, index: int, others: Iterable[int], bag: Bag, scale: Scale) -> Iterator[float]:
    """How alike it is to those of them that are paired and of its sort."""
    sort = sort_of(side.entities[index])
    for other in others:
        if side.partners[other] >= 0 and sort_of(side.entities[other]) == sort:
            yield scale.share(bag, Counter(side.tokens(side.entities[other])))


def _named_alike(side: Side, index: int, words: Iterable[str]) -> Iterator[int]:
    """Those that have the rarest of these words in their names and that weigh most alike, in any file."""
    entity = side.entities[index]
    named = min((side.by_word[sort_of(entity), word] for word in words), key=len, default=[])
    at = bisect_left(named, (entity.weight, index))
    return (other for _, other in named[max(0, at - _NEAR) : at + _NEAR + 1])
