"""The shapes of JSON that leave the house. A field may be added, never renamed.

Lines count from 1, bytes from 0; `end_line` is inclusive. What a language does not have is null.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from birthmark.identity.fingerprints import Fingerprint
from birthmark.model import Chunk, Entity, Node, Segment
from birthmark.operations.names import EntityNames, name_entities
from birthmark.operations.read import Reading

Document = dict[str, object]


def entity_document(entity: Entity, names: EntityNames, fingerprint: Fingerprint) -> Document:
    return {
        "mark": names.mark,
        "key": names.key,
        "semantic_id": names.semantic_id,
        "kind": entity.kind,
        "name": entity.name,
        "qualified_name": entity.qualified_name,
        "parent": entity.parent,
        "language": entity.language,
        "path": entity.path,
        "virtual_path": entity.virtual_path,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "start_byte": entity.start_byte,
        "end_byte": entity.end_byte,
        "signature": entity.signature,
        "decorators": entity.decorators,
        "bases": entity.bases,
        "spans": {
            "name": entity.name_span,
            "interface": entity.interface_spans,
            "body": entity.body_spans,
            "documentation": entity.documentation_span,
        },
        "fingerprints": fingerprint,
    }


def node_document(node: Node, semantic_id: str, path: str) -> Document:
    return {
        "semantic_id": semantic_id,
        "type": node.type,
        "name": node.name,
        "named_parent": node.named_parent,
        "position": node.position,
        "path": path,
        "start_line": node.start_line,
        "end_line": node.end_line,
        "start_byte": node.start_byte,
        "end_byte": node.end_byte,
    }


def chunk_document(chunk: Chunk, uid: str, id_: str, doc_id: int, path: str, segment: Segment | None) -> Document:
    return {
        "docId": doc_id,
        "chunkUid": uid,
        "chunkId": id_,
        "file": path,
        "virtualPath": segment.virtual_path if segment else path,
        "kind": chunk.kind,
        "name": chunk.name,
        "start": chunk.start,
        "end": chunk.end,
        "startLine": chunk.start_line,
        "endLine": chunk.end_line,
        "segment": segment
        and {"segmentUid": segment.segment_uid, "type": segment.type, "languageId": segment.language},
        "metaV2": {
            "chunkUid": uid,
            "chunkId": id_,
            "segment": segment and {"segmentUid": segment.segment_uid, "virtualPath": segment.virtual_path},
        },
    }


def entity_documents(reading: Reading) -> Iterator[Document]:
    return map(entity_document, reading.entities, name_entities(reading), reading.fingerprints)


def node_documents(reading: Reading) -> Iterator[Document]:
    return (
        node_document(node, semantic_id, reading.path)
        for node, semantic_id in zip(reading.nodes, reading.semantic_ids, strict=True)
    )


def chunk_documents(reading: Reading) -> Iterator[Document]:
    for doc_id, chunk in enumerate(reading.chunks):
        segment = reading.segments[chunk.segment] if chunk.segment >= 0 else None
        uid, id_ = reading.chunk_uids[doc_id], reading.chunk_ids[doc_id]
        yield chunk_document(chunk, uid, id_, doc_id, reading.path, segment)


def encode_json(document: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2)


def encode_line(document: object) -> bytes:
    return msgspec.json.encode(document)
