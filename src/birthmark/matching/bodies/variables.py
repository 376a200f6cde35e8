"""Which local variable or parameter of a body is which after an edit.

Takes the variables of both states, which blocks are paired, and the TokenAlignment of their tokens. A variable is
found again by its name in the same block, by its name alone, or, when it was renamed, by its declaration and its
uses, which then replace the old ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.matching.bodies.token_alignment import TokenAlignment
from birthmark.matching.bodies.variable_uses import Variable, VariablePairs
from birthmark.matching.similarity import likeness

_MOST = 0.75  # of what both start with
_LIKELY = 1.25  # of 2, half for what both start with and half for their names
_HALF = 0.5  # of the uses that must replace the old ones, or of the words of two names


def align_variables(
    old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], alignment: TokenAlignment
) -> dict[int, int]:
    """New variable to old variable; `blocks` are the paired ones.

    A declaration that replaces another, with most of its uses, is surer than a name that is used again.
    """
    aligner = _VariableAligner(old, new, VariablePairs(old, new, blocks, alignment))
    for propose in (
        aligner.same_place,
        aligner.renamed_in_place,
        aligner.same_name,
        aligner.renamed,
        aligner.left_alone,
    ):
        propose()
    return aligner.pairs


class _VariableAligner:
    def __init__(self, old: Sequence[Variable], new: Sequence[Variable], sides: VariablePairs) -> None:
        self.old, self.new, self.sides = old, new, sides
        self.pairs: dict[int, int] = {}

    def same_place(self) -> None:
        """Of the same name in the same block, unless another one has taken its place there."""
        places = {(variable.name, variable.block): i for i, variable in enumerate(self.old)}
        for j, variable in enumerate(self.new):
            i = places.get((variable.name, self.sides.blocks.get(variable.block, -2)))
            if i is not None and self.old[i].is_parameter == variable.is_parameter and not self._is_replaced(i, j):
                self.pairs[j] = i

    def _is_replaced(self, i: int, j: int) -> bool:
        if self.sides.are_aligned(i, j):
            return False
        others = [k for k, new in enumerate(self.new) if new.name != self.new[j].name and self.sides.are_aligned(i, k)]
        return any(self.sides.joined[i, k] + self._are_named_alike(i, k) > self.sides.joined[i, j] for k in others)

    def _are_named_alike(self, i: int, j: int) -> bool:
        return likeness(self.old[i].name, self.new[j].name) >= _HALF

    def renamed_in_place(self) -> None:
        lost, free = self._left()
        aligned = [(self.sides.joined[i, j], -i, j) for i in lost for j in free if self.sides.are_aligned(i, j)]
        for _, i, j in sorted(aligned, reverse=True):
            is_same = self.old[-i].name == self.new[j].name and self._may_be_same(-i, j)
            if is_same or self._is_renamed(-i, j):
                self._pair(-i, j)

    def _is_renamed(self, i: int, j: int) -> bool:
        """Of two declarations of which one replaces the other."""
        if self.sides.joined[i, j] > 1 or 1 in (len(self.sides.old.uses[i]), len(self.sides.new.uses[j])):
            return True
        if self.sides.are_caught(i, j):
            return True
        is_placed = self.sides.are_in_place(i, j) or self.old[i].type == self.new[j].type
        return is_placed and self.sides.value_share(i, j) >= _MOST

    def _are_same_parameter(self, i: int, j: int) -> bool:
        """Whether both are the parameter at the same position of a signature."""
        old, new = self.old[i], self.new[j]
        return new.role == "parameter" and self.sides.are_in_place(i, j) and old.position == new.position

    def same_name(self) -> None:
        """The only ones of their name that are left."""
        lost, free = self._left()
        for j in free:
            ours = [i for i in lost if self.old[i].name == self.new[j].name]
            theirs = [k for k in free if self.new[k].name == self.new[j].name]
            if len(ours) == len(theirs) == 1 and self._may_be_same(ours[0], j):
                self._pair(ours[0], j)

    def _may_be_same(self, i: int, j: int) -> bool:
        """A name that is used again for something of another type elsewhere is not the same variable."""
        old, new = self.old[i], self.new[j]
        is_typed = bool(old.type and new.type)
        return old.type == new.type or not is_typed or self.sides.are_in_place(i, j) or self.sides.share(i, j) > _HALF

    def renamed(self) -> None:
        """Those most of whose uses replace the old ones, and the same parameters of a signature."""
        lost, free = self._left()
        scored = []
        for i in lost:
            for j in free:
                share, is_placed = self._share(i, j), self._are_placed(i, j)
                old, new = self.old[i], self.new[j]
                is_retyped = old.type != new.type and not self._are_named_alike(i, j)
                if share > _HALF or (share == _HALF and not is_retyped) or (is_placed and share):
                    scored.append((share + is_placed, -abs(i - j), i, j))
        for _, _, i, j in sorted(scored, reverse=True):
            self._pair(i, j)

    def left_alone(self) -> None:
        """What is left may still come from something that is left: the last question before it counts as new."""
        lost, free = self._left()
        scored = [(self._likelihood(i, j), -abs(i - j), i, j) for i in lost for j in free]
        for likelihood, _, i, j in sorted(scored, reverse=True):
            if likelihood >= _LIKELY:
                self._pair(i, j)

    def _likelihood(self, i: int, j: int) -> float:
        """What was caught, parameters in the same place or with names that are alike, and what starts with the same."""
        if self.sides.are_caught(i, j) or (self._are_same_parameter(i, j) and self.sides.are_aligned(i, j)):
            return 2.0
        if {self.old[i].role, self.new[j].role} == {"loop", "parameter"}:
            return 2 * self.sides.value_share(i, j)  # A loop may become a lambda that is called for each.
        if not self.sides.are_in_place(i, j):
            return 0.0
        names = likeness(self.old[i].name, self.new[j].name)
        if self.new[j].role == "parameter":
            return 1 + names if names >= _HALF else 0.0
        share = self.sides.value_share(i, j)
        return 2 * share if share == 1 else share + names

    def _pair(self, i: int, j: int) -> None:
        is_caught = "catch" in (self.old[i].role, self.new[j].role)
        if is_caught and not self.sides.are_caught(i, j):
            return  # What another block catches is something else.
        if j not in self.pairs and i not in self.pairs.values():
            self.pairs[j] = i

    def _share(self, i: int, j: int) -> float:
        """Of the mentions of both; a variable that becomes a parameter of its type leaves its declaration behind."""
        old, new = self.old[i], self.new[j]
        fewest = min(len(self.sides.old.uses[i]), len(self.sides.new.uses[j]))
        if old.is_parameter != new.is_parameter:
            fewest = fewest - 1 if old.type == new.type else 0
        return self.sides.joined[i, j] / fewest if fewest > 0 else 0.0

    def _left(self) -> tuple[list[int], list[int]]:
        lost = set(range(len(self.old))).difference(self.pairs.values())
        return sorted(lost), [j for j in range(len(self.new)) if j not in self.pairs]

    def _are_placed(self, i: int, j: int) -> bool:
        """Whether both are the same parameter of signatures that are alike."""
        return self._are_same_parameter(i, j) and self.old[i].type == self.new[j].type
