"""Values of extraction: sources, limits and results.

Outline and FileNodes are read without a path, so that a source is extracted only once wherever it is; `placement.py`
adds the path. Ids and fingerprints are in the order of the entities, nodes or chunks that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import msgspec

from birthmark.graph.reading.references import Binding, Reference
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.overloads import overload_names
from birthmark.identity.uids import ChunkMetrics
from birthmark.model import Chunk, Entity, Location, Node, Problem, Segment
from birthmark.store.model import ContentKey
from birthmark.syntax.encodings import to_utf8


class Limits(NamedTuple):
    """Limits of one task; seconds are of processor time."""

    seconds: float = 20.0
    memory_bytes: int = 2 << 30


class Blob(NamedTuple):
    """A source to extract: git's id of its content, its language, and a function that loads its bytes."""

    content_id: bytes
    language: str
    load: Callable[[], bytes]
    path: str = ""  # one of its paths, for messages

    @property
    def key(self) -> ContentKey:
        return (self.content_id, self.language)

    def load_text(self) -> bytes:
        """Load the text in UTF-8, whose bytes the offsets of an outline count."""
        return to_utf8(self.load())


class ExhaustedProblem(Problem, frozen=True, array_like=True):
    """A source that took too much time or memory, or crashed its worker; another run may succeed."""


class Collisions(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Numbers of equal names that had to be distinguished; unknown for nodes if only some were made."""

    nodes: int | None = None
    nodes_widened: int | None = None
    nodes_counted: int | None = None
    chunks: ChunkMetrics = ChunkMetrics()


class FileNodes(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Everything extracted from one file."""

    path: str
    language: str
    entities: tuple[Entity, ...]
    fingerprints: tuple[Fingerprint, ...]
    weights: tuple[int, ...]  # bytes of tokens in each entity's body
    nodes: tuple[Node, ...]
    semantic_ids: tuple[str, ...]
    entity_nodes: tuple[int, ...]  # which node each entity is
    segments: tuple[Segment, ...]
    chunks: tuple[Chunk, ...]
    chunk_uids: tuple[str, ...]
    chunk_ids: tuple[str, ...]
    collisions: Collisions
    problems: tuple[Problem, ...]
    references: tuple[Reference, ...] = ()
    bindings: tuple[Binding, ...] = ()


class OutlineEntities(msgspec.Struct, frozen=True, array_like=True, dict=True):
    """The first fields of an Outline, which may be unpacked without the others."""

    language: str
    entities: tuple[Entity, ...]
    fingerprints: tuple[Fingerprint, ...]
    weights: tuple[int, ...]
    semantic_ids: tuple[str, ...]  # of the entities

    @cached_property
    def overloads(self) -> dict[int, str]:
        """Names with the types of their parameters, by ordinal, of entities that share a name."""
        return overload_names(self.entities)


class Outline(OutlineEntities, frozen=True, array_like=True):
    """The part of a FileNodes that the index keeps; nodes are read from the source again on demand."""

    segments: tuple[Segment, ...]
    chunks: tuple[Chunk, ...]
    chunk_uids: tuple[str, ...]
    references: tuple[Reference, ...]
    bindings: tuple[Binding, ...]
    collisions: Collisions
    problems: tuple[Problem, ...]


NO_OUTLINE = Outline("", *((),) * 9, Collisions(), ())


class OutlineNames(msgspec.Struct, frozen=True, array_like=True):
    """The first fields of an Outline, of which only those that edges need are unpacked."""

    language: msgspec.Raw
    entities: msgspec.Raw
    fingerprints: msgspec.Raw
    weights: msgspec.Raw
    semantic_ids: msgspec.Raw
    segments: tuple[Segment, ...]
    chunks: msgspec.Raw
    chunk_uids: msgspec.Raw
    references: tuple[Reference, ...]
    bindings: tuple[Binding, ...]


class FileNotes(msgspec.Struct, frozen=True, array_like=True):
    """Collisions and problems of a file, for reports."""

    collisions: Collisions
    problems: tuple[Problem, ...]


class Interior(msgspec.Struct, frozen=True, array_like=True):
    """The inside of a file's definitions: scopes, local names, and tokens at their offsets."""

    nodes: tuple[Node, ...]
    mask: bytes


class OutlinedFile(NamedTuple):
    """A file in one state of a repository: its outline, and a function that loads its bytes."""

    path: str
    outline: Outline
    source: Callable[[], bytes]

    @property
    def outlined(self) -> list[OutlinedEntity]:
        """Return the entities of the file."""
        return [OutlinedEntity(self, ordinal) for ordinal in range(len(self.outline.entities))]


class ChunkedFile(NamedTuple):
    """A file with a placed outline, a function that loads its bytes, and the marks of its entities, if known."""

    path: str
    outline: Outline | FileNodes
    source: Callable[[], bytes]
    marks: tuple[str, ...] | None = None

    def mark_of(self, chunk: Chunk) -> str | None:
        return self.marks[chunk.entity] if self.marks is not None and chunk.entity >= 0 else None


EntityRef = tuple[int, int]  # the index of an OutlinedFile in a sequence, and of an entity or chunk in the file
EntityKey = tuple[str, int]  # a path, and the index of an entity in its outline


class OutlinedEntity(NamedTuple):
    """An entity in an outlined file."""

    file: OutlinedFile
    ordinal: int

    @property
    def entity(self) -> Entity:
        return self.file.outline.entities[self.ordinal]

    @property
    def fingerprint(self) -> Fingerprint:
        return self.file.outline.fingerprints[self.ordinal]

    @property
    def weight(self) -> int:
        return self.file.outline.weights[self.ordinal]

    @property
    def key(self) -> EntityKey:
        return self.file.path, self.ordinal

    @property
    def location(self) -> Location:
        entity = self.entity
        return Location(self.file.path, entity.qualified_name, entity.start_line, entity.end_line)

    @property
    def label(self) -> str:
        return f"{self.file.path}:{self.entity.start_line}"

    def read_text(self) -> bytes:
        """Return the text, with the comments right above it."""
        return self.file.source()[self.entity.lead_start : self.entity.end_byte]
