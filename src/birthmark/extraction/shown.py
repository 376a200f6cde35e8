"""What snapshots show of an outline: its entities as rows, and its references by their names.

A worker makes it with the outline, so that a first index need not unpack outlines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.extraction.model import Outline
from birthmark.graph.reading.references import Reference
from birthmark.identity.fingerprints import HEAVY
from birthmark.identity.keys import format_semantic_path
from birthmark.store.model import NamedReferences


class EntityRow(NamedTuple):
    """An entity; with the place of a file appended, its scope is the entity's semantic path."""

    scope: str
    kind: str
    name: str
    qualified_name: str
    content_hash: str
    start_line: int
    end_line: int
    body_hash: str | None  # of a heavy body


class ShownOutline(msgspec.Struct, frozen=True, array_like=True):
    """The entities in their order, and the references by name."""

    entities: tuple[EntityRow, ...]
    names: tuple[NamedReferences, ...]


def show_outline(outline: Outline) -> ShownOutline:
    entities = tuple(
        [
            EntityRow(
                format_semantic_path(one.language, one.kind, one.name, one.parent, ""),
                one.kind,
                one.name,
                one.qualified_name,
                fingerprint.content,
                one.start_line,
                one.end_line,
                fingerprint.body if weight >= HEAVY else None,
            )
            for one, fingerprint, weight in zip(outline.entities, outline.fingerprints, outline.weights, strict=True)
        ]
    )
    return ShownOutline(entities, references_by_name(outline.references))


def references_by_name(references: Iterable[Reference]) -> tuple[NamedReferences, ...]:
    """Under their names, and under their aliases, in the order of these; each with its number in the outline."""
    found: dict[str, list[tuple[int, Reference]]] = {}
    for number, reference in enumerate(references):
        for name in dict.fromkeys((reference.name, reference.alias)):
            if name is not None:
                found.setdefault(name, []).append((number, reference))
    return tuple([_named(name, found[name]) for name in sorted(found)])


def _named(name: str, references: list[tuple[int, Reference]]) -> NamedReferences:
    own = [reference.edge for _, reference in references if reference.name == name]
    return NamedReferences(name, len(own), own.count("calls"), _encode(references))


_encode = msgspec.msgpack.Encoder().encode
unpack_references = msgpack_decoder(list[tuple[int, Reference]]).decode
