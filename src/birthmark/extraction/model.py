"""The values of extraction: what is read, how much of it, and what comes out.

An Outline and a FileNodes are read without a path, so that a source is extracted once wherever it is; `placement.py`
puts the path in. Ids and fingerprints are in the order of what they belong to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from birthmark.entities.chunks import ChunkSizes
from birthmark.graph.reading.bindings import Binding
from birthmark.graph.reading.references import Reference
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.uids import ChunkMetrics
from birthmark.model import Chunk, Entity, Location, Node, Problem, Segment
from birthmark.store.model import ContentKey


class ReadOptions(msgspec.Struct, frozen=True):
    """How large chunks are."""

    chunk_sizes: ChunkSizes = ChunkSizes()


class Limits(NamedTuple):
    """What one task may use; seconds are of processor time."""

    seconds: float = 20.0
    memory_bytes: int = 2 << 30


class Blob(NamedTuple):
    """A source to be extracted: git's id of its content, its language, and a way to its bytes."""

    content_id: bytes
    language: str
    load: Callable[[], bytes]
    path: str = ""  # one at which it is, for messages

    @property
    def key(self) -> ContentKey:
        return (self.content_id, self.language)


class ExhaustedProblem(Problem, frozen=True, array_like=True):
    """A source that took too much time or memory, or whose worker died; another run may succeed."""


class Collisions(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How often equal names had to be distinguished; that of nodes is not known where only some of them are made."""

    nodes: int | None = None
    nodes_widened: int | None = None
    nodes_counted: int | None = None
    chunks: ChunkMetrics = ChunkMetrics()


class FileNodes(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that one file holds."""

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


class Outline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the index keeps of a FileNodes; nodes are read again from the source when they are asked for."""

    language: str
    entities: tuple[Entity, ...]
    fingerprints: tuple[Fingerprint, ...]
    weights: tuple[int, ...]
    semantic_ids: tuple[str, ...]  # of the entities
    segments: tuple[Segment, ...]
    chunks: tuple[Chunk, ...]
    chunk_uids: tuple[str, ...]
    references: tuple[Reference, ...]
    bindings: tuple[Binding, ...]
    collisions: Collisions
    problems: tuple[Problem, ...]


NO_OUTLINE = Outline("", *((),) * 9, Collisions(), ())


class OutlineEntities(msgspec.Struct, frozen=True, array_like=True):
    """The language and entities of an Outline; its other fields are not unpacked."""

    language: str
    entities: tuple[Entity, ...]


class OutlineNames(msgspec.Struct, frozen=True, array_like=True):
    """What edges need of an Outline, whose first fields these are; the others are not unpacked."""

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
    """What is to be reported of a file besides what it holds."""

    collisions: Collisions
    problems: tuple[Problem, ...]


class Interior(msgspec.Struct, frozen=True, array_like=True):
    """What is inside the definitions of a file: its scopes and local names, and its tokens at their offsets."""

    nodes: tuple[Node, ...]
    mask: bytes


class OutlinedFile(NamedTuple):
    """A file in one state of a repository: its outline, and a way to its bytes."""

    path: str
    outline: Outline
    source: Callable[[], bytes]


class ChunkedFile(NamedTuple):
    """A file, its outline with the path in it, a way to its bytes, and the marks of its entities, if they are known."""

    path: str
    outline: Outline | FileNodes
    source: Callable[[], bytes]
    marks: tuple[str, ...] | None = None

    def mark_of(self, chunk: Chunk) -> str | None:
        return self.marks[chunk.entity] if self.marks is not None and chunk.entity >= 0 else None


EntityRef = tuple[int, int]  # the index of a file in a sequence of OutlinedFiles, and of an entity or chunk in it
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
        """With the comments right above it."""
        return self.file.source()[self.entity.lead_start : self.entity.end_byte]
