"""The local variables of two states of a body side by side: which mentions of one have replaced those of another.

Takes the variables of both states, which blocks are paired, and the TokenAlignment of their tokens. A mention belongs
to the innermost variable that has its name, so that each `e` of several `catch` has its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, weigh_token
from birthmark.matching.similarity import tokens_in
from birthmark.model import Span


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
    role: str  # what declares it: `parameter`, `local`, or the sort of block whose head does
    scope: Span
    value: Span  # what it starts with


class VariableUses:
    """The variables of one state, with the indexes of the tokens that mention them."""

    def __init__(self, variables: Sequence[Variable], tokens: Sequence[Token]) -> None:
        self.variables, self.tokens = variables, tokens
        self.starts = [token.start for token in tokens]
        self.at = {start: index for index, start in enumerate(self.starts)}
        self.uses = self._read_uses()
        self.values: dict[int, Counter[bytes]] = {}

    def _read_uses(self) -> list[list[int]]:
        """All mentions, the declaration among them."""
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
        """The token that is its name where it is declared."""
        return self.at.get(self.variables[index].name_at)

    def value(self, index: int) -> Counter[bytes]:
        """The words that it starts with, if there are several; those of its type say nothing more."""
        if index not in self.values:
            start, end = self.variables[index].value
            type_ = set(tokens_in(self.variables[index].type.encode("utf-8", "surrogateescape")))
            tokens = self.tokens[bisect_left(self.starts, start) : bisect_left(self.starts, end)]
            words = [text for text, *_ in tokens if weigh_token(text) == 1 and text not in type_]
            self.values[index] = Counter(words if len(words) > 1 else ())
        return self.values[index]


class VariablePairs:
    """What speaks for it that two variables are the same one."""

    def __init__(
        self, old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], alignment: TokenAlignment
    ) -> None:
        self.old, self.new = VariableUses(old, alignment.old), VariableUses(new, alignment.new)
        self.blocks, self.alignment = {**blocks, -1: -1}, alignment
        self.joined = self._read_joined()

    def _read_joined(self) -> Counter[tuple[int, int]]:
        """How many mentions of one have replaced mentions of another."""
        of_old = {at: i for i, uses in enumerate(self.old.uses) for at in uses}
        of_new = {at: j for j, uses in enumerate(self.new.uses) for at in uses}
        kept = (*self.alignment.same.items(), *self.alignment.swapped.items())
        return Counter((of_old[a], of_new[b]) for a, b in kept if a in of_old and b in of_new)

    def share(self, i: int, j: int) -> float:
        """Of the mentions of the one that is mentioned less."""
        fewest = min(len(self.old.uses[i]), len(self.new.uses[j]))
        return self.joined[i, j] / fewest if fewest else 0.0

    def are_aligned(self, i: int, j: int) -> bool:
        """Whether the declaration of the one has replaced that of the other."""
        at_old, at_new = self.old.declared_at(i), self.new.declared_at(j)
        if at_old is None or at_new is None:
            return False
        return at_new in (self.alignment.same.get(at_old), self.alignment.swapped.get(at_old))

    def are_in_place(self, i: int, j: int) -> bool:
        """Whether they are declared in the same way in blocks that are paired."""
        old, new = self.old.variables[i], self.new.variables[j]
        return old.role == new.role and self.blocks.get(new.block, -2) == old.block

    def are_caught(self, i: int, j: int) -> bool:
        """Whether they are what the same `catch` caught, or the only ones of their type that are caught."""
        old, new = self.old.variables[i], self.new.variables[j]
        if not old.role == new.role == "catch":
            return False
        caught = [
            [one for one in side.variables if (one.role, one.type) == ("catch", old.type)]
            for side in (self.old, self.new)
        ]
        return self.are_in_place(i, j) or (old.type == new.type and len(caught[0]) == len(caught[1]) == 1)

    def value_share(self, i: int, j: int) -> float:
        """How much of what they start with is the same."""
        old, new = self.old.value(i), self.new.value(j)
        total = old.total() + new.total()
        return 2 * (old & new).total() / total if total else 0.0
