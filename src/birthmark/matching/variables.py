"""Which local variable or parameter of a body is which after an edit.

Takes the variables of both states, which blocks are paired, and the TokenAlignment of their tokens. A variable is
found again by its name in the same block, by its name alone, or, when it was renamed, by its declaration and its
uses, which then replace the old ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.matching.similarity import likeness
from birthmark.matching.token_alignment import TokenAlignment
from birthmark.model import Span

_HALF = 0.5  # of the uses that must replace the old ones, or of the words of two names


class Variable(NamedTuple):
    """A local name: where it is declared, in which block, and how."""

    name: str
    span: Span
    name_at: int
    block: int  # the innermost around its declaration
    is_parameter: bool
    position: int | None
    type: str
    modifiers: tuple[str, ...]
    annotations: tuple[str, ...]


def align_variables(
    old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], alignment: TokenAlignment
) -> dict[int, int]:
    """New variable to old variable; `blocks` are the paired ones.

    A declaration that replaces another, with most of its uses, is surer than a name that is used again.
    """
    aligner = _VariableAligner(old, new, {**blocks, -1: -1}, alignment)
    for propose in (aligner.same_place, aligner.renamed_in_place, aligner.same_name, aligner.renamed):
        propose()
    return aligner.pairs


class _VariableAligner:
    def __init__(
        self, old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], alignment: TokenAlignment
    ) -> None:
        self.old, self.new, self.blocks, self.alignment = old, new, blocks, alignment
        self.pairs: dict[int, int] = {}
        self.old_at = {token.start: index for index, token in enumerate(alignment.old)}
        self.new_at = {token.start: index for index, token in enumerate(alignment.new)}
        self.old_uses = Counter(token.text for token in alignment.old)
        self.new_uses = Counter(token.text for token in alignment.new)
        self.joined = Counter(
            (alignment.old[i].text, alignment.new[j].text)
            for kept in (alignment.same, alignment.swapped)
            for i, j in kept.items()
        )

    def same_place(self) -> None:
        """Of the same name in the same block, unless another one has taken its place there."""
        places = {(variable.name, variable.block): i for i, variable in enumerate(self.old)}
        for j, variable in enumerate(self.new):
            i = places.get((variable.name, self.blocks.get(variable.block, -2)))
            if i is not None and self.old[i].is_parameter == variable.is_parameter and not self._is_replaced(i, j):
                self.pairs[j] = i

    def _is_replaced(self, i: int, j: int) -> bool:
        if self._are_aligned(i, j):
            return False
        others = [k for k, new in enumerate(self.new) if new.name != self.new[j].name and self._are_aligned(i, k)]
        return any(self._joined(i, k) >= self._joined(i, j) for k in others)

    def renamed_in_place(self) -> None:
        lost, free = self._left()
        aligned = [(self._joined(i, j), -i, j) for i in lost for j in free if self._are_aligned(i, j)]
        for joined, i, j in sorted(aligned, reverse=True):
            if self.old[-i].name == self.new[j].name or joined > 1 or self._is_used_once(-i, j):
                self._pair(-i, j)

    def _is_used_once(self, i: int, j: int) -> bool:
        return 1 in (self.old_uses[_encode(self.old[i].name)], self.new_uses[_encode(self.new[j].name)])

    def same_name(self) -> None:
        """The only ones of their name that are left."""
        lost, free = self._left()
        for j in free:
            ours = [i for i in lost if self.old[i].name == self.new[j].name]
            theirs = [k for k in free if self.new[k].name == self.new[j].name]
            if len(ours) == len(theirs) == 1:
                self._pair(ours[0], j)

    def renamed(self) -> None:
        """Those most of whose uses replace the old ones, and the same parameters of a signature."""
        lost, free = self._left()
        scored = []
        for i in lost:
            for j in free:
                share, is_placed = self._share(i, j), self._are_placed(i, j)
                old, new = self.old[i], self.new[j]
                is_retyped = old.type != new.type and likeness(old.name, new.name) < _HALF
                if share > _HALF or (share == _HALF and not is_retyped) or (is_placed and share):
                    scored.append((share + is_placed, -abs(i - j), i, j))
        for _, _, i, j in sorted(scored, reverse=True):
            self._pair(i, j)

    def _pair(self, i: int, j: int) -> None:
        if j not in self.pairs and i not in self.pairs.values():
            self.pairs[j] = i

    def _joined(self, i: int, j: int) -> int:
        """How many mentions of the one have replaced mentions of the other."""
        return self.joined[_encode(self.old[i].name), _encode(self.new[j].name)]

    def _share(self, i: int, j: int) -> float:
        """Of the mentions of both; a variable that becomes a parameter of its type leaves its declaration behind."""
        old, new = self.old[i], self.new[j]
        fewest = min(self.old_uses[_encode(old.name)], self.new_uses[_encode(new.name)])
        if old.is_parameter != new.is_parameter:
            fewest = fewest - 1 if old.type == new.type else 0
        return self._joined(i, j) / fewest if fewest > 0 else 0.0

    def _left(self) -> tuple[list[int], list[int]]:
        lost = set(range(len(self.old))).difference(self.pairs.values())
        return sorted(lost), [j for j in range(len(self.new)) if j not in self.pairs]

    def _are_aligned(self, i: int, j: int) -> bool:
        at_old, at_new = self.old_at.get(self.old[i].name_at), self.new_at.get(self.new[j].name_at)
        if at_old is None or at_new is None:
            return False
        return self.alignment.same.get(at_old) == at_new or self.alignment.swapped.get(at_old) == at_new

    def _are_placed(self, i: int, j: int) -> bool:
        """Whether both are the same parameter of signatures that are alike."""
        old, new = self.old[i], self.new[j]
        are_parameters = old.is_parameter and new.is_parameter
        return are_parameters and old.position == new.position and old.type == new.type


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
