"""The shapes of answers, as JSON Schema. What `wire.py` and `wire_scan.py` make is written down here in short.

A field is `string`, `integer`, `boolean` or `#Name` of another shape; `?` behind it allows null, `[]` makes a list.
"""

from __future__ import annotations

Schema = dict[str, object]
Fields = dict[str, str]

_PLACED = {"path": "string", "start_line": "integer", "end_line": "integer"}
_BYTES = {"start_byte": "integer", "end_byte": "integer"}
_FRESHNESS = {"head": "string?", "indexed_revision": "string?", "fresh": "boolean", "pending": "string[]"}
_PAGE = {"truncated": "boolean", "next": "integer?"}
_CERTAINTY = {"evidence": "string?", "confidence": "string?"}
_ENTITY = {
    "mark": "string?",
    "key": "string?",
    "semantic_id": "string",
    "kind": "string",
    "name": "string",
    "qualified_name": "string",
    "parent": "string?",
    "language": "string",
    "virtual_path": "string",
    **_PLACED,
    **_BYTES,
    "signature": "string?",
    "decorators": "string[]",
    "bases": "#Base[]",
    "spans": "object",
    "fingerprints": "#Fingerprints",
}

# All fields are always there, but for those of OPTIONAL.
SHAPES: dict[str, Fields] = {
    "Error": {"error": "#ErrorDetails"},
    "ErrorDetails": {"message": "string", "code": "string"},
    "Problem": {"path": "string", "problem": "string"},
    "Freshness": _FRESHNESS,
    "Status": {
        "root": "string",
        **_FRESHNESS,
        "branch": "string?",
        "indexed_at": "integer",
        "counts": "object",
        "file_counts": "object",
        "collisions": "object",
        "problems": "#Problem[]",
        "snapshots": "object[]",
    },
    "Base": {"relation": "string", "name": "string"},
    "Fingerprints": {
        "content": "string",
        "interface": "string",
        "body": "string?",
        "documentation": "string?",
        "text": "string",
        "version": "integer",
    },
    "Entity": _ENTITY,
    "Entities": {"items": "#Entity[]", **_PAGE, "freshness": "#Freshness"},
    "Node": {
        "semantic_id": "string",
        "type": "string",
        "name": "string",
        "named_parent": "string",
        "position": "integer?",
        **_PLACED,
        **_BYTES,
    },
    "Nodes": {"items": "#Node[]", **_PAGE, "freshness": "#Freshness"},
    "Chunk": {
        "docId": "integer",
        "chunkUid": "string",
        "chunkId": "string",
        "file": "string",
        "virtualPath": "string",
        "kind": "string",
        "name": "string?",
        "start": "integer",
        "end": "integer",
        "startLine": "integer",
        "endLine": "integer",
        "segment": "object?",
        "metaV2": "object",
    },
    "Chunks": {"items": "#Chunk[]", **_PAGE, "freshness": "#Freshness"},
    "Shown": {**_ENTITY, "source": "string", "freshness": "#Freshness"},
    "Place": {"path": "string", "qualified_name": "string", "start_line": "integer", "end_line": "integer"},
    "Identity": {"mark": "string", "key": "string", **_PLACED},
    "Happening": {
        "change": "string",
        "revision": "string?",
        "branch": "string?",
        "at": "integer",
        "before": "#Place?",
        "after": "#Place?",
        **_CERTAINTY,
    },
    "Resolved": {
        "ref": "string",
        "status": "string",
        "entity": "#Entity?",
        "events": "#Happening[]",
        "candidates": "#Identity[]",
        "node": "#Node?",
        "chunk": "#Chunk?",
        "freshness": "#Freshness",
        "at": "#Standing",
    },
    "Standing": {"revision": "string", "place": "#Place?"},
    "Change": {
        "change": "string",
        "kind": "string",
        "mark": "string?",
        "key": "string?",
        "before": "#Place?",
        "after": "#Place?",
        "aspects": "string[]",
        **_CERTAINTY,
    },
    "Diff": {
        "base": "string",
        "target": "string",
        "counts": "object",
        "changes": "#Change[]",
        "problems": "#Problem[]",
        **_PAGE,
    },
    "PastEntity": {
        "kind": "string",
        "name": "string",
        "qualified_name": "string",
        "language": "string",
        **_PLACED,
        "commit": "string",
    },
    "Step": {
        "commit": "string",
        "parent": "string?",
        "author": "string",
        "date": "string",
        "changes": "string[]",
        "before": "#Place?",
        "after": "#Place?",
        **_CERTAINTY,
        "member": "string?",
    },
    "History": {"entity": "#PastEntity", "events": "#Step[]", **_PAGE},
    "Edge": {
        "entity": "#Entity?",
        "edge": "string",
        "depth": "integer",
        "resolution": "string",
        "name": "string",
        "candidates": "integer",
        "site": "#Site",
    },
    "Site": {"path": "string", "line": "integer"},
    "Edges": {"entity": "#Entity", "results": "#Edge[]", "freshness": "#Freshness", **_PAGE},
    "Indexed": {
        "root": "string",
        "indexed_revision": "string?",
        "branch": "string?",
        "files": "integer",
        "read": "integer",
        "extracted": "integer",
        "changes": "object",
        "counts": "object",
        "file_counts": "object",
        "collisions": "object",
        "problems": "#Problem[]",
        "seconds": "number",
        "file": "#IndexedFile?",
    },
    "IndexedFile": {"path": "string", "language": "string?", "problem": "string?"},
    "Subscription": {
        "id": "string",
        "ref": "string",
        "target": "string",
        "path": "string?",
        "start_line": "integer?",
        "end_line": "integer?",
        "label": "string?",
        "description": "string?",
        "active": "boolean",
        "trigger_on_duplicate": "boolean",
        "include_members": "boolean",
        "include_private": "boolean",
        "include_inherited": "boolean",
        "track_decorators": "boolean",
        "cosmetic": "boolean",
        "semantic": "object?",
        "anchors": "object?",
        "members": "object[]",
        "mark": "string?",
        "revision": "string?",
        "snoozed_until": "string?",
        "acknowledged": "boolean",
        "created_at": "string",
        "updated_at": "string",
        "stored": "string?",
    },
    "Subscriptions": {"items": "#Subscription[]", **_PAGE},
    "Report": {
        "base": "string",
        "target": "string",
        "scan": "integer?",
        "at": "string",
        "triggers": "object[]",
        "proposals": "object[]",
        "ambiguous": "object[]",
        "unchanged": "integer",
        "muted": "object",
        "inactive": "integer",
        "docs": "object[]",
        "problems": "#Problem[]",
        **_PAGE,
    },
    "Applied": {"applied": "object[]", "skipped": "object[]"},
    "Scan": {"scan": "integer", "at": "string", "base": "string", "target": "string", "triggers": "integer"},
    "Scans": {"items": "#Scan[]", **_PAGE},
}

OPTIONAL = {"Resolved": {"at"}}


def schemas() -> dict[str, Schema]:
    return {name: _object(fields, OPTIONAL.get(name, set())) for name, fields in SHAPES.items()}


def _object(fields: Fields, optional: set[str]) -> Schema:
    required = [field for field in fields if field not in optional]
    return {"type": "object", "properties": {name: _of(kind) for name, kind in fields.items()}, "required": required}


def _of(kind: str) -> Schema:
    if kind.endswith("[]"):
        return {"type": "array", "items": _of(kind[:-2])}
    if kind.endswith("?"):
        return {"anyOf": [_of(kind[:-1]), {"type": "null"}]}
    if kind.startswith("#"):
        return {"$ref": f"#/components/schemas/{kind[1:]}"}
    return {"type": kind}
