"""The blocks of a body: loops, conditionals, tries and the like, by sort.

`block_alignment.py` says which block is which after an edit, by how likely that is (`block_likelihood.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
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
