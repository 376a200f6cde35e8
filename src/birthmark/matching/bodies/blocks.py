"""The blocks of a body: loops, conditionals, tries and the like, by sort.

Takes the blocks of two bodies as a BodyPair; PairedBlocks holds the pairs found so far and what they say of others.
`block_alignment.py` pairs them, by the likelihoods of `block_likelihood.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.matching.bodies.token_alignment import TokenAlignment
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


class PairedBlocks:
    """The pairs that are taken; and how many blocks of each sort are left in each block."""

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
        """Return whether the blocks around two blocks are paired with one another, or there are none."""
        old, new = self.bodies.old[i].parent, self.bodies.new[j].parent
        return old == new == -1 or (new >= 0 and self.old_of.get(new) == old)

    def are_last(self, i: int, j: int) -> bool:
        """Return whether two blocks are the only ones of their sort that are left in the blocks around them."""
        old, new = self.bodies.old[i], self.bodies.new[j]
        return self.old_left[old.parent, old.sort] == self.new_left[new.parent, new.sort] == 1

    def agreement_inside(self, i: int, j: int) -> float:
        """1 if what is in two blocks is paired with one another, -1 if with others, 0 if with nothing."""
        new = [k for k in self.new_inner.get(j, ()) if k in self.old_of]
        old = [k for k in self.old_inner.get(i, ()) if k in self.new_of]
        if not new and not old:
            return 0.0
        together = sum(self.bodies.old[self.old_of[k]].parent == i for k in new)
        return 4 * together / (len(new) + len(old)) - 1

    def neighbours(self, i: int, j: int) -> Iterator[tuple[int, int]]:
        """The pairs that a new pair makes likelier: the blocks around it, in it, and the last ones beside it."""
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
