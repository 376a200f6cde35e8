"""Fingerprints: what an entity is made of, as hashes of its tokens.

Takes entities and the mask of their source; gives a Fingerprint each, and what its body weighs. Formatting and
comments change none of them but `text`; the name is part of `content` only, and documentation of none of the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

import msgspec

from birthmark.model import Entity, Span
from birthmark.syntax.canonical import DROPPED, tokens_of

VERSION = 1

_EDGES = b"=:;,{} \0"  # what stands between an interface and its body belongs to neither


class Fingerprint(msgspec.Struct, frozen=True, array_like=True):
    """Sixteen hex digits each; null for what the entity does not have."""

    content: str
    interface: str
    body: str | None
    documentation: str | None
    text: str
    version: int = VERSION


def fingerprint_entities(entities: Iterable[Entity], source: bytes, mask: bytes) -> list[tuple[Fingerprint, int]]:
    return [fingerprint_entity(entity, source, mask) for entity in entities]


def fingerprint_entity(entity: Entity, source: bytes, mask: bytes) -> tuple[Fingerprint, int]:
    """The weight is the bytes of the body's tokens: little of it says little about who an entity is."""
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
    """Content, interface and body of an entity with documentation in it, or with a part outside."""
    name = entity.name_span[0] if entity.name_span else entity.start_byte
    before: list[bytes] = []
    behind: list[bytes] = []
    for start, end in entity.interface_spans:
        (behind if start >= name else before).append(mask[start:end])
    body = tokens_of(mask, entity.body_spans) if entity.body_span else None
    return tokens_of(mask, entity.content_spans), _join_interface(before, behind), body


def _without_holes(mask: bytes, entity: Entity) -> tuple[bytes, bytes, bytes | None]:
    """The same for the many that have neither, without a list of spans."""
    start, end = entity.start_byte, entity.end_byte
    name_start, name_end = entity.name_span or (start, start)
    body_start, body_end = entity.body_span or (end, end)
    if body_start < name_end:  # A trailing name, as in `typedef struct {} name`.
        return _with_holes(mask, entity)
    interface = _join_interface([mask[start:name_start]], [mask[name_end:body_start], mask[body_end:end]])
    body = mask[body_start:body_end].translate(None, DROPPED) if entity.body_span else None
    return mask[start:end].translate(None, DROPPED), interface, body


def _join_interface(before: list[bytes], behind: list[bytes]) -> bytes:
    """What stands before the name, then what stands behind it; without what only joins the parts."""
    sides = ([part.translate(None, DROPPED).strip(_EDGES) for part in side] for side in (before, behind))
    return b"\1".join([b"\0".join([part for part in side if part]) for side in sides])


def _strip_lines(source: bytes, span: Span) -> bytes:
    """Documentation is prose: how far it is indented does not matter."""
    return b"\n".join(line.strip() for line in source[span[0] : span[1]].splitlines())
