"""Tile a source with chunks.

Takes a source, its entities and a function that finds syntax boundaries; returns adjacent Pieces that cover the source.
A definition with its comment is a chunk, text between definitions a gap; a container has a chunk for its head and one
for each member. Long chunks are cut at syntax boundaries.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

import msgspec

from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity, Span

CutPoints = Callable[[Span, int], list[int]]

_OPEN = CLASS_LIKE | {"mod", "namespace"}  # whose members are chunks themselves
_WHOLE = FUNCTION_LIKE | {"typedef", "macro", "table", "view"}
_WORD = re.compile(rb"[\w\x80-\xff]")
_LINE_END = re.compile(rb"[ \t]*[;,]?[ \t]*\r?\n")
_BLANK = b" \t\r\f\v"


class ChunkSizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits in bytes: longer chunks are cut, shorter ones join the chunk before them."""

    longest: int = 4096
    shortest: int = 0


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A chunk before its lines and code points are counted."""

    start: int
    end: int
    kind: str
    name: str | None
    entity: int

    def spanning(self, start: int, end: int) -> Piece:
        return Piece(start, end, self.kind, self.name, self.entity)


def tile_source(source: bytes, entities: Sequence[Entity], cut_points: CutPoints, sizes: ChunkSizes) -> list[Piece]:
    pieces = _tile(len(source), _regions(source, entities))
    parts: list[Piece] = []
    for piece in _join(source, pieces, sizes):
        if piece.end - piece.start <= sizes.longest:
            parts.append(piece)
        else:
            parts += _split(source, piece, cut_points, sizes.longest)
    return parts


def _regions(source: bytes, entities: Sequence[Entity]) -> list[Piece]:
    """Return the definitions that are chunks, from their comments to the ends of their last lines."""
    regions: list[Piece] = []
    open_ends: dict[int, int] = {-1: len(source)}
    at = 0
    for index, entity in enumerate(entities):
        limit = open_ends.get(entity.container)
        if limit is None or (entity.kind not in _OPEN and entity.kind not in _WHOLE):
            continue
        start = entity.lead_start
        line_start = source.rfind(b"\n", 0, start) + 1
        if not source[line_start:start].strip(_BLANK):
            start = line_start
        line_end = _LINE_END.match(source, entity.end_byte)
        end = min(line_end.end() if line_end else entity.end_byte, limit)
        start = max(start, at)
        if start >= end:
            continue
        regions.append(Piece(start, end, entity.kind, entity.qualified_name, index))
        at = start
        if entity.kind in _OPEN:
            open_ends[index] = end
        else:
            at = end
    return regions


def _tile(size: int, regions: list[Piece]) -> list[Piece]:
    """Fill the space between regions; the first such space in a container is its head, the others are gaps."""
    pieces: list[Piece] = []
    stack = [Piece(0, size, "gap", None, -1)]
    headed = {-1}
    at = 0

    def fill(end: int) -> None:
        nonlocal at
        top = stack[-1]
        if end > at:
            kind = top.kind if top.entity not in headed else "gap"
            headed.add(top.entity)
            pieces.append(Piece(at, end, kind, top.name, top.entity))
            at = end

    for region in regions:
        while region.start >= stack[-1].end:
            fill(stack[-1].end)
            stack.pop()
        fill(region.start)
        stack.append(region)
    while stack:
        fill(stack[-1].end)
        stack.pop()
    return pieces


def _join(source: bytes, pieces: list[Piece], sizes: ChunkSizes) -> list[Piece]:
    """Join pieces without words, such as blank lines and closing braces, to the chunk before them."""
    joined: list[Piece] = []
    only_blank = False  # so far
    for piece in pieces:
        is_empty = _WORD.search(source, piece.start, piece.end) is None
        is_small = piece.end - piece.start < sizes.shortest
        if joined and only_blank:
            joined[-1] = piece.spanning(joined[-1].start, piece.end)
            only_blank = is_empty
        elif joined and (is_empty or (is_small and piece.end - joined[-1].start <= sizes.longest)):
            joined[-1] = joined[-1].spanning(joined[-1].start, piece.end)
        else:
            joined.append(piece)
            only_blank = is_empty
    return joined


def _split(source: bytes, piece: Piece, cut_points: CutPoints, longest: int) -> list[Piece]:
    """Cut from the end, so that lines inserted above change only the first part."""
    start, end = piece.start, piece.end
    points = _line_starts(source, cut_points((start, end), longest), start)
    parts = []
    while end - start > longest:
        cut = _choose_cut(source, points, end - longest, end)
        parts.append(piece.spanning(cut, end))
        end = cut
    parts.append(piece.spanning(start, end))
    return parts[::-1]


def _line_starts(source: bytes, points: list[int], start: int) -> list[int]:
    """Move a cut before the indentation if it starts a line."""
    starts = set()
    for point in points:
        line_start = source.rfind(b"\n", start, point) + 1
        blank_before = line_start > start and not source[line_start:point].strip(_BLANK)
        starts.add(line_start if blank_before else point)
    return sorted(starts)


def _choose_cut(source: bytes, points: list[int], first: int, end: int) -> int:
    """Return the first syntax boundary from an offset on, else the first line, else the first character."""
    index = bisect_left(points, first)
    if index < len(points) and points[index] < end:
        return points[index]
    line_start = source.find(b"\n", first - 1, end - 1) + 1
    if line_start:
        return line_start
    while first < end - 1 and source[first] & 0xC0 == 0x80:
        first += 1
    return first
