"""Measure how alike two entities are, by the tokens of their text and by their names.

`tokens_in` cuts any language's source into words, numbers and operators; a bag of them has no order. Frequent tokens
count little, and punctuation less than words. `mutual_best` gives the pairs whose members are each the best of all
candidates for the other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log
from typing import TypeVar

from birthmark.matching.model import MatchCandidate

Bag = Counter[bytes]
Tokens = Callable[[MatchCandidate], Sequence[bytes]]  # of an entity's text
_TOKEN = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*|\d[\w.]*|[^\s\w(){}\[\],;.]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_OPERATOR = 0.25  # of the weight of a word
T = TypeVar("T", bound=Hashable)


def tokens_in(source: bytes) -> list[bytes]:
    """Words, numbers and operators; brackets and separators do not count."""
    return _TOKEN.findall(source)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, however they are joined."""
    return tuple(part.lower() for part in _PART.findall(name)) or (name,)


def parts_of(name: str) -> frozenset[str]:
    return frozenset(words_of(name))


def likeness(old: str, new: str) -> float:
    """The share of words that two names have in common."""
    if old == new:
        return 1.0
    old_parts, new_parts = parts_of(old), parts_of(new)
    return 2 * len(old_parts & new_parts) / (len(old_parts) + len(new_parts))


def character_likeness(old: str, new: str) -> float:
    """The share of pairs of characters that two names have in common: `excludedTags` and `excludeTag` share no word."""
    old_pairs, new_pairs = (Counter(pairwise(name.lower())) for name in (old, new))
    total = old_pairs.total() + new_pairs.total()
    return 2 * (old_pairs & new_pairs).total() / total if total else 0.0


Compare = Callable[[int, int], float]


def text_likeness(
    old: Sequence[MatchCandidate], new: Sequence[MatchCandidate], old_tokens: Tokens, new_tokens: Tokens
) -> tuple[Compare, Compare]:
    """The share of tokens that an old and a new entity have in common: of both, and of the smaller one.

    They are known by their indexes; each is cut up once, and each pair is compared once, though several passes ask.
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
    """Return whether the text of one mentions the name of another of the same side."""
    words = cache(lambda index: frozenset(tokens(entities[index])))
    return lambda one, other: token_of(entities[other].name) in words(one)


class Scale:
    """Weighs tokens by how rare they are among the bags that are compared."""

    def __init__(self, bags: Iterable[Bag]) -> None:
        self.weights: dict[bytes, float] = {}
        for token, count in Counter(token for bag in bags for token in bag).items():
            self.weights[token] = (1.0 if is_word(token) else _OPERATOR) / (1 + log(max(1, count / 2)))

    def weigh(self, bag: Bag) -> float:
        weights = self.weights
        return sum([weights.get(token, 1.0) * count for token, count in bag.items()])

    def common(self, old: Bag, new: Bag) -> float:
        weights = self.weights
        return sum([weights.get(token, 1.0) * min(old[token], new[token]) for token in old if token in new])

    def share(self, one: Bag, other: Bag) -> float:
        """Of what both weigh, how much they have in common: Dice's coefficient."""
        total = self.weigh(one) + self.weigh(other)
        return 2 * self.common(one, other) / total if total else 0.0


def token_of(name: str) -> bytes:
    """As it is cut out of a text: `empty?` and `size=` of Ruby are a word and an operator."""
    return (name.rstrip("?!=") or name).encode()


def is_word(token: bytes) -> bool:
    return token[:1].isalnum() or token[0] in b"_$" or token[0] >= 0x80


def mutual_best(scores: Mapping[tuple[T, T], float], margin: float = 0.0) -> list[tuple[T, T]]:
    """Pairs of old and new that are each other's only best."""
    of_old, of_new = best_candidates(scores, 0, margin), best_candidates(scores, 1, margin)
    return [(old, new) for old, new in scores if of_old[old] == [new] and of_new[new] == [old]]


def best_candidates(scores: Mapping[tuple[T, T], float], side: int, margin: float = 0.0) -> dict[T, list[T]]:
    """For each of a side the best of the other, and those that are as good but for the margin."""
    rows: defaultdict[T, list[tuple[float, T]]] = defaultdict(list)
    for pair, score in scores.items():
        rows[pair[side]].append((score, pair[1 - side]))
    best = {one: max(score for score, _ in row) - margin for one, row in rows.items()}
    return {one: [other for score, other in row if score >= best[one]] for one, row in rows.items()}
