"""Which pairs are worth comparing: those that share something rare.

Takes the tokens of old and new entities and gives pairs of their indexes. Tokens and pairs of adjacent tokens are
marks; an entity is looked up by its rarest ones, so that the cost grows with the number of entities, not its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

Mark = bytes | tuple[bytes, bytes]
Marks = Mapping[int, list[Mark]]
Key = Callable[[int], Hashable]

_RARE = 16  # bearers on a side, at most, of a mark that is looked up
_LOOKED_UP = 8  # marks an entity
_COMPARED = 12  # candidates an entity


def rare_marks(
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
