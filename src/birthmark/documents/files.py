"""Documents of files as they are read: text, definitions, segments."""

from __future__ import annotations

from typing import Annotated

from birthmark.app.answers.listing.source_files import FileEntity, SourceText
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.document import Document, doc
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.model import KINDS, Segment


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


def source_file_document(file: SourceText, freshness: Freshness) -> SourceFileDocument:
    return SourceFileDocument(
        file.path,
        file.commit,
        file.language,
        file.source.decode("utf-8", "replace"),
        [_entity_document(entity) for entity in file.entities],
        [_segment_document(segment, file.source) for segment in file.segments],
        file.older,
        file.newer,
        freshness_document(freshness),
    )


def _entity_document(found: FileEntity) -> FileEntityDocument:
    entity = found.entity
    return FileEntityDocument(
        found.mark,
        entity.kind,
        entity.name,
        entity.qualified_name,
        entity.signature,
        entity.start_line,
        entity.end_line,
        found.n_users,
    )


def _segment_document(segment: Segment, source: bytes) -> FileSegmentDocument:
    text = source[segment.start_byte : segment.end_byte]
    start = segment.start_byte + len(text) - len(text.lstrip())
    end = max(segment.start_byte + len(text.rstrip()), start)
    first = source.count(b"\n", 0, start) + 1
    before = source[source.rfind(b"\n", 0, start) + 1 : start]
    after = source[end:].split(b"\n", 1)[0]
    is_whole = not before.strip() and not after.strip()
    return FileSegmentDocument(segment.type, segment.language, first, first + source.count(b"\n", start, end), is_whole)
