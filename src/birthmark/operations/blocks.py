"""The blocks of a body: loops, conditionals, tries and the like; which is which after an edit, and what changed.

Takes Interiors, which know the nodes of a file and its tokens. A block's head is its keyword and what stands before its
body: a condition, an iterator, a caught type. It is found by how heads end: with a bracket, a colon, or their own
closing parenthesis.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from birthmark.matching.bodies import Token, Weave, weigh_token
from birthmark.model import Node, Span
from birthmark.operations.aspects import BODY, EXPRESSION
from birthmark.syntax.canonical import DROPPED

SORTS = {
    **dict.fromkeys(("for", "while", "do", "loop", "until", "foreach", "repeat"), "loop"),
    **dict.fromkeys(("if", "elif", "unless"), "if"),
    **dict.fromkeys(("switch", "match", "select"), "switch"),
    **dict.fromkeys(("case", "default", "when"), "case"),
    **dict.fromkeys(("catch", "except", "rescue"), "catch"),
    **dict.fromkeys(("finally", "ensure"), "finally"),
}
_LAMBDA = "function"
_CLAUSES = frozenset({"catch", "finally", "else", "case"})  # they stand and fall with what they belong to
_SURE, _LIKELY = 0.8, 0.57
_CONTEXT = 0.15  # what it counts that the blocks around are paired
_HEAD_ALONE, _BODY_ALONE = 0.75, 0.7  # what one of them is worth where the other was rewritten
_INDENTED = re.compile(rb"[\x0f-\x1f]")
_BLOCK_ENDS = bytes(range(0x0F, 0x20))
_WORD = re.compile(rb"[A-Za-z_]\w*")
_BODY = re.compile(rb"[{;\w$]|$")  # what a body may start with


class Interior(msgspec.Struct, frozen=True, array_like=True):
    """What stands inside the definitions of a file: its scopes and local names, and its tokens in their places."""

    nodes: tuple[Node, ...]
    mask: bytes


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


def read_blocks(interior: Interior, span: Span, tokens: Sequence[Token]) -> list[Block]:
    """Outer blocks come before those in them."""
    starts = [token.start for token in tokens] or [span[0]]
    nodes = [node for node in interior.nodes if _is_block(node) and _lies_in((node.start_byte, node.end_byte), span)]
    blocks: list[Block] = []
    for node in sorted(nodes, key=lambda node: (node.start_byte, -node.end_byte)):
        where = (node.start_byte, node.end_byte)
        if where[0] <= starts[0] and where[1] == span[1]:
            continue  # It is the entity itself.
        kind = _LAMBDA if node.type == "FUNCTION" else node.name
        head = (where[0], _head_end(interior.mask, where, kind))
        parent = next((i for i in range(len(blocks) - 1, -1, -1) if _lies_in(where, blocks[i].span)), -1)
        at = bisect_left(starts, where[0]), bisect_left(starts, where[1])
        tail = _tail(interior.mask, where, head[1]) if kind == "do" else (0, 0)
        blocks.append(Block(kind, where, head, at, (at[0], bisect_left(starts, head[1])), parent, tail))
    return blocks


def _is_block(node: Node) -> bool:
    return (node.type == "SCOPE" and node.name != "body") or node.type == "FUNCTION"


def _lies_in(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _head_end(mask: bytes, span: Span, kind: str) -> int:
    """A condition in parentheses may be all of the head, unless more of it follows."""
    start, end = span
    word = _WORD.match(mask, start, end)
    at = _skip_blank(mask, word.end() if word else start, end)
    if SORTS.get(kind) == "case" or _INDENTED.search(mask, start, end + 1):
        return _find_outside(mask, at, end, (b":", b"->", b"=>")) or at
    close = _close_of(mask, at, end) if mask[at : at + 1] == b"(" else at
    follows = _skip_blank(mask, close, end)
    if close > at and _BODY.match(mask, follows, end):
        return close
    return _find_outside(mask, at, end, (b"{",)) or close


def _tail(mask: bytes, span: Span, head_end: int) -> Span:
    """The condition behind the body of a `do`."""
    at = mask.rfind(b"while", head_end, span[1])
    return (at, span[1]) if at >= 0 else (0, 0)


def _skip_blank(mask: bytes, at: int, end: int) -> int:
    while at < end and mask[at] <= 0x20:
        at += 1
    return at


def _close_of(mask: bytes, at: int, end: int) -> int:
    depth = 0
    for index in range(at, end):
        depth += (mask[index] in b"([{") - (mask[index] in b")]}")
        if depth == 0:
            return index + 1
    return end


def _find_outside(mask: bytes, at: int, end: int, marks: tuple[bytes, ...]) -> int | None:
    """Where one of some marks stands outside of all brackets."""
    depth = 0
    for index in range(at, end):
        if depth == 0 and mask.startswith(marks, index):
            return index
        depth += (mask[index] in b"([{") - (mask[index] in b")]}")
    return None


class Laid(NamedTuple):
    """Two bodies side by side."""

    old: Sequence[Block]
    new: Sequence[Block]
    weave: Weave


def align_blocks(laid: Laid) -> dict[int, int]:
    """New block to old block: the sure ones first, then those that are likely because what is around them is paired."""
    pairs: dict[int, int] = {}
    scores = _Scores(laid)
    for is_sure in (True, False, False):
        taken = set(pairs.values())
        candidates = [
            (*scores.rank(i, j, pairs, is_sure), i, j)
            for i, old in enumerate(laid.old)
            if i not in taken
            for j, new in enumerate(laid.new)
            if j not in pairs and old.sort == new.sort and scores.may_pair(i, j, pairs)
        ]
        for score, likelihood, _, i, j in sorted(candidates, reverse=True):
            is_enough = score >= _SURE if is_sure else likelihood >= _LIKELY
            if is_enough and i not in taken and j not in pairs:
                pairs[j] = i
                taken.add(i)
    return pairs


class _Scores:
    """How much of two blocks is woven together."""

    def __init__(self, laid: Laid) -> None:
        self.laid = laid
        self.old_weights = [weigh_token(token.text) for token in laid.weave.old]
        self.new_weights = [weigh_token(token.text) for token in laid.weave.new]
        self.partners = {**laid.weave.same, **laid.weave.swapped}
        self.cache: dict[tuple[int, int], tuple[float, float]] = {}

    def rank(self, i: int, j: int, pairs: dict[int, int], is_sure: bool) -> tuple[float, float, int]:
        """How alike two blocks are, how likely it is that they are the same, and how far they are apart."""
        if (i, j) not in self.cache:
            self.cache[i, j] = self.shares(self.laid.old[i], self.laid.new[j])
        head, body = self.cache[i, j]
        context = 0.0 if is_sure else _CONTEXT * self.context(i, j, pairs)
        mean = (head + body) / 2
        return mean + context, max(mean, _HEAD_ALONE * head, _BODY_ALONE * body) + context, -abs(i - j)

    def shares(self, old: Block, new: Block) -> tuple[float, float]:
        """How much the heads have in common, and how much the bodies; of a `try` or `finally` there is no head."""
        body = self._share((old.head_tokens[1], old.tokens[1]), (new.head_tokens[1], new.tokens[1]))
        old_head, new_head = (old.head_tokens[0] + 1, old.head_tokens[1]), (new.head_tokens[0] + 1, new.head_tokens[1])
        if old_head[0] >= old_head[1] and new_head[0] >= new_head[1]:
            return (1.0 if old.sort in _CLAUSES else body), body
        return max(self._share(old_head, new_head), self._likeness(old_head, new_head)), body

    def _likeness(self, old: Span, new: Span) -> float:
        """How alike two heads are, wherever they stand."""
        before = Counter(token.text for token in self.laid.weave.old[slice(*old)])
        after = Counter(token.text for token in self.laid.weave.new[slice(*new)])
        common, total = (before & after), before + after
        weight = sum(weigh_token(text) * count for text, count in total.items())
        return 2 * sum(weigh_token(text) * count for text, count in common.items()) / weight if weight else 1.0

    def _share(self, old: Span, new: Span) -> float:
        total = sum(self.old_weights[slice(*old)]) + sum(self.new_weights[slice(*new)])
        if not total:
            return 1.0
        common = 0.0
        for index in range(*old):
            partner = self.partners.get(index, -1)
            if new[0] <= partner < new[1]:
                common += self.old_weights[index] * (2 if index in self.laid.weave.same else 1)
        return common / total

    def context(self, i: int, j: int, pairs: dict[int, int]) -> float:
        """1 where the blocks around are paired with one another, -1 where one is paired with another."""
        outer_old, outer_new = self.laid.old[i].parent, self.laid.new[j].parent
        if outer_new < 0 or outer_old < 0:
            return 1.0 if outer_new == outer_old else 0.0
        if outer_new in pairs:
            return 1.0 if pairs[outer_new] == outer_old else -1.0
        return 0.0

    def may_pair(self, i: int, j: int, pairs: dict[int, int]) -> bool:
        return self.laid.old[i].sort not in _CLAUSES or self.context(i, j, pairs) > 0


def block_changes(old: tuple[Interior, Sequence[Block], int], new: tuple[Interior, Sequence[Block], int]) -> list[str]:
    """What differs between two states of a block; its clauses are told by name."""
    before, after = _Parts(*old), _Parts(*new)
    changes = [EXPRESSION] if before.head != after.head else []
    changes += [BODY] if before.body != after.body else []
    for sort in ("catch", "finally"):
        ours, theirs = before.clauses(sort), after.clauses(sort)
        if len(ours) < len(theirs):
            changes.append(f"{sort} block added")
        elif len(ours) > len(theirs):
            changes.append(f"{sort} block removed")
        if ours != theirs and ours and theirs and (len(ours) == len(theirs) or not _lies_among(ours, theirs)):
            changes.append(f"{sort} block change")
    if after.block.sort == "if" and before.has_else != after.has_else:
        changes.append("else block added" if after.has_else else "else block removed")
    return changes


def _lies_among(ours: list[bytes], theirs: list[bytes]) -> bool:
    fewer, more = sorted((ours, theirs), key=len)
    return all(text in more for text in fewer)


class _Parts:
    def __init__(self, interior: Interior, blocks: Sequence[Block], index: int) -> None:
        self.mask, self.blocks, self.index = interior.mask, blocks, index
        self.block = blocks[index]

    @property
    def head(self) -> bytes:
        return self._text(self.block.head) + self._text(self.block.tail)

    @property
    def body(self) -> bytes:
        """What is left without head and clauses that are told by name."""
        end = self.block.tail[0] or self.block.span[1]
        text, at = b"", self.block.head[1]
        for start, stop in sorted(clause.span for sort in ("catch", "finally") for clause in self._own(sort)):
            text, at = text + self._text((at, start)), stop
        return text + self._text((at, end))

    @property
    def has_else(self) -> bool:
        return bool(re.search(rb"\belse\b", self._outer_text())) or any(
            block.kind in ("elif", "else") and block.parent == self.index for block in self.blocks
        )

    def _outer_text(self) -> bytes:
        """The text without the blocks in it, but for an `else` that leads to one."""
        at, text = self.block.head[1], b""
        for block in self.blocks:
            if block.parent == self.index:
                text, at = text + self._text((at, block.span[0])) + b";", block.span[1]
        return text + self._text((at, self.block.span[1]))

    def clauses(self, sort: str) -> list[bytes]:
        return [self._text(block.span) for block in self._own(sort)]

    def _own(self, sort: str) -> list[Block]:
        return [block for block in self.blocks if block.parent == self.index and block.sort == sort]

    def _text(self, span: Span) -> bytes:
        """The tokens of a span; where only indentation ends it, its end says nothing."""
        return self.mask[slice(*span)].translate(None, DROPPED).rstrip(_BLOCK_ENDS)
