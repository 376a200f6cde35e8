"""The blocks of a body by sort (loops, conditionals, tries), and the odds that two of them are the same.

Takes the blocks of two bodies as a BodyPair, and the blocks that are paired already. Common code, places, surroundings
and contents of two blocks are numbers up to 1; their sum by WEIGHTS is above 0 if the pair is likelier than none. The
weights come from a logistic regression over the blocks of ten repositories, with "none of them" as one more choice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import log2
from typing import NamedTuple

from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, weigh_token
from birthmark.model import Span

SORTS = {
    **dict.fromkeys(("for", "while", "do", "loop", "until", "foreach", "repeat"), "loop"),
    **dict.fromkeys(("if", "elif", "unless"), "if"),
    **dict.fromkeys(("switch", "match", "select"), "switch"),
    **dict.fromkeys(("case", "default", "when"), "case"),
    **dict.fromkeys(("catch", "except", "rescue"), "catch"),
    **dict.fromkeys(("finally", "ensure"), "finally"),
}

CLAUSES = frozenset({"catch", "finally", "else", "case"})  # paired only inside the block they belong to


class Block(NamedTuple):
    """A block with its spans, in tokens and in bytes; `parent` is the block around it."""

    kind: str
    span: Span
    head: Span
    tokens: Span
    head_tokens: Span
    parent: int
    tail: Span = (0, 0)  # of a block that ends with its condition

    @property
    def sort(self) -> str:
        return SORTS.get(self.kind, self.kind)


class BodyPair(NamedTuple):
    """Two bodies side by side."""

    old: Sequence[Block]
    new: Sequence[Block]
    alignment: TokenAlignment


class PairedBlocks:
    """The pairs made so far, and how many blocks of each sort are left in each block."""

    def __init__(self, bodies: BodyPair, pairs: dict[int, int]) -> None:
        """`pairs` are new blocks to old ones."""
        self.bodies = bodies
        self.old_of: dict[int, int] = {}
        self.new_of: dict[int, int] = {}
        self.old_left = Counter((block.parent, block.sort) for block in bodies.old)
        self.new_left = Counter((block.parent, block.sort) for block in bodies.new)
        self.old_inner, self.new_inner = _inner(bodies.old), _inner(bodies.new)
        for j, i in pairs.items():
            self.take(i, j)

    def take(self, i: int, j: int) -> None:
        old, new = self.bodies.old[i], self.bodies.new[j]
        self.old_left[old.parent, old.sort] -= i not in self.new_of  # A block that was split is taken twice.
        self.old_of[j], self.new_of[i] = i, j
        self.new_left[new.parent, new.sort] -= 1

    def is_free(self, i: int, j: int) -> bool:
        return i not in self.new_of and j not in self.old_of

    def are_in_same(self, i: int, j: int) -> bool:
        """Return True if the blocks around two blocks are paired, or there are none."""
        old, new = self.bodies.old[i].parent, self.bodies.new[j].parent
        return old == new == -1 or (new >= 0 and self.old_of.get(new) == old)

    def are_last(self, i: int, j: int) -> bool:
        """Return True if two blocks are the only ones of their sort left in the blocks around them."""
        old, new = self.bodies.old[i], self.bodies.new[j]
        return self.old_left[old.parent, old.sort] == self.new_left[new.parent, new.sort] == 1

    def agreement_inside(self, i: int, j: int) -> float:
        """Return 1 if what is in two blocks is paired with one another, -1 if with others, 0 if with nothing."""
        new = [k for k in self.new_inner.get(j, ()) if k in self.old_of]
        old = [k for k in self.old_inner.get(i, ()) if k in self.new_of]
        if not new and not old:
            return 0.0
        together = sum(self.bodies.old[self.old_of[k]].parent == i for k in new)
        return 4 * together / (len(new) + len(old)) - 1

    def neighbours(self, i: int, j: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs that a new pair makes likelier: the blocks around it, in it, and the last ones beside it."""
        old, new = self.bodies.old[i], self.bodies.new[j]
        if old.parent >= 0 and new.parent >= 0:
            yield from self._free([old.parent], [new.parent])
        yield from self._free(self.old_inner.get(i, ()), self.new_inner.get(j, ()))
        if self.old_left[old.parent, old.sort] == self.new_left[new.parent, new.sort] == 1:
            yield from self._free(self.old_inner[old.parent], self.new_inner[new.parent])

    def _free(self, old: Sequence[int], new: Sequence[int]) -> Iterator[tuple[int, int]]:
        left = [j for j in new if j not in self.old_of]
        for i in (i for i in old if i not in self.new_of):
            yield from ((i, j) for j in left if self.bodies.old[i].sort == self.bodies.new[j].sort)


def _inner(blocks: Sequence[Block]) -> dict[int, list[int]]:
    inner: dict[int, list[int]] = {}
    for index, block in enumerate(blocks):
        inner.setdefault(block.parent, []).append(index)
    return inner


# They choose right for 98.5 % of 4,089 blocks of changed functions; weights fitted to nine of the repositories choose
# right for 98.4 % of the blocks of the tenth.
WEIGHTS = {
    "base": -3.64,
    "head": 2.25,  # common share of the conditions
    "most": 2.28,  # the larger of the common shares of heads and bodies
    "least": 1.85,
    "held": 1.14,  # share of the smaller body that is in the larger one
    "words": 1.72,  # common share of the words of the bodies, in any order
    "before": 0.58,  # the code before them is aligned
    "after": 0.93,
    "only": 1.9,  # they are the last ones of their sort in blocks that are paired
    "only one": 0.79,  # and of a rare sort
    "crowd": -0.96,  # number of blocks of their sort
    "far": -2.23,  # distance
    "inside": 0.95,  # the blocks in them are paired with one another, or with others
}
_RARE = frozenset({"try", "switch", "with", "synchronized"})
_NEVER = -100.0
# Shares of two heads, of two bodies and of the smaller body that are the same; True if neither block has a head.
Shares = tuple[float, float, float, bool]
_MANY = 40_000  # pairs, beyond which only those with aligned tokens are considered


class BlockLikelihood:
    """The likelihoods of the pairs of blocks of two bodies."""

    def __init__(self, bodies: BodyPair) -> None:
        self.bodies = bodies
        self.old, self.new = (
            _BlockTokens(bodies.old, bodies.alignment.old),
            _BlockTokens(bodies.new, bodies.alignment.new),
        )
        aligned = {**bodies.alignment.swapped, **bodies.alignment.same}
        self.aligned = {i: j for i, j in sorted(aligned.items()) if self.old.weights[i]}
        self.old_places, self.new_places = list(self.aligned), sorted(self.aligned.values())
        self.heads, self.insides = (
            self._common(self.old.heads, self.new.heads),
            self._common(self.old.bodies, self.new.bodies),
        )
        self.known_shares: dict[tuple[int, int], Shares] = {}
        self.known_scores: dict[tuple[int, int], float] = {}

    def _common(self, old: Sequence[Span], new: Sequence[Span]) -> Counter[tuple[int, int]]:
        """Return the aligned weight between parts of blocks; replaced tokens count half."""
        old_parts, new_parts = _parts_by_token(old), _parts_by_token(new)
        common: Counter[tuple[int, int]] = Counter()
        for i, j in self.aligned.items():
            weight = self.old.weights[i] / (1 if i in self.bodies.alignment.same else 2)
            for pair in ((a, b) for a in old_parts.get(i, ()) for b in new_parts.get(j, ())):
                common[pair] += weight  # type: ignore[assignment]
        return common

    def candidates(self) -> Iterator[tuple[int, int]]:
        """Yield pairs of one sort; of very many, only those with aligned tokens."""
        old, new = self.bodies.old, self.bodies.new
        if len(old) * len(new) > _MANY:
            pairs = iter(sorted({*self.heads, *self.insides}))
        else:
            pairs = ((i, j) for i in range(len(old)) for j in range(len(new)))
        return ((i, j) for i, j in pairs if old[i].sort == new[j].sort)

    def score(self, i: int, j: int, paired: PairedBlocks) -> float:
        """Return the score of a pair, above 0 if it is likely; a clause pairs only within its block."""
        is_placed = paired.are_in_same(i, j)
        if self.bodies.old[i].sort in CLAUSES and not is_placed:
            return _NEVER
        if (i, j) not in self.known_scores:
            self.known_scores[i, j] = sum(WEIGHTS[name] * value for name, value in self._fixed(i, j).items())
        score = self.known_scores[i, j]
        if is_placed and paired.are_last(i, j):
            score += WEIGHTS["only"] + WEIGHTS["only one"] * (self.bodies.old[i].sort in _RARE)
        return score + WEIGHTS["inside"] * paired.agreement_inside(i, j)

    def _fixed(self, i: int, j: int) -> dict[str, float]:
        """Return the values that do not depend on what is paired."""
        (head, body, held, _), (before, after) = self.shares(i, j), self._are_beside(i, j)
        sort = self.bodies.new[j].sort
        return {
            "base": 1.0,
            "head": head,
            "most": max(head, body),
            "least": min(head, body),
            "held": held,
            "words": _likeness(self.old.body_words[i], self.new.body_words[j]),
            "before": float(before),
            "after": float(after),
            "crowd": log2(self.old.sorts[sort] * self.new.sorts[sort]) / 4,
            "far": abs(i / len(self.bodies.old) - j / len(self.bodies.new)),
        }

    def shares(self, i: int, j: int) -> Shares:
        """Return the shares of a pair; where no block has a head, as with `try`, the body counts for it."""
        if (i, j) not in self.known_shares:
            self.known_shares[i, j] = self._shares(i, j)
        return self.known_shares[i, j]

    def _shares(self, i: int, j: int) -> Shares:
        common, weights = self.insides[i, j], (self.old.body_weight(i), self.new.body_weight(j))
        body = 2 * common / sum(weights) if sum(weights) else 1.0
        held = common / min(weights) if min(weights) else float(not sum(weights))
        if not self.old.head_words[i] and not self.new.head_words[j]:
            return body, body, held, True
        head = 2 * self.heads[i, j] / (self.old.head_weight(i) + self.new.head_weight(j))
        words = _likeness(self.old.head_words[i], self.new.head_words[j])
        return max(head, words), body, held, False

    def _are_beside(self, i: int, j: int) -> tuple[bool, bool]:
        """Return True for before and for after, if the nearest aligned tokens there are paired."""
        old, new = self.bodies.old[i].tokens, self.bodies.new[j].tokens
        before = bisect_left(self.old_places, old[0]) - 1, bisect_left(self.new_places, new[0]) - 1
        after = bisect_left(self.old_places, old[1]), bisect_left(self.new_places, new[1])
        return self._is_same_place(*before), self._is_same_place(*after)

    def _is_same_place(self, i: int, j: int) -> bool:
        ends = {-1, len(self.old_places)}
        if i in ends or j in ends:
            return i == j
        return self.aligned[self.old_places[i]] == self.new_places[j]


class _BlockTokens:
    """The tokens of the blocks of a body, with their weights."""

    def __init__(self, blocks: Sequence[Block], tokens: Sequence[Token]) -> None:
        self.heads = [(min(block.head_tokens[0] + 1, block.head_tokens[1]), block.head_tokens[1]) for block in blocks]
        self.bodies = [(block.head_tokens[1], block.tokens[1]) for block in blocks]
        self.weights = [weigh_token(token.text) for token in tokens]
        self.sums = [0.0, *accumulate(self.weights)]
        self.head_words = [_words(tokens[slice(*span)]) for span in self.heads]
        self.body_words = [_words(tokens[slice(*span)]) for span in self.bodies]
        self.sorts = Counter(block.sort for block in blocks)

    def head_weight(self, index: int) -> float:
        start, end = self.heads[index]
        return self.sums[end] - self.sums[start]

    def body_weight(self, index: int) -> float:
        start, end = self.bodies[index]
        return self.sums[end] - self.sums[start]


def _parts_by_token(spans: Sequence[Span]) -> dict[int, list[int]]:
    parts: dict[int, list[int]] = {}
    for index, span in enumerate(spans):
        for token in range(*span):
            parts.setdefault(token, []).append(index)
    return parts


def _words(tokens: Sequence[Token]) -> Counter[bytes]:
    return Counter(token.text for token in tokens if weigh_token(token.text))


def _likeness(old: Counter[bytes], new: Counter[bytes]) -> float:
    """Return the share of weight that two bags of words have in common."""
    total = sum(weigh_token(text) * count for bag in (old, new) for text, count in bag.items())
    common = sum(weigh_token(text) * min(count, new[text]) for text, count in old.items() if text in new)
    return 2 * common / total if total else 1.0
