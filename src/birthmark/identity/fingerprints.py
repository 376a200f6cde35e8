"""Fingerprints: hashes of an entity's tokens.

Takes entities and the mask of their source; returns a Fingerprint and the weight of the body for each. Formatting and
comments are part of `text` only, the name of `content` only, and documentation of `documentation` and `text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from birthmark.model import Entity, Span
from birthmark.syntax.canonical import DROPPED, tokens_of

VERSION = 1
HEAVY = 96  # bytes of tokens; such a body proves identity even in another place under another name

_EDGES = b"=:;,{} \0"  # separators between interface and body, part of neither


class Fingerprint(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Hashes of 16 hex digits; None for a part that the entity lacks."""

    content: str
    interface: str
    body: str | None
    documentation: str | None
    text: str
    version: int = VERSION


def fingerprint_entities(entities: Iterable[Entity], source: bytes, mask: bytes) -> list[tuple[Fingerprint, int]]:
    return [fingerprint_entity(entity, source, mask) for entity in entities]


def fingerprint_entity(entity: Entity, source: bytes, mask: bytes) -> tuple[Fingerprint, int]:
    """Return the fingerprint and the weight: the bytes of the body's tokens. Light bodies are weak evidence."""
    start, end, documentation = entity.start_byte, entity.end_byte, entity.documentation_span
    if entity.shared_span or (documentation and documentation[1] > start):
        content, interface, body = _with_holes(mask, entity)
    else:
        content, interface, body = _without_holes(mask, entity)
    fingerprint = Fingerprint(
        digest(content),
        digest(entity.kind.encode() + b"\0" + interface),
        None if body is None else digest(body),
        digest(_strip_lines(source, documentation)) if documentation else None,
        digest(source[start:end]),
    )
    return fingerprint, len(body or b"")


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]


def _with_holes(mask: bytes, entity: Entity) -> tuple[bytes, bytes, bytes | None]:
    """Return content, interface and body of an entity that contains documentation or shares a span."""
    name = entity.name_span[0] if entity.name_span else entity.start_byte
    before: list[bytes] = []
    after: list[bytes] = []
    for start, end in entity.interface_spans:
        (after if start >= name else before).append(mask[start:end])
    body = tokens_of(mask, entity.body_spans) if entity.body_span else None
    return tokens_of(mask, entity.content_spans), _join_interface(before, after), body


def _without_holes(mask: bytes, entity: Entity) -> tuple[bytes, bytes, bytes | None]:
    """Do the same in the common case without either, which needs no list of spans."""
    start, end = entity.start_byte, entity.end_byte
    name_start, name_end = entity.name_span or (start, start)
    body_start, body_end = entity.body_span or (end, end)
    if body_start < name_end:  # A trailing name, as in `typedef struct {} name`.
        return _with_holes(mask, entity)
    interface = _join_interface([mask[start:name_start]], [mask[name_end:body_start], mask[body_end:end]])
    body = mask[body_start:body_end].translate(None, DROPPED) if entity.body_span else None
    return mask[start:end].translate(None, DROPPED), interface, body


def _join_interface(before: list[bytes], after: list[bytes]) -> bytes:
    """Join the parts before the name and those after it, without separators at their ends."""
    sides = ([part.translate(None, DROPPED).strip(_EDGES) for part in side] for side in (before, after))
    return b"\1".join([b"\0".join([part for part in side if part]) for side in sides])


def _strip_lines(source: bytes, span: Span) -> bytes:
    """Return documentation without its indentation."""
    return b"\n".join(line.strip() for line in source[span[0] : span[1]].splitlines())
