"""The body of an entity in parts: tokens, blocks and variables; and the alignment of two states of it.

Takes the source and the Interior of a file; gives FunctionBodies, and which part of one is which of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from birthmark.extraction.model import Interior
from birthmark.history.blocks import read_blocks
from birthmark.history.entity_at_commit import EntityAtCommit, HistorySource
from birthmark.history.variables import read_variables
from birthmark.matching.bodies.block_alignment import align_blocks
from birthmark.matching.bodies.blocks import Block, BodyPair
from birthmark.matching.bodies.token_alignment import Token, TokenAlignment, align_tokens, cut_tokens
from birthmark.matching.bodies.variables import Variable, align_variables
from birthmark.model import Span


class LocalHistorySource(HistorySource, Protocol):
    """A HistorySource that reads the inside of definitions, too."""

    def interior(self, blob: str, path: str) -> Interior | None: ...


class FunctionBody(NamedTuple):
    """The parts of an entity's body."""

    interior: Interior
    start: int
    tokens: Sequence[Token]
    blocks: Sequence[Block]
    variables: Sequence[Variable]


class BodyAlignment(NamedTuple):
    """Which token, block and variable of two states of a body is which; of blocks and variables new to old."""

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
    blocks = read_blocks(interior, span, tokens)
    return FunctionBody(interior, span[0], tokens, blocks, read_variables(interior, span, blocks, tokens))


def align_bodies(old: FunctionBody, new: FunctionBody) -> BodyAlignment:
    """The one alignment by which everything inside of an entity is followed."""
    tokens = align_tokens(old.tokens, new.tokens, _locals(old, new))
    blocks = align_blocks(BodyPair(old.blocks, new.blocks, tokens))
    return BodyAlignment(tokens, blocks, align_variables(old.variables, new.variables, blocks, tokens))


def _locals(old: FunctionBody, new: FunctionBody) -> set[bytes]:
    return {variable.name.encode("utf-8", "surrogateescape") for variable in (*old.variables, *new.variables)}
