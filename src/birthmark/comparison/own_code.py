"""The lines of a container without those of its members.

Takes an entity of a file; gives its lines, those of its members as one `…` each time. Two states of a class differ in
its own code only if its head, its documentation or something between its members differs.
"""

from __future__ import annotations

import re
from itertools import groupby

from birthmark.comparison.patch import ELIDED, CodeLines, code_of
from birthmark.extraction.model import OutlinedEntity
from birthmark.matching.line_hunks import lines_of
from birthmark.model import Entity, Span

_MASK = bytes(byte if byte in b"\r\n" else 0 for byte in range(256))
_MASKED = re.compile("\0+")
_REMARK = re.compile("(?:(?:#|//).*)?")  # behind the end of a member
_BETWEEN = " \t\r,;\0"  # what separates members, and is nothing by itself


def own_code_of(entity: OutlinedEntity, *, with_name: bool = True) -> CodeLines:
    """Without its name, a container that was renamed is as it was."""
    members = [one for one in entity.file.outline.entities if one.container == entity.ordinal]
    spans = [span for member in members for span in spans_of_member(member)]
    name = entity.entity.name_span
    holes = spans if with_name or name is None else [*spans, name]
    return _without(code_of(entity), entity.file.source(), holes) if holes else code_of(entity)


def _without(code: CodeLines, source: bytes, holes: list[Span]) -> CodeLines:
    last = code.first + len(code.lines) - 1
    masked = lines_of(_mask(source, holes))[code.first - 1 : last]
    numbers, lines, compared = [], [], []
    at = 0
    for is_elided, group in groupby(_elided(masked)):
        size = len(list(group))
        if is_elided:
            first = next(line for line in code.lines[at:] if line.strip())
            lines.append(first[: len(first) - len(first.lstrip())] + "…")
            compared.append(ELIDED)
            numbers.append(code.first + at)
        else:
            lines += code.lines[at : at + size]
            compared += [_MASKED.sub("…", line) for line in masked[at : at + size]]
            numbers += range(code.first + at, code.first + at + size)
        at += size
    return code._replace(lines=tuple(lines), numbers=tuple(numbers), compared=tuple(compared))


def spans_of_member(member: Entity) -> list[Span]:
    """With what is above it, and what it shares with others of one declaration."""
    own = (member.lead_start, member.end_byte)
    return [own] if member.shared_span is None else [own, member.shared_span]


def _mask(source: bytes, spans: list[Span]) -> bytes:
    """The source with all but the line ends of some spans replaced."""
    masked = bytearray(source)
    for start, end in spans:
        masked[start:end] = source[start:end].translate(_MASK)
    return bytes(masked)


def _elided(masked: list[str]) -> list[bool]:
    """Which lines hold nothing but members; blank lines beside those go with them."""
    elided = ["\0" in line and _REMARK.fullmatch(line.strip(_BETWEEN)) is not None for line in masked]
    for order in (range(len(masked)), range(len(masked) - 1, -1, -1)):
        previous = False
        for index in order:
            elided[index] = elided[index] or (previous and not masked[index].strip())
            previous = elided[index]
    return elided
