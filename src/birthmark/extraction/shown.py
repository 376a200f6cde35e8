"""What snapshots show of an outline: its entities as rows, and the names in its references.

A worker makes it with the outline, so that a first index need not unpack outlines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from birthmark.extraction.model import Outline
from birthmark.graph.references import Reference
from birthmark.identity.keys import format_semantic_path
from birthmark.store.model import NameCount


class ShownEntity(NamedTuple):
    """An entity; with the place of a file appended, its scope is the entity's semantic path."""

    scope: str
    kind: str
    name: str
    qualified_name: str
    content_hash: str
    start_line: int
    end_line: int


class ShownOutline(msgspec.Struct, frozen=True, array_like=True):
    """The entities in their order, and each name once."""

    entities: tuple[ShownEntity, ...]
    names: tuple[NameCount, ...]


def show_outline(outline: Outline) -> ShownOutline:
    entities = tuple(
        [
            ShownEntity(
                format_semantic_path(one.language, one.kind, one.name, one.parent, ""),
                one.kind,
                one.name,
                one.qualified_name,
                fingerprint.content,
                one.start_line,
                one.end_line,
            )
            for one, fingerprint in zip(outline.entities, outline.fingerprints, strict=True)
        ]
    )
    return ShownOutline(entities, count_names(outline.references))


def count_names(references: Iterable[Reference]) -> tuple[NameCount, ...]:
    """The names and aliases of references, in their order."""
    counts: dict[str, list[int]] = {}
    for reference in references:
        count = counts.setdefault(reference.name, [0, 0])
        count[0] += 1
        count[1] += reference.edge == "calls"
        if reference.alias is not None:
            counts.setdefault(reference.alias, [0, 0])
    return tuple([NameCount(name, *counts[name]) for name in sorted(counts)])
