"""What matching sees of an entity, and what it says of it."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Subject(msgspec.Struct, frozen=True):
    """An entity reduced to what can be recognised. `id` is whatever the caller knows it by."""

    id: str
    path: str
    kind: str
    name: str
    parent: str | None
    start_line: int
    end_line: int
    content: str  # fingerprints
    interface: str = ""
    body: str | None = None


class Evidence(StrEnum):
    """Why two entities are one, from surest to boldest."""

    SAME_CONTENT = "same content"
    SAME_NAME = "same name"
    SAME_INTERFACE = "same name and interface"
    SAME_POSITION = "same name and position"


class Pair(msgspec.Struct, frozen=True):
    """Indexes of an old and a new entity that are one thing."""

    old: int
    new: int
    evidence: Evidence


class Pairing(msgspec.Struct, frozen=True):
    """A one-to-one pairing. What is in no pair is deleted, or born."""

    pairs: tuple[Pair, ...]
    deleted: tuple[int, ...]
    born: tuple[int, ...]
