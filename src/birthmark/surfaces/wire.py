"""The shapes of JSON that leave the house. A field may be added, never renamed.

Lines count from 1, bytes from 0; `end_line` is inclusive. What a language does not have is null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta, timezone

import msgspec
from msgspec.structs import asdict

from birthmark.app.diffing import NamedDiff
from birthmark.app.histories import Blame, History
from birthmark.app.session import Freshness
from birthmark.app.status import Status
from birthmark.comparison.chunks import ChunkChange, ChunkFile
from birthmark.comparison.entities import Location
from birthmark.extraction.provisional_names import EntityNames, name_entities
from birthmark.extraction.read import Reading, span_of
from birthmark.graph.edges import Edge
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.uids import chunk_id
from birthmark.ledger.replay import Replayed
from birthmark.ledger.update import Summary
from birthmark.model import Chunk, Entity, Node, Segment
from birthmark.queries.ledger_queries import DeletedIdentity, EntityAtRevision
from birthmark.queries.resolve import LedgerEvent, ResolvedRef
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile
from birthmark.sources.log import Commit
from birthmark.store.model import Event, Identity
from birthmark.vocabulary import Change

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
        "bases": [asdict(base) for base in entity.bases],
        "spans": {
            "name": entity.name_span,
            "interface": entity.interface_spans,
            "body": entity.body_spans,
            "documentation": entity.documentation_span,
        },
        "fingerprints": asdict(fingerprint),
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


def held_document(held: IndexedEntity) -> Document:
    """An entity as the index knows it."""
    return entity_document(held.entity, EntityNames(held.mark, held.key, held.semantic_id), held.fingerprint)


def chunk_change_document(change: ChunkChange, old: Sequence[ChunkFile], new: Sequence[ChunkFile]) -> Document:
    """`before` and `after` are chunks; the one that is not there is null."""
    return {
        "change": change.change,
        "before": _chunk_at(old, change.before),
        "after": _chunk_at(new, change.after),
    }


def _chunk_at(files: Sequence[ChunkFile], place: tuple[int, int] | None) -> Document | None:
    if place is None:
        return None
    file, index = files[place[0]], place[1]
    outline, chunk = file.outline, file.outline.chunks[index]
    segment = outline.segments[chunk.segment] if chunk.segment >= 0 else None
    id_ = chunk_id(span_of(chunk, file.path, outline.segments))
    return chunk_document(chunk, outline.chunk_uids[index], id_, index, file.path, segment)


def held_chunk_documents(file: ChunkFile | IndexedFile) -> Iterator[Document]:
    placed = ChunkFile(file.path, file.outline)
    for index in range(len(file.outline.chunks)):
        document = _chunk_at([placed], (0, index))
        assert document is not None
        yield document


def freshness_document(freshness: Freshness) -> Document:
    return {
        "head": freshness.head,
        "indexed_revision": freshness.indexed_revision,
        "fresh": freshness.is_fresh,
        "pending": freshness.pending,
    }


def status_document(status: Status) -> Document:
    return {
        "root": str(status.root),
        **freshness_document(status.freshness),
        "branch": status.branch,
        "indexed_at": status.indexed_at,
        "counts": status.counts,
        "file_counts": status.files._asdict(),
        "collisions": {
            "nodes": status.collisions.nodes,
            "nodes_widened": status.collisions.nodes_widened,
            "nodes_counted": status.collisions.nodes_counted,
            "chunks": asdict(status.collisions.chunks),
        },
        "problems": [asdict(problem) for problem in status.problems],
        "snapshots": [
            {"worktree": found.worktree, "branch": found.branch or None, "revision": found.revision, "at": found.at}
            for found in status.snapshots
        ],
    }


def summary_document(summary: Summary, status: Status, seconds: float) -> Document:
    document = status_document(status)
    return {
        "root": document["root"],
        "indexed_revision": document["indexed_revision"],
        "branch": document["branch"],
        "files": summary.n_files,
        "read": summary.n_read,
        "extracted": summary.n_extracted,
        "changes": summary.changes,
        "counts": document["counts"],
        "file_counts": document["file_counts"],
        "collisions": document["collisions"],
        "problems": document["problems"],
        "seconds": round(seconds, 3),
    }


def replayed_document(replayed: Replayed) -> Document:
    return {
        "commits": replayed.n_commits,
        "new": replayed.n_new,
        "extracted": replayed.n_extracted,
        "changes": replayed.changes,
        "problems": [{"path": problem.path, "problem": problem.problem} for problem in replayed.problems],
        "seconds": round(replayed.seconds, 3),
    }


def shown_document(held: IndexedEntity, source: str, freshness: Freshness) -> Document:
    return held_document(held) | {"source": source, "freshness": freshness_document(freshness)}


def answer_document(
    answer: ResolvedRef, freshness: Freshness, standing: tuple[str, EntityAtRevision | None] | None = None
) -> Document:
    """`at` is there if it was asked where it stood at a revision."""
    at = {} if standing is None else {"at": standing_document(*standing)}
    return {
        "ref": answer.ref,
        "status": answer.status,
        "entity": held_document(answer.held) if answer.held else None,
        "events": [happening_document(happening) for happening in answer.happenings],
        "candidates": [identity_document(identity) for identity in answer.candidates],
        "node": node_document(answer.node[1], answer.node[2], answer.node[0]) if answer.node else None,
        "chunk": _chunk_at([ChunkFile(answer.chunk[0].path, answer.chunk[0].outline)], (0, answer.chunk[1]))
        if answer.chunk
        else None,
        "freshness": freshness_document(freshness),
        **at,
    }


def standing_document(commit: str, standing: EntityAtRevision | None) -> Document:
    """Where something stood at a commit; null if it was not there."""
    return {"revision": commit, "place": place_document(standing.entity if standing else None)}


def deleted_document(deleted: DeletedIdentity) -> Document:
    """What was deleted from a file: as it stood there, when that was, and where it is now."""
    event, run = deleted.happening.event, deleted.happening.run
    return {
        "mark": deleted.identity.mark,
        "key": deleted.identity.key,
        "before": place_document(event),
        "revision": run.revision,
        "at": run.at,
        "entity": held_document(deleted.held) if deleted.held else None,
    }


def happening_document(happening: LedgerEvent) -> Document:
    event, run = happening.event, happening.run
    is_gone = event.change == Change.DELETED
    return {
        "change": event.change,
        "revision": run.revision,
        "branch": run.branch,
        "at": run.at,
        "before": place_document(happening.before),
        "after": None if is_gone else place_document(event),
        "evidence": event.evidence,
        "confidence": event.confidence,
    }


def place_document(place: Event | Location | Entity | None) -> Document | None:
    return (
        None
        if place is None
        else {
            "path": place.path,
            "qualified_name": place.qualified_name,
            "start_line": place.start_line,
            "end_line": place.end_line,
        }
    )


def identity_document(identity: Identity) -> Document:
    """Something that was born once, whatever became of it."""
    return {
        "mark": identity.mark,
        "key": identity.key,
        "path": identity.path,
        "start_line": identity.start_line,
        "end_line": identity.end_line,
    }


def edges_document(
    held: IndexedEntity, edges: Iterable[tuple[Edge, IndexedEntity | None]], freshness: Freshness
) -> Document:
    """`results` are the far ends, as seen from the entity that was asked for."""
    return {
        "entity": held_document(held),
        "results": [
            {
                "entity": held_document(other) if other else None,
                "edge": edge.edge,
                "depth": 1,
                "resolution": str(edge.resolution),
                "name": edge.name,
                "candidates": edge.n_candidates,
                "site": {"path": edge.source_path, "line": edge.line},
            }
            for edge, other in edges
        ],
        "freshness": freshness_document(freshness),
    }


def diff_document(base: str, target: str, diff: NamedDiff) -> Document:
    return {
        "base": base,
        "target": target,
        "counts": diff.counts,
        "changes": [
            {
                "change": change.change,
                "kind": change.kind,
                "mark": names[0],
                "key": names[1],
                "before": place_document(change.before),
                "after": place_document(change.after),
                "aspects": change.aspects,
                "evidence": change.evidence,
                "confidence": change.confidence,
            }
            for change, names in zip(diff.changes, diff.names, strict=True)
        ],
        "problems": [asdict(problem) for problem in diff.problems],
    }


def history_document(history: History) -> Document:
    """Newest first, the last being `introduced`."""
    members = history.members or (None,) * len(history.steps)
    return {
        "entity": _past_entity(history.entity, history.target.path, history.target.commit),
        "events": [
            {
                "commit": step.commit,
                "parent": step.parent,
                "author": commit.author,
                "date": _date(commit.at, commit.zone),
                "changes": step.changes,
                "before": place_document(step.before),
                "after": place_document(step.after),
                "evidence": step.evidence,
                "confidence": step.confidence,
                "member": member,
            }
            for (step, commit), member in zip(history.steps, members, strict=True)
        ],
    }


def blame_documents(blame: Blame) -> Iterator[Document]:
    """Of each entity of the file, in order."""
    for found, last, introduced in blame.entities:
        yield {
            "entity": _past_entity(blame.outline.entities[found.ordinal], blame.path, blame.commit),
            "last": {**_commit_document(last), "changes": found.last.changes},
            "introduced": _commit_document(introduced),
        }


def _past_entity(entity: Entity, path: str, commit: str) -> Document:
    """An entity as it stands at a commit, with or without an index."""
    return {
        "kind": entity.kind,
        "name": entity.name,
        "qualified_name": entity.qualified_name,
        "language": entity.language,
        "path": path,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "commit": commit,
    }


def _commit_document(commit: Commit) -> Document:
    return {"commit": commit.id, "author": commit.author, "date": _date(commit.at, commit.zone)}


def _date(at: int, zone: str) -> str:
    """Seconds and git's zone as people and programs read them: `2026-11-15T12:00:00+01:00`."""
    sign = -1 if zone.startswith("-") else 1
    digits = zone.lstrip("+-")
    minutes = int(digits[:2]) * 60 + int(digits[2:]) if len(digits) == 4 and digits.isdigit() else 0
    try:
        return datetime.fromtimestamp(at, timezone(sign * timedelta(minutes=minutes))).isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def encode_json(document: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2)


def encode_line(document: object) -> bytes:
    return msgspec.json.encode(document)
