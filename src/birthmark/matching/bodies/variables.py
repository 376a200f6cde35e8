"""Pair the local variables and parameters of a body before and after an edit.

Takes the Variables of both states, the paired blocks, and the TokenAlignment of their tokens; gives new variable to
old. A variable is found by its name in the same block, by its name alone, or, when it was renamed, by its declaration
and its uses. A mention belongs to the innermost variable of its name, so that each `e` of several `catch` has its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, weigh_token
from birthmark.matching.similarity import likeness, tokens_in
from birthmark.model import Span

_MOST = 0.75  # common share of initial values
_LIKELY = 1.25  # of 2: up to 1 for initial values and up to 1 for names
_HALF = 0.5  # of the uses that must replace the old ones, or of the words of two names


def align_variables(
    old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], alignment: TokenAlignment
) -> dict[int, int]:
    """Return new variable to old variable; `blocks` are the paired ones.

    A declaration that replaces another, with most of its uses, is surer than a name that is used again.
    """
    aligner = _VariableAligner(old, new, blocks, alignment)
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
    """The pairs that were made, and the evidence that two variables are the same one."""

    def __init__(
        self, old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], alignment: TokenAlignment
    ) -> None:
        self.old, self.new = old, new
        self.old_uses, self.new_uses = VariableUses(old, alignment.old), VariableUses(new, alignment.new)
        self.blocks, self.alignment = {**blocks, -1: -1}, alignment
        self.joined = self._read_joined()
        self.pairs: dict[int, int] = {}

    def same_place(self) -> None:
        """Pair variables of one name in the same block, unless another one took its place there."""
        places = {(variable.name, variable.block): i for i, variable in enumerate(self.old)}
        for j, variable in enumerate(self.new):
            i = places.get((variable.name, self.blocks.get(variable.block, -2)))
            if i is not None and self.old[i].is_parameter == variable.is_parameter and not self._is_replaced(i, j):
                self.pairs[j] = i

    def _is_replaced(self, i: int, j: int) -> bool:
        if self.are_aligned(i, j):
            return False
        others = [k for k, new in enumerate(self.new) if new.name != self.new[j].name and self.are_aligned(i, k)]
        return any(self.joined[i, k] + self._are_named_alike(i, k) > self.joined[i, j] for k in others)

    def _are_named_alike(self, i: int, j: int) -> bool:
        return likeness(self.old[i].name, self.new[j].name) >= _HALF

    def renamed_in_place(self) -> None:
        lost, free = self._left()
        aligned = [(self.joined[i, j], -i, j) for i in lost for j in free if self.are_aligned(i, j)]
        for _, i, j in sorted(aligned, reverse=True):
            is_same = self.old[-i].name == self.new[j].name and self._may_be_same(-i, j)
            if is_same or self._is_renamed(-i, j):
                self._pair(-i, j)

    def _is_renamed(self, i: int, j: int) -> bool:
        """Return True if one declaration that replaces another is the same variable."""
        if self.joined[i, j] > 1 or 1 in (len(self.old_uses.uses[i]), len(self.new_uses.uses[j])):
            return True
        if self.are_caught(i, j):
            return True
        is_placed = self.are_in_place(i, j) or self.old[i].type == self.new[j].type
        return is_placed and self.value_share(i, j) >= _MOST

    def _are_same_parameter(self, i: int, j: int) -> bool:
        """Return True if both are the parameter at the same position of a signature."""
        old, new = self.old[i], self.new[j]
        return new.role == "parameter" and self.are_in_place(i, j) and old.position == new.position

    def same_name(self) -> None:
        """Pair the only remaining variables of a name."""
        lost, free = self._left()
        for j in free:
            ours = [i for i in lost if self.old[i].name == self.new[j].name]
            theirs = [k for k in free if self.new[k].name == self.new[j].name]
            if len(ours) == len(theirs) == 1 and self._may_be_same(ours[0], j):
                self._pair(ours[0], j)

    def _may_be_same(self, i: int, j: int) -> bool:
        """Return False for a name that is used again for another type elsewhere."""
        old, new = self.old[i], self.new[j]
        is_typed = bool(old.type and new.type)
        return old.type == new.type or not is_typed or self.are_in_place(i, j) or self._share_of_mentions(i, j) > _HALF

    def renamed(self) -> None:
        """Pair variables most of whose uses replace the old ones, and parameters at the same position."""
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
        """Pair remaining variables that are likely the same, before they count as new."""
        lost, free = self._left()
        scored = [(self._likelihood(i, j), -abs(i - j), i, j) for i in lost for j in free]
        for likelihood, _, i, j in sorted(scored, reverse=True):
            if likelihood >= _LIKELY:
                self._pair(i, j)

    def _likelihood(self, i: int, j: int) -> float:
        """Return up to 2: for caught values, parameters in place or named alike, and equal initial values."""
        if self.are_caught(i, j) or (self._are_same_parameter(i, j) and self.are_aligned(i, j)):
            return 2.0
        if {self.old[i].role, self.new[j].role} == {"loop", "parameter"}:
            return 2 * self.value_share(i, j)  # A loop may become a lambda that is called for each.
        if not self.are_in_place(i, j):
            return 0.0
        names = likeness(self.old[i].name, self.new[j].name)
        if self.new[j].role == "parameter":
            return 1 + names if names >= _HALF else 0.0
        share = self.value_share(i, j)
        return 2 * share if share == 1 else share + names

    def _pair(self, i: int, j: int) -> None:
        is_caught = "catch" in (self.old[i].role, self.new[j].role)
        if is_caught and not self.are_caught(i, j):
            return  # What another block catches is something else.
        if j not in self.pairs and i not in self.pairs.values():
            self.pairs[j] = i

    def _share(self, i: int, j: int) -> float:
        """Return the share of common mentions; a variable that becomes a parameter leaves its declaration behind."""
        old, new = self.old[i], self.new[j]
        fewest = min(len(self.old_uses.uses[i]), len(self.new_uses.uses[j]))
        if old.is_parameter != new.is_parameter:
            fewest = fewest - 1 if old.type == new.type else 0
        return self.joined[i, j] / fewest if fewest > 0 else 0.0

    def _left(self) -> tuple[list[int], list[int]]:
        lost = set(range(len(self.old))).difference(self.pairs.values())
        return sorted(lost), [j for j in range(len(self.new)) if j not in self.pairs]

    def _are_placed(self, i: int, j: int) -> bool:
        """Return True if both are the same parameter of signatures that are alike."""
        return self._are_same_parameter(i, j) and self.old[i].type == self.new[j].type

    def _read_joined(self) -> Counter[tuple[int, int]]:
        """Count the mentions of one that have replaced mentions of another."""
        of_old = {at: i for i, uses in enumerate(self.old_uses.uses) for at in uses}
        of_new = {at: j for j, uses in enumerate(self.new_uses.uses) for at in uses}
        kept = (*self.alignment.same.items(), *self.alignment.swapped.items())
        return Counter((of_old[a], of_new[b]) for a, b in kept if a in of_old and b in of_new)

    def _share_of_mentions(self, i: int, j: int) -> float:
        """Return the share of the mentions of the variable that is mentioned less."""
        fewest = min(len(self.old_uses.uses[i]), len(self.new_uses.uses[j]))
        return self.joined[i, j] / fewest if fewest else 0.0

    def are_aligned(self, i: int, j: int) -> bool:
        """Return True if the declaration of one has replaced that of the other."""
        at_old, at_new = self.old_uses.declared_at(i), self.new_uses.declared_at(j)
        if at_old is None or at_new is None:
            return False
        return at_new in (self.alignment.same.get(at_old), self.alignment.swapped.get(at_old))

    def are_in_place(self, i: int, j: int) -> bool:
        """Return True if both are declared in the same way in blocks that are paired."""
        old, new = self.old[i], self.new[j]
        return old.role == new.role and self.blocks.get(new.block, -2) == old.block

    def are_caught(self, i: int, j: int) -> bool:
        """Return True if the same `catch` caught both, or both are the only caught ones of their type."""
        old, new = self.old[i], self.new[j]
        if not old.role == new.role == "catch":
            return False
        caught = [
            [one for one in side.variables if (one.role, one.type) == ("catch", old.type)]
            for side in (self.old_uses, self.new_uses)
        ]
        return self.are_in_place(i, j) or (old.type == new.type and len(caught[0]) == len(caught[1]) == 1)

    def value_share(self, i: int, j: int) -> float:
        """Return the share of their initial values that is the same."""
        old, new = self.old_uses.value(i), self.new_uses.value(j)
        total = old.total() + new.total()
        return 2 * (old & new).total() / total if total else 0.0


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
    role: str  # `parameter`, `local`, or the sort of the block whose head declares it
    scope: Span
    value: Span  # the initial value


class VariableUses:
    """The variables of one state, with the indexes of the tokens that mention them."""

    def __init__(self, variables: Sequence[Variable], tokens: Sequence[Token]) -> None:
        self.variables, self.tokens = variables, tokens
        self.starts = [token.start for token in tokens]
        self.at = {start: index for index, start in enumerate(self.starts)}
        self.uses = self._read_uses()
        self.values: dict[int, Counter[bytes]] = {}

    def _read_uses(self) -> list[list[int]]:
        """Return the indexes of all mentions of each variable, the declaration among them."""
        uses: list[list[int]] = [[] for _ in self.variables]
        named: dict[bytes, list[int]] = {}
        for index, variable in enumerate(self.variables):
            named.setdefault(variable.name.encode("utf-8", "surrogateescape"), []).append(index)
        for at, token in enumerate(self.tokens):
            if token.text in named and not (at and self.tokens[at - 1].text == b"."):
                uses[self._owner(named[token.text], token.start)].append(at)
        return uses

    def _owner(self, indexes: list[int], at: int) -> int:
        around = [i for i in indexes if self.variables[i].scope[0] <= at < self.variables[i].scope[1]]
        return max(around or indexes, key=lambda i: (self.variables[i].name_at <= at, self.variables[i].scope[0]))

    def declared_at(self, index: int) -> int | None:
        """Return the index of the token that declares a variable."""
        return self.at.get(self.variables[index].name_at)

    def value(self, index: int) -> Counter[bytes]:
        """Return the words of a variable's initial value, if there are several; words of its type do not count."""
        if index not in self.values:
            start, end = self.variables[index].value
            type_ = set(tokens_in(self.variables[index].type.encode("utf-8", "surrogateescape")))
            tokens = self.tokens[bisect_left(self.starts, start) : bisect_left(self.starts, end)]
            words = [text for text, *_ in tokens if weigh_token(text) == 1 and text not in type_]
            self.values[index] = Counter(words if len(words) > 1 else ())
        return self.values[index]
