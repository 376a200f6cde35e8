"""Split the body of an entity into tokens, blocks and variables, and align two states of it.

Takes the source and the Interior of a file; gives FunctionBodies and their alignment. A block's head is its keyword and
the part before its body: a condition, an iterator, a caught type. It ends with a bracket, a colon, or its own closing
parenthesis.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from birthmark.extraction.model import Interior
from birthmark.history.lineage import EntityAtCommit, HistorySource
from birthmark.history.variables import read_variables
from birthmark.matching.bodies.block_alignment import align_blocks
from birthmark.matching.bodies.blocks import SORTS, Block, BodyPair
from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, align_tokens, cut_tokens
from birthmark.matching.bodies.variables import Variable, align_variables
from birthmark.model import Node, Span
from birthmark.syntax.canonical import DROPPED
from birthmark.vocabulary import HistoryChange

_LAMBDA = "function"
_CLAUSE_CHANGES = {
    "catch": (HistoryChange.CATCH, HistoryChange.CATCH_ADDED, HistoryChange.CATCH_REMOVED),
    "finally": (HistoryChange.FINALLY, HistoryChange.FINALLY_ADDED, HistoryChange.FINALLY_REMOVED),
}

_INDENTED = re.compile(rb"[\x0f-\x1f]")
_BLOCK_ENDS = bytes(range(0x0F, 0x20))
_WORD = re.compile(rb"[A-Za-z_]\w*")
_BODY = re.compile(rb"[{;\w$]|$")  # possible starts of a body


class LocalHistorySource(HistorySource, Protocol):
    """A HistorySource that also reads the inside of definitions."""

    def interior(self, blob: str, path: str) -> Interior | None: ...


class FunctionBody(NamedTuple):
    """The parts of an entity's body."""

    interior: Interior
    start: int
    tokens: Sequence[Token]
    blocks: Sequence[Block]
    variables: Sequence[Variable]


class BodyAlignment(NamedTuple):
    """The alignment of two states of a body; blocks and variables map new to old."""

    tokens: TokenAlignment
    blocks: dict[int, int]
    variables: dict[int, int]


def read_body(repository: LocalHistorySource, entity: EntityAtCommit) -> FunctionBody | None:
    interior = repository.interior(entity.blob, entity.path)
    if interior is None:
        return None
    return split_body(repository.content(entity.blob), interior, (entity.start, entity.start + len(entity.text)))


def split_body(source: bytes, interior: Interior, span: Span) -> FunctionBody:
    tokens = cut_tokens(source, interior.mask, span)
    blocks = _read_blocks(interior, span, tokens)
    return FunctionBody(interior, span[0], tokens, blocks, read_variables(interior, span, blocks, tokens))


def align_bodies(old: FunctionBody, new: FunctionBody) -> BodyAlignment:
    """Align two bodies; everything inside an entity is followed by this alignment."""
    tokens = align_tokens(old.tokens, new.tokens, _locals(old, new))
    blocks = align_blocks(BodyPair(old.blocks, new.blocks, tokens))
    return BodyAlignment(tokens, blocks, align_variables(old.variables, new.variables, blocks, tokens))


def _locals(old: FunctionBody, new: FunctionBody) -> set[bytes]:
    return {variable.name.encode("utf-8", "surrogateescape") for variable in (*old.variables, *new.variables)}


def _read_blocks(interior: Interior, span: Span, tokens: Sequence[Token]) -> list[Block]:
    """Return the blocks of a span, outer blocks before inner ones."""
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
    """Return the end of a block's head, which may be a condition in parentheses or go on after it."""
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
    """Return the span of the condition behind the body of a `do`."""
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
    """Return the offset of one of some marks outside of all brackets."""
    depth = 0
    for index in range(at, end):
        if depth == 0 and mask.startswith(marks, index):
            return index
        depth += (mask[index] in b"([{") - (mask[index] in b")]}")
    return None


def block_changes(
    old: tuple[Interior, Sequence[Block], int], new: tuple[Interior, Sequence[Block], int]
) -> list[HistoryChange]:
    """Return the changes between two states of a block; clauses are reported by name."""
    before, after = _Parts(*old), _Parts(*new)
    changes = [HistoryChange.EXPRESSION] if before.head != after.head else []
    changes += [HistoryChange.BODY] if before.body != after.body else []
    for sort, (changed, added, removed) in _CLAUSE_CHANGES.items():
        ours, theirs = before.clauses(sort), after.clauses(sort)
        if len(ours) < len(theirs):
            changes.append(added)
        elif len(ours) > len(theirs):
            changes.append(removed)
        if ours != theirs and ours and theirs and (len(ours) == len(theirs) or not _lies_among(ours, theirs)):
            changes.append(changed)
    if after.block.sort == "if" and before.has_else != after.has_else:
        changes.append(HistoryChange.ELSE_ADDED if after.has_else else HistoryChange.ELSE_REMOVED)
    return changes


def _lies_among(ours: list[bytes], theirs: list[bytes]) -> bool:
    fewer, more = sorted((ours, theirs), key=len)
    return all(text in more for text in fewer)


class _Parts:
    """The parts of a block: head, body and clauses."""

    def __init__(self, interior: Interior, blocks: Sequence[Block], index: int) -> None:
        self.mask, self.blocks, self.index = interior.mask, blocks, index
        self.block = blocks[index]

    @property
    def head(self) -> bytes:
        return self._text(self.block.head) + self._text(self.block.tail)

    @property
    def body(self) -> bytes:
        """Return the tokens without head and clauses that are reported by name."""
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
        """Return the text without inner blocks, but with an `else` that leads to one."""
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
        """Return the tokens of a span without indentation at its end."""
        return self.mask[slice(*span)].translate(None, DROPPED).rstrip(_BLOCK_ENDS)
