"""Pair the blocks of a body before and after an edit.

Takes a BodyPair; gives new block to old block. Head and body of a block count alike; paired surroundings add to the
score. Before a block is called new, the remaining pairs are considered by likelihood, the likeliest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from birthmark.matching.bodies.blocks import CLAUSES, Block, BlockLikelihood, BodyPair, PairedBlocks
from birthmark.matching.bodies.token_alignment import Token, weigh_token

_SURE, _LIKELY = 0.8, 0.57
_CONTEXT = 0.15  # added if the blocks around are paired
_HEAD_ALONE, _BODY_ALONE = 0.75, 0.7  # weight of one if the other was rewritten
# Least common share of the bodies of two blocks that are the only ones of their sort.
_ONLY = {"try": 0.15, "switch": 0.15, "with": 0.15, "synchronized": 0.15, "catch": 0.0, "loop": 0.3}
# Least common shares of head and body if an `if` became a `switch`, or a lock is taken in another way.
_RECAST = {frozenset({"if", "switch"}): (0.9, 0.3), frozenset({"synchronized", "try"}): (0.0, 0.6)}
_LEAST = 0.5  # least likelihood of a pair of remaining blocks, most of which are new


def align_blocks(bodies: BodyPair) -> dict[int, int]:
    """Return new block to old block: sure pairs first, then those likely from what is around them, then the rest."""
    aligner = _BlockAligner(bodies)
    aligner.take_best(is_sure=True)
    for take in (aligner.take_best, aligner.take_best, aligner.take_only, aligner.take_best):
        take()
    for adjust in (aligner.take_recast, aligner.take_merged, aligner.take_split, aligner.take_left):
        adjust()
    return aligner.pairs


def block_likeness(bodies: BodyPair, i: int, j: int) -> float:
    """Return the mean share of head and body that two blocks have in common."""
    return sum(_BlockAligner(bodies).shares(i, j)) / 2


class _BlockAligner:
    """Pairs blocks by how much of them is aligned together."""

    def __init__(self, bodies: BodyPair) -> None:
        self.bodies, self.likelihood = bodies, BlockLikelihood(bodies)
        self.candidates = list(self.likelihood.candidates())
        self.pairs: dict[int, int] = {}

    def rank(self, i: int, j: int, is_sure: bool) -> tuple[float, float, int]:
        """Return the score of a pair of blocks, its likelihood, and minus its distance."""
        head, body = self.shares(i, j)
        context = 0.0 if is_sure else _CONTEXT * self.context(i, j)
        mean = (head + body) / 2
        return mean + context, max(mean, _HEAD_ALONE * head, _BODY_ALONE * body) + context, -abs(i - j)

    def shares(self, i: int, j: int) -> tuple[float, float]:
        """Return the common shares of heads and bodies; clauses that both lack a head count 1 for it."""
        head, body, _, is_bare = self.likelihood.shares(i, j)
        return (1.0 if is_bare and self.bodies.old[i].sort in CLAUSES else head), body

    def context(self, i: int, j: int) -> float:
        """1 where the blocks around are paired with one another, -1 where one is paired with another."""
        outer_old, outer_new = self.bodies.old[i].parent, self.bodies.new[j].parent
        if outer_new < 0 or outer_old < 0:
            return 1.0 if outer_new == outer_old else 0.0
        if outer_new in self.pairs:
            return 1.0 if self.pairs[outer_new] == outer_old else -1.0
        return 0.0

    def take_best(self, is_sure: bool = False) -> None:
        """Pair the most alike blocks of a sort, as long as they are alike enough."""
        taken = set(self.pairs.values())
        candidates = [
            (*self.rank(i, j, is_sure), i, j)
            for i, j in self.candidates
            if i not in taken and j not in self.pairs and self.may_pair(i, j)
        ]
        for score, likelihood, _, i, j in sorted(candidates, reverse=True):
            is_enough = score >= _SURE if is_sure else likelihood >= _LIKELY
            if is_enough and i not in taken and j not in self.pairs:
                self.pairs[j] = i
                taken.add(i)

    def take_only(self) -> None:
        """Pair the only two blocks of a rare sort left in a paired block, if anything in them is the same."""
        lost = [i for i in range(len(self.bodies.old)) if i not in set(self.pairs.values())]
        free = [j for j in range(len(self.bodies.new)) if j not in self.pairs]
        for j in free:
            new = self.bodies.new[j]
            ours = [i for i in lost if self.bodies.old[i].sort == new.sort and self.context(i, j) > 0]
            theirs = [k for k in free if (self.bodies.new[k].sort, self.bodies.new[k].parent) == (new.sort, new.parent)]
            is_only = len(ours) == len(theirs) == 1 and ours[0] not in self.pairs.values() and new.sort in _ONLY
            if is_only and self.shares(ours[0], j)[1] >= _ONLY[new.sort]:
                self.pairs[j] = ours[0]

    def take_recast(self) -> None:
        """Pair blocks of different sorts that have the same head or body."""
        taken = set(self.pairs.values())
        for j, new in enumerate(self.bodies.new):
            for i, old in enumerate(self.bodies.old):
                least = _RECAST.get(frozenset({old.sort, new.sort}))
                if least is not None and i not in taken and j not in self.pairs and self._is_at_least(i, j, least):
                    self.pairs[j] = i
                    taken.add(i)

    def _is_at_least(self, i: int, j: int, least: tuple[float, float]) -> bool:
        head, body = self.shares(i, j)
        return head >= least[0] and body >= least[1]

    def take_merged(self) -> None:
        """Continue the outer one of two nested conditionals that became one."""
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
        """Pair both parts of a conditional that was split, if each asks for a part of what it asked for."""
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
        """Return True if the new head contains all words of the old one."""
        asked = self._words(self.bodies.alignment.old, old)
        return bool(asked) and asked <= self._words(self.bodies.alignment.new, new)

    def _words(self, tokens: Sequence[Token], block: Block) -> Counter[bytes]:
        head = tokens[block.head_tokens[0] + 1 : block.head_tokens[1]]
        return Counter(token.text for token in head if weigh_token(token.text) == 1)

    def take_left(self) -> None:
        """Pair the likeliest of the remaining blocks; a score that fell since it was noted is noted again."""
        paired = PairedBlocks(self.bodies, self.pairs)
        noted = [self._note(i, j, paired) for i, j in self.candidates if paired.is_free(i, j)]
        heapify(noted)
        while noted and noted[0][0] < -_LEAST:
            score, _, i, j = heappop(noted)
            if not paired.is_free(i, j):
                continue
            now = self._note(i, j, paired)
            if now[0] > score:
                heappush(noted, now)
                continue
            paired.take(i, j)
            self.pairs[j] = i
            for k, m in paired.neighbours(i, j):
                heappush(noted, self._note(k, m, paired))

    def _note(self, i: int, j: int, paired: PairedBlocks) -> tuple[float, int, int, int]:
        return -self.likelihood.score(i, j, paired), abs(i - j), i, j

    def may_pair(self, i: int, j: int) -> bool:
        return self.bodies.old[i].sort not in CLAUSES or self.context(i, j) > 0
