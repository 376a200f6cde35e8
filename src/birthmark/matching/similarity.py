"""Measure the likeness of texts by their tokens and of names by their words, and find texts worth comparing.

`tokens_in` cuts the source of any language into words, numbers and operators; a bag of them has no order. `Texts` gives
frequent tokens less weight than rare ones. Tokens and pairs of adjacent tokens are marks; an entity is looked up by its
rarest marks, so that the cost grows with the number of entities, not its square.

Shingles are runs of a few tokens, by which code is found wherever it went. `winnow` keeps the smallest number of each
window (Schleimer, Wilkerson and Aiken): two texts that share a window's worth of runs share a kept one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log
from typing import TypeVar

import xxhash

from birthmark.matching.model import MatchCandidate

Bag = Counter[bytes]
Tokens = Callable[[MatchCandidate], Sequence[bytes]]  # of an entity's text
_TOKEN = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|\d[\w.]*|[^\s\w(){}\[\],;.]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_OPERATOR = 0.25  # of the weight of a word
T = TypeVar("T", bound=Hashable)


def tokens_in(source: bytes) -> list[bytes]:
    """Return words, numbers and operators; brackets and separators do not count."""
    return _TOKEN.findall(source)


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, however they are joined."""
    return tuple(part.lower() for part in _PART.findall(name)) or (name,)


def parts_of(name: str) -> frozenset[str]:
    return frozenset(words_of(name))


def likeness(old: str, new: str) -> float:
    """Return the share of words that two names have in common."""
    if old == new:
        return 1.0
    old_parts, new_parts = parts_of(old), parts_of(new)
    return 2 * len(old_parts & new_parts) / (len(old_parts) + len(new_parts))


def character_likeness(old: str, new: str) -> float:
    """Return the common share of character pairs: `excludedTags` and `excludeTag` share no word."""
    old_pairs, new_pairs = (Counter(pairwise(name.lower())) for name in (old, new))
    total = old_pairs.total() + new_pairs.total()
    return 2 * (old_pairs & new_pairs).total() / total if total else 0.0


Compare = Callable[[int, int], float]


def text_likeness(
    old: Sequence[MatchCandidate], new: Sequence[MatchCandidate], old_tokens: Tokens, new_tokens: Tokens
) -> tuple[Compare, Compare]:
    """Return functions for the share of common tokens of an old and a new entity: of both, of the smaller one.

    Entities are known by index; each is cut up once and each pair is compared once, for all passes.
    """
    old_bag = cache(lambda index: Counter(old_tokens(old[index])))
    new_bag = cache(lambda index: Counter(new_tokens(new[index])))

    @cache
    def measure(before: int, after: int) -> tuple[int, int, int]:
        bags = old_bag(before), new_bag(after)
        return (bags[0] & bags[1]).total(), bags[0].total(), bags[1].total()

    def share(before: int, after: int) -> float:
        common, n_old, n_new = measure(before, after)
        return 2 * common / (n_old + n_new) if n_old + n_new else 1.0

    def contained(before: int, after: int) -> float:
        common, n_old, n_new = measure(before, after)
        return common / min(n_old, n_new) if n_old and n_new else 0.0

    return share, contained


def mentions_in(entities: Sequence[MatchCandidate], tokens: Tokens) -> Callable[[int, int], bool]:
    """Return a function that tells if the text of one entity mentions the name of another of the same side."""
    words = cache(lambda index: frozenset(tokens(entities[index])))
    return lambda one, other: token_of(entities[other].name) in words(one)


def token_of(name: str) -> bytes:
    """Return a name as it is cut out of a text: Ruby's `empty?` and `size=` are a word and an operator."""
    return (name.rstrip("?!=") or name).encode()


def is_word(token: bytes) -> bool:
    return token[:1].isalnum() or token[0] in b"_$" or token[0] >= 0x80


def mutual_best(scores: Mapping[tuple[T, T], float], margin: float = 0.0) -> list[tuple[T, T]]:
    """Return pairs of old and new that are each other's only best."""
    of_old, of_new = best_candidates(scores, 0, margin), best_candidates(scores, 1, margin)
    return [(old, new) for old, new in scores if of_old[old] == [new] and of_new[new] == [old]]


def best_candidates(scores: Mapping[tuple[T, T], float], side: int, margin: float = 0.0) -> dict[T, list[T]]:
    """Return the best of the other side for each of one side, and those as good within the margin."""
    rows: defaultdict[T, list[tuple[float, T]]] = defaultdict(list)
    for pair, score in scores.items():
        rows[pair[side]].append((score, pair[1 - side]))
    best = {one: max(score for score, _ in row) - margin for one, row in rows.items()}
    return {one: [other for score, other in row if score >= best[one]] for one, row in rows.items()}


FLOOR = 0.35  # the share of common tokens without which nothing else counts
Mark = bytes | tuple[bytes, bytes]
Marks = Mapping[int, list[Mark]]
Key = Callable[[int], Hashable]
_RARE = 16  # bearers on a side, at most, of a mark that is looked up
_LOOKED_UP = 8  # marks an entity
_COMPARED = 12  # candidates an entity


class Texts:
    """Bags of tokens by entity, in which a rare token weighs more than a frequent one."""

    def __init__(self, old: Mapping[int, Sequence[bytes]], new: Mapping[int, Sequence[bytes]]) -> None:
        self.marks = _rare_marks(old, new)
        self.old_bags = {index: Counter(tokens) for index, tokens in old.items()}
        self.new_bags = {index: Counter(tokens) for index, tokens in new.items()}
        bags = (*self.old_bags.values(), *self.new_bags.values())
        self.weights: dict[bytes, float] = {}  # of a token
        for token, count in Counter(token for bag in bags for token in bag).items():
            self.weights[token] = (1.0 if is_word(token) else _OPERATOR) / (1 + log(max(1, count / 2)))
        self.old_weights = {index: self.weigh(bag) for index, bag in self.old_bags.items()}
        self.new_weights = {index: self.weigh(bag) for index, bag in self.new_bags.items()}
        self.shares: dict[tuple[int, int], float] = {}

    def share(self, old: int, new: int) -> float:
        """Return the share of common tokens; 0 where the sizes alone rule out more than the floor."""
        known = self.shares.get((old, new))
        if known is None:
            known, before, after = 0.0, self.old_weights[old], self.new_weights[new]
            if 2 * min(before, after) > FLOOR * (before + after):
                known = 2 * self.common(self.old_bags[old], self.new_bags[new]) / (before + after)
            self.shares[old, new] = known
        return known

    def weigh(self, bag: Bag) -> float:
        weights = self.weights
        return sum([weights.get(token, 1.0) * count for token, count in bag.items()])

    def common(self, old: Bag, new: Bag) -> float:
        """Return the weight of the tokens that both bags have."""
        weights = self.weights
        return sum([weights.get(token, 1.0) * min(old[token], new[token]) for token in old if token in new])


def _rare_marks(
    old: Mapping[int, Sequence[bytes]], new: Mapping[int, Sequence[bytes]]
) -> tuple[dict[int, list[Mark]], dict[int, list[Mark]]]:
    """Return the rarest marks of each entity that both sides have."""
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
    """Yield pairs that share rare marks and a key, those with most in common first; None is no key."""
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
    """Return the rarest marks in a fixed order."""
    known = sorted((rare[mark], isinstance(mark, bytes), mark) for mark in marks if mark in rare)
    return [mark for _, _, mark in known[:_LOOKED_UP]]


SIZE = 5  # tokens of a shingle; brackets and separators are none
_WINDOW = 4  # shingles, of which one is kept

Item = TypeVar("Item")
Shingles = Sequence[int]  # that start at each token but the last ones


def shingles_of(tokens: Sequence[bytes]) -> Shingles:
    return list(map(xxhash.xxh64_intdigest, map(b"\0".join, zip(*_shifted(tokens, SIZE), strict=False))))


def winnow(shingles: Shingles) -> set[int]:
    if len(shingles) <= _WINDOW:
        return {min(shingles)} if shingles else set()
    return set(map(min, *_shifted(shingles, _WINDOW)))


def _shifted(items: Sequence[Item], number: int) -> list[Sequence[Item]]:
    """Return a sequence without its first item, without its first two, and so on; zipped they are its runs."""
    return [items[at:] for at in range(number)]


def cover(shingles: Shingles, known: Container[int]) -> bytearray:
    """Return 1 for each token if a shingle around it is known, else 0."""
    starts = int.from_bytes(bytes(map(known.__contains__, shingles)), "little")  # a byte for each shingle
    covered = 0
    for at in range(SIZE):
        covered |= starts << (8 * at)
    return bytearray(covered.to_bytes(len(shingles) + SIZE - 1 if shingles else 0, "little"))


def count_both(one: bytearray, other: bytearray) -> int:
    """Count the tokens that both have."""
    return (int.from_bytes(one, "little") & int.from_bytes(other, "little")).bit_count()


def keep_both(one: bytearray, other: bytearray) -> bytearray:
    both = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bytearray(both.to_bytes(len(one), "little"))


def keep_any(one: bytearray, other: bytearray) -> bytearray:
    either = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return bytearray(either.to_bytes(len(one), "little"))
