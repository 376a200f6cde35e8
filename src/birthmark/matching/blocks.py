"""Which block of a body is which after an edit: loops, conditionals, tries and the like.

Takes two bodies side by side: their blocks, outer ones first, and the TokenAlignment of their tokens. What a block
asks for, its head, and what it does, its body, count alike; that the blocks around two of them are paired adds to it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from birthmark.matching.token_alignment import Token, TokenAlignment, weigh_token
from birthmark.model import Span

SORTS = {
    **dict.fromkeys(("for", "while", "do", "loop", "until", "foreach", "repeat"), "loop"),
    **dict.fromkeys(("if", "elif", "unless"), "if"),
    **dict.fromkeys(("switch", "match", "select"), "switch"),
    **dict.fromkeys(("case", "default", "when"), "case"),
    **dict.fromkeys(("catch", "except", "rescue"), "catch"),
    **dict.fromkeys(("finally", "ensure"), "finally"),
}
CLAUSES = frozenset({"catch", "finally", "else", "case"})  # they are paired only inside of the block they belong to
_SURE, _LIKELY = 0.8, 0.57
_CONTEXT = 0.15  # what it counts that the blocks around are paired
_HEAD_ALONE, _BODY_ALONE = 0.75, 0.7  # what one of them is worth where the other was rewritten
# How much of their bodies must be the same for those that are the only ones of a sort.
_ONLY = {"try": 0.15, "switch": 0.15, "with": 0.15, "synchronized": 0.15, "catch": 0.0, "loop": 0.3}
# How much of head and body must be the same in an `if` that became a `switch`, or a lock that is taken in another way.
_RECAST = {frozenset({"if", "switch"}): (0.9, 0.3), frozenset({"synchronized", "try"}): (0.0, 0.6)}


class Block(NamedTuple):
    """A block with its spans, in tokens and in bytes; `parent` is the block around it."""

    kind: str
    span: Span
    head: Span
    tokens: Span
    head_tokens: Span
    parent: int
    tail: Span = (0, 0)  # of what ends with its condition

    @property
    def sort(self) -> str:
        return SORTS.get(self.kind, self.kind)


class BodyPair(NamedTuple):
    """Two bodies side by side."""

    old: Sequence[Block]
    new: Sequence[Block]
    alignment: TokenAlignment


def align_blocks(bodies: BodyPair) -> dict[int, int]:
    """New block to old block: the sure ones first, then those that are likely because what is around them is paired."""
    aligner = _BlockAligner(bodies)
    aligner.take_best(is_sure=True)
    for take in (aligner.take_best, aligner.take_best, aligner.take_only, aligner.take_best):
        take()
    for adjust in (aligner.take_recast, aligner.take_merged, aligner.take_split):
        adjust()
    return aligner.pairs


def block_likeness(bodies: BodyPair, i: int, j: int) -> float:
    """How much of head and body two blocks have in common."""
    return sum(_BlockAligner(bodies).shares(bodies.old[i], bodies.new[j])) / 2


class _BlockAligner:
    """Pairs blocks by how much of them is aligned together."""

    def __init__(self, bodies: BodyPair) -> None:
        self.bodies = bodies
        self.pairs: dict[int, int] = {}
        self.old_weight = [0.0, *accumulate(weigh_token(token.text) for token in bodies.alignment.old)]
        self.new_weight = [0.0, *accumulate(weigh_token(token.text) for token in bodies.alignment.new)]
        self.aligned = sorted(
            (i, j, times * weigh_token(bodies.alignment.old[i].text))
            for kept, times in ((bodies.alignment.same, 2), (bodies.alignment.swapped, 1))
            for i, j in kept.items()
        )
        self.cache: dict[tuple[int, int], tuple[float, float]] = {}

    def rank(self, i: int, j: int, is_sure: bool) -> tuple[float, float, int]:
        """How alike two blocks are, how likely it is that they are the same, and how far they are apart."""
        if (i, j) not in self.cache:
            self.cache[i, j] = self.shares(self.bodies.old[i], self.bodies.new[j])
        head, body = self.cache[i, j]
        context = 0.0 if is_sure else _CONTEXT * self.context(i, j)
        mean = (head + body) / 2
        return mean + context, max(mean, _HEAD_ALONE * head, _BODY_ALONE * body) + context, -abs(i - j)

    def shares(self, old: Block, new: Block) -> tuple[float, float]:
        """How much the heads have in common, and how much the bodies; of a `try` or `finally` there is no head."""
        body = self._share((old.head_tokens[1], old.tokens[1]), (new.head_tokens[1], new.tokens[1]))
        old_head, new_head = (old.head_tokens[0] + 1, old.head_tokens[1]), (new.head_tokens[0] + 1, new.head_tokens[1])
        if old_head[0] >= old_head[1] and new_head[0] >= new_head[1]:
            return (1.0 if old.sort in CLAUSES else body), body
        return max(self._share(old_head, new_head), self._likeness(old_head, new_head)), body

    def _likeness(self, old: Span, new: Span) -> float:
        """How alike two heads are, wherever they are."""
        before = Counter(token.text for token in self.bodies.alignment.old[slice(*old)])
        after = Counter(token.text for token in self.bodies.alignment.new[slice(*new)])
        common, total = (before & after), before + after
        weight = sum(weigh_token(text) * count for text, count in total.items())
        return 2 * sum(weigh_token(text) * count for text, count in common.items()) / weight if weight else 1.0

    def _share(self, old: Span, new: Span) -> float:
        """Of what both weigh, how much is aligned; a token that was replaced by another counts half."""
        total = self.old_weight[old[1]] - self.old_weight[old[0]] + self.new_weight[new[1]] - self.new_weight[new[0]]
        if not total:
            return 1.0
        first, last = (bisect_left(self.aligned, (index,)) for index in old)
        aligned = self.aligned[first:last]
        return sum([weight for _, partner, weight in aligned if new[0] <= partner < new[1]]) / total

    def context(self, i: int, j: int) -> float:
        """1 where the blocks around are paired with one another, -1 where one is paired with another."""
        outer_old, outer_new = self.bodies.old[i].parent, self.bodies.new[j].parent
        if outer_new < 0 or outer_old < 0:
            return 1.0 if outer_new == outer_old else 0.0
        if outer_new in self.pairs:
            return 1.0 if self.pairs[outer_new] == outer_old else -1.0
        return 0.0

    def take_best(self, is_sure: bool = False) -> None:
        """The most alike of a sort, as long as they are alike enough."""
        taken = set(self.pairs.values())
        candidates = [
            (*self.rank(i, j, is_sure), i, j)
            for i, old in enumerate(self.bodies.old)
            if i not in taken
            for j, new in enumerate(self.bodies.new)
            if j not in self.pairs and old.sort == new.sort and self.may_pair(i, j)
        ]
        for score, likelihood, _, i, j in sorted(candidates, reverse=True):
            is_enough = score >= _SURE if is_sure else likelihood >= _LIKELY
            if is_enough and i not in taken and j not in self.pairs:
                self.pairs[j] = i
                taken.add(i)

    def take_only(self) -> None:
        """Of a sort that is rare the only ones that are left in a paired block, if anything in them is the same."""
        lost = [i for i in range(len(self.bodies.old)) if i not in set(self.pairs.values())]
        free = [j for j in range(len(self.bodies.new)) if j not in self.pairs]
        for j in free:
            new = self.bodies.new[j]
            ours = [i for i in lost if self.bodies.old[i].sort == new.sort and self.context(i, j) > 0]
            theirs = [k for k in free if (self.bodies.new[k].sort, self.bodies.new[k].parent) == (new.sort, new.parent)]
            is_only = len(ours) == len(theirs) == 1 and ours[0] not in self.pairs.values() and new.sort in _ONLY
            if is_only and self.shares(self.bodies.old[ours[0]], new)[1] >= _ONLY[new.sort]:
                self.pairs[j] = ours[0]

    def take_recast(self) -> None:
        """What became of another sort, but asks or does the same."""
        taken = set(self.pairs.values())
        for j, new in enumerate(self.bodies.new):
            for i, old in enumerate(self.bodies.old):
                least = _RECAST.get(frozenset({old.sort, new.sort}))
                if least is not None and i not in taken and j not in self.pairs and self._is_at_least(i, j, least):
                    self.pairs[j] = i
                    taken.add(i)

    def _is_at_least(self, i: int, j: int, least: tuple[float, float]) -> bool:
        head, body = self.shares(self.bodies.old[i], self.bodies.new[j])
        return head >= least[0] and body >= least[1]

    def take_merged(self) -> None:
        """Of two conditionals, one in the other, that became one, the outer one goes on."""
        taken = set(self.pairs.values())
        for j, i in list(self.pairs.items()):
            outer, new = self._conditional_around(i), self.bodies.new[j]
            if outer < 0 or outer in taken or {self.bodies.old[i].sort, new.sort} != {"if"}:
                continue
            if self._asks(new, self.bodies.old[outer]):
                self.pairs[j] = outer

    def _conditional_around(self, i: int) -> int:
        outer = self.bodies.old[i].parent
        while outer >= 0 and self.bodies.old[outer].sort != "if":
            outer = self.bodies.old[outer].parent
        return outer

    def take_split(self) -> None:
        """A conditional that became two is what both were, if each asks for a part of what it asked for."""
        for j, new in enumerate(self.bodies.new):
            if j in self.pairs or new.sort != "if":
                continue
            near = [k for k in self.pairs if new.parent == k or self.bodies.new[k].parent in (j, new.parent)]
            for k in near:
                old, other = self.bodies.old[self.pairs[k]], self.bodies.new[k]
                if old.sort == other.sort == "if" and self._is_split(old, new, other):
                    self.pairs[j] = self.pairs[k]
                    break

    def _is_split(self, old: Block, new: Block, other: Block) -> bool:
        whole, mine = self._words(self.bodies.alignment.old, old), self._words(self.bodies.alignment.new, new)
        theirs = self._words(self.bodies.alignment.new, other)
        return bool(mine and theirs) and mine < whole and theirs < whole and whole <= mine + theirs

    def _asks(self, new: Block, old: Block) -> bool:
        """Whether all that one head asks for is asked for in the other."""
        asked = self._words(self.bodies.alignment.old, old)
        return bool(asked) and asked <= self._words(self.bodies.alignment.new, new)

    def _words(self, tokens: Sequence[Token], block: Block) -> Counter[bytes]:
        head = tokens[block.head_tokens[0] + 1 : block.head_tokens[1]]
        return Counter(token.text for token in head if weigh_token(token.text) == 1)

    def may_pair(self, i: int, j: int) -> bool:
        return self.bodies.old[i].sort not in CLAUSES or self.context(i, j) > 0
