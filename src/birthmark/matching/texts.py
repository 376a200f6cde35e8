"""The tokens of free entities of both sides, what they share, and which pairs are worth comparing.

Takes the tokens of the entities that were free when similarity was first asked for; each text is cut up, weighed and
looked up once, for all passes. Tokens and pairs of adjacent tokens are marks; an entity is looked up by its rarest
ones, so that the cost grows with the number of entities, not its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from birthmark.matching.similarity import Scale

FLOOR = 0.35  # the share of common tokens without which nothing else counts
Mark = bytes | tuple[bytes, bytes]
Marks = Mapping[int, list[Mark]]
Key = Callable[[int], Hashable]
_RARE = 16  # bearers on a side, at most, of a mark that is looked up
_LOOKED_UP = 8  # marks an entity
_COMPARED = 12  # candidates an entity


class Texts:
    def __init__(self, old: Mapping[int, Sequence[bytes]], new: Mapping[int, Sequence[bytes]]) -> None:
        self.marks = _rare_marks(old, new)
        self.old_bags = {index: Counter(tokens) for index, tokens in old.items()}
        self.new_bags = {index: Counter(tokens) for index, tokens in new.items()}
        self.scale = Scale([*self.old_bags.values(), *self.new_bags.values()])
        self.old_weights = {index: self.scale.weigh(bag) for index, bag in self.old_bags.items()}
        self.new_weights = {index: self.scale.weigh(bag) for index, bag in self.new_bags.items()}
        self.shares: dict[tuple[int, int], float] = {}

    def share(self, old: int, new: int) -> float:
        """Of tokens in common; 0 where the sizes alone rule out more than the floor."""
        known = self.shares.get((old, new))
        if known is None:
            known, before, after = 0.0, self.old_weights[old], self.new_weights[new]
            if 2 * min(before, after) > FLOOR * (before + after):
                known = 2 * self.scale.common(self.old_bags[old], self.new_bags[new]) / (before + after)
            self.shares[old, new] = known
        return known


def _rare_marks(
    old: Mapping[int, Sequence[bytes]], new: Mapping[int, Sequence[bytes]]
) -> tuple[dict[int, list[Mark]], dict[int, list[Mark]]]:
    """Of each entity the rarest marks that both sides have."""
    old_marks = {index: _marks(tokens) for index, tokens in old.items()}
    new_marks = {index: _marks(tokens) for index, tokens in new.items()}
    old_counts, new_counts = _count(old_marks.values()), _count(new_marks.values())
    counts = {mark: max(count, new_counts[mark]) for mark, count in old_counts.items() if mark in new_counts}
    rare = {mark: count for mark, count in counts.items() if count <= _RARE}
    return (
        {index: _rarest(marks, rare) for index, marks in old_marks.items()},
        {index: _rarest(marks, rare) for index, marks in new_marks.items()},
    )


def look_up(
    old: Iterable[int], new: Iterable[int], marks: tuple[Marks, Marks], keys: tuple[Key, Key]
) -> Iterator[tuple[int, int]]:
    """Pairs that share rare marks and a key, those with most in common first; None is no key."""
    postings: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index in old:
        key = keys[0](index)
        for mark in marks[0][index] if key is not None else ():
            postings[key, mark].append(index)
    for index in new:
        key = keys[1](index)
        found = Counter(other for mark in marks[1][index] for other in postings.get((key, mark), ()))
        yield from ((other, index) for other, _ in found.most_common(_COMPARED))


def _marks(tokens: Sequence[bytes]) -> set[Mark]:
    return {*tokens, *pairwise(tokens)}


def _count(marks: Iterable[Iterable[Mark]]) -> Counter[Mark]:
    return Counter(mark for own in marks for mark in own)


def _rarest(marks: Iterable[Mark], rare: Mapping[Mark, int]) -> list[Mark]:
    """In an order that does not depend on how sets are ordered."""
    known = sorted((rare[mark], isinstance(mark, bytes), mark) for mark in marks if mark in rare)
    return [mark for _, _, mark in known[:_LOOKED_UP]]
