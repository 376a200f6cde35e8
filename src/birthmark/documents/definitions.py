"""Documents of entities, nodes, chunks and files, as they were read or as the index has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from msgspec import UNSET, UnsetType
from msgspec.structs import astuple

from birthmark.comparison.chunks import chunk_id_of, content_hash_of
from birthmark.documents.brief import in_a_line, place_of
from birthmark.documents.document import (
    KEPT,
    Brief,
    Document,
    PagedDocument,
    ProblemDocument,
    doc,
    make,
)
from birthmark.documents.index import FreshnessDocument
from birthmark.extraction.placement import EntityNames
from birthmark.model import KINDS, Entity, Node, Span
from birthmark.vocabulary import ChunkState

if TYPE_CHECKING:
    from birthmark.extraction.model import ChunkedFile
    from birthmark.identity.fingerprints import Fingerprint
    from birthmark.queries.snapshot_view import IndexedEntity

_NOT_UTF8 = re.compile("[\udc80-\udcff]")


class BaseDocument(Document, frozen=True):
    """A type that an entity inherits from or implements."""

    relation: Annotated[str, doc("`inherits` or `implements`")]
    name: str


class SpansDocument(Document, frozen=True):
    """Byte spans of the parts of an entity: start and exclusive end."""

    name: Span | None
    interface: Annotated[tuple[Span, ...], doc("what is left without the other three")]
    body: Annotated[tuple[Span, ...], doc("the body or value, without a docstring in it")]
    documentation: Annotated[Span | None, doc("the doc comment or docstring")]


class FingerprintsDocument(Document, frozen=True):
    """Hashes of the tokens of an entity, sixteen hex digits each."""

    content: Annotated[str, doc("the whole entity with its name")]
    interface: Annotated[str, doc("all but name, body and documentation")]
    body: str | None
    documentation: str | None
    text: Annotated[str, doc("the raw text, with comments and layout")]
    version: Annotated[int, doc("of the way in which they are computed")]


class EntityDocument(Document, frozen=True):
    """A definition."""

    mark: Annotated[str, doc("the name that never changes, see [ids](ids.md)", brief=KEPT)]
    key: Annotated[str, doc("the name with language, kind, path and birth")]
    semantic_id: Annotated[str, doc("the computed name")]
    kind: Annotated[str, doc(f"`{' '.join(KINDS)}`", brief=KEPT)]
    name: str
    qualified_name: Annotated[str, doc("`A.f` for the method `f` of the class `A`", brief=Brief("name"))]
    overload: Annotated[
        str | None, doc("`A.f(int, str)`, if others of its file have its qualified name, and none these parameters")
    ]
    parent: Annotated[str | None, doc("the dotted chain of containers, null at top level")]
    language: str
    path: Annotated[
        str, doc("relative to the root of the repository", brief=Brief("place", place_of, of_document=True))
    ]
    virtual_path: Annotated[str, doc("the path, followed by the segment if the entity is in one")]
    start_line: Annotated[int, doc("with decorators and modifiers, without the comment above")]
    end_line: int
    start_byte: int
    end_byte: int
    signature: Annotated[str, doc("the head of the definition on one line", brief=Brief(form=in_a_line, unless=""))]
    decorators: Annotated[tuple[str, ...], doc("their texts")]
    bases: list[BaseDocument]
    spans: SpansDocument
    fingerprints: FingerprintsDocument


EntityType = TypeVar("EntityType", bound=EntityDocument)


class NodeDocument(Document, frozen=True):
    """Anything with a semantic id."""

    semantic_id: str
    type: Annotated[str, doc("`FUNCTION`, `CALL`, `IMPORT`, …: see above")]
    name: str
    named_parent: Annotated[str, doc("the nearest function or class with a name around it")]
    position: Annotated[int | None, doc("of a parameter in its signature, else null")]
    path: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int


class SegmentDocument(Document, rename="camel", frozen=True):
    """A region of a file in another language."""

    segment_uid: str
    type: str
    language_id: str | None


class SegmentMetaDocument(Document, rename="camel", frozen=True):
    """The segment of a chunk, by its names."""

    segment_uid: str
    virtual_path: str


class ChunkMetaDocument(Document, rename="camel", frozen=True):
    """The names of a chunk."""

    chunk_uid: str
    chunk_id: str
    segment: SegmentMetaDocument | None


class ChunkDocument(Document, rename="camel", frozen=True):
    """A retrieval unit. Chunks follow one another without gap or overlap."""

    doc_id: Annotated[int, doc("its number in the file, from 0")]
    chunk_uid: Annotated[str, doc("by content and context, see [ids](ids.md)")]
    chunk_id: str
    file: Annotated[str, doc("the path of the file")]
    virtual_path: str
    kind: Annotated[str, doc("of the definition it holds, `gap` between definitions, or the type of a segment")]
    name: str | None
    start: Annotated[int, doc("counts code points of the decoded file; a byte that is not UTF-8 counts as one")]
    end: int
    start_line: int
    end_line: int
    segment: SegmentDocument | None
    meta_v2: ChunkMetaDocument
    mark: Annotated[str | None, doc("of the entity it is in; null between entities, and where no index knows it")]
    content_hash: Annotated[str, doc("the same for the same text, wherever it is, see [ids](ids.md)")]
    text: Annotated[str | UnsetType, doc("left out with `--no-text`, over HTTP with `text=false`")] = UNSET


class ChunkChangeDocument(Document, frozen=True):
    """The change of a chunk since a revision."""

    change: ChunkState
    before: Annotated[ChunkDocument | None, doc("null if it was added")]
    after: Annotated[ChunkDocument | None, doc("null if it is gone")]


class ChunkChangesDocument(PagedDocument, frozen=True):
    """The changes of chunks since a revision."""

    base: Annotated[str, doc("the commit that was asked about")]
    target: Annotated[str, doc("`the worktree`")]
    counts: Annotated[
        dict[str, int], doc("of each change; kept ones of files that differ, or with `--kept` of all files")
    ]
    equal_files: Annotated[int, doc("files that are the same in both, so that all their chunks are kept")]
    changes: Annotated[
        list[ChunkChangeDocument],
        doc("what is to be embedded again first: `changed`, `added`, `rekeyed`, `gone`; `kept` with `--kept` only"),
    ]
    problems: list[ProblemDocument]


class EntityPage(PagedDocument, frozen=True):
    """Entities."""

    items: list[EntityDocument]
    freshness: FreshnessDocument


class NodePage(PagedDocument, frozen=True):
    """Nodes."""

    items: list[NodeDocument]
    freshness: FreshnessDocument


class ChunkPage(PagedDocument, frozen=True):
    """Chunks."""

    items: list[ChunkDocument]
    freshness: FreshnessDocument


class FileEntityDocument(Document, frozen=True):
    """A definition of a file."""

    mark: Annotated[str | None, doc("null where the index does not know it at that revision")]
    kind: Annotated[str, doc(f"`{' '.join(KINDS)}`")]
    name: str
    qualified_name: str
    signature: str
    start_line: int
    end_line: int
    users: Annotated[int | None, doc("how many definitions and files use it; null at a revision, and before edges are")]


class FileSegmentDocument(Document, frozen=True):
    """A region of a file in another language."""

    type: str
    language: str | None
    start_line: Annotated[int, doc("of what is not blank in it")]
    end_line: int
    whole_lines: Annotated[bool, doc("whether nothing else is on its lines")]


class SourceFileDocument(Document, frozen=True):
    """A file with its text, as it is in the index or at a revision."""

    path: str
    revision: Annotated[str | None, doc("the commit; null for the index")]
    language: str | None
    source: Annotated[str, doc("what is no UTF-8 is replaced")]
    entities: Annotated[list[FileEntityDocument], doc("in the order of the file")]
    segments: list[FileSegmentDocument]
    older: Annotated[str | None, doc("the commit before that changed it; null unless history was replayed")]
    newer: Annotated[str | None, doc("the one after, null for the index")]
    freshness: FreshnessDocument


# Entities, nodes and chunks are listed by the hundred thousand: field by field is three times as fast as `make`.


def entity_document(entity: Entity, names: EntityNames, fingerprint: Fingerprint) -> EntityDocument:
    return _entity_document(EntityDocument, entity, names, fingerprint)


def _entity_document(
    kind: type[EntityType], entity: Entity, names: EntityNames, fingerprint: Fingerprint, **more: Any
) -> EntityType:
    return kind(
        names.mark,
        names.key,
        names.semantic_id,
        entity.kind,
        entity.name,
        entity.qualified_name,
        names.overload,
        entity.parent,
        entity.language,
        entity.path,
        entity.virtual_path,
        entity.start_line,
        entity.end_line,
        entity.start_byte,
        entity.end_byte,
        entity.signature,
        entity.decorators,
        [BaseDocument(base.relation, base.name) for base in entity.bases],
        SpansDocument(entity.name_span, entity.interface_spans, entity.body_spans, entity.documentation_span),
        FingerprintsDocument(*astuple(fingerprint)),
        **more,
    )


def indexed_entity_document(indexed: IndexedEntity) -> EntityDocument:
    return extended_entity_document(EntityDocument, indexed)


def extended_entity_document(kind: type[EntityType], indexed: IndexedEntity, **more: Any) -> EntityType:
    """Return a document that extends that of an entity by some fields."""
    names = EntityNames(indexed.mark, indexed.key, indexed.semantic_id, indexed.overload)
    return _entity_document(kind, indexed.entity, names, indexed.fingerprint, **more)


def node_document(node: Node, semantic_id: str, path: str) -> NodeDocument:
    return NodeDocument(
        semantic_id,
        node.type,
        node.name,
        node.named_parent,
        node.position,
        path,
        node.start_line,
        node.end_line,
        node.start_byte,
        node.end_byte,
    )


def chunk_document(file: ChunkedFile, index: int, *, with_text: bool = True) -> ChunkDocument:
    return _chunk_document(file, index, file.source() if with_text else None)


def _chunk_document(file: ChunkedFile, index: int, source: bytes | None) -> ChunkDocument:
    outline = file.outline
    chunk, uid = outline.chunks[index], outline.chunk_uids[index]
    segment = outline.segments[chunk.segment] if chunk.segment >= 0 else None
    id_ = chunk_id_of(file, index)
    return ChunkDocument(
        index,
        uid,
        id_,
        file.path,
        segment.virtual_path if segment else file.path,
        chunk.kind,
        chunk.name,
        chunk.start,
        chunk.end,
        chunk.start_line,
        chunk.end_line,
        SegmentDocument(segment.segment_uid, segment.type, segment.language) if segment else None,
        ChunkMetaDocument(uid, id_, make(SegmentMetaDocument, segment) if segment else None),
        file.mark_of(chunk),
        content_hash_of(file, index),
        UNSET if source is None else _decode(source[chunk.start_byte : chunk.end_byte]),
    )


def _decode(source: bytes) -> str:
    """A byte that is not UTF-8 is one replacement character, as offsets count it."""
    return _NOT_UTF8.sub("\N{REPLACEMENT CHARACTER}", source.decode("utf-8", "surrogateescape"))


def chunk_documents(file: ChunkedFile, *, with_text: bool = True) -> Iterator[ChunkDocument]:
    source = file.source() if with_text else None
    return (_chunk_document(file, index, source) for index in range(len(file.outline.chunks)))
