"""Add the path to names that were extracted without one.

`place_outline` and `place_nodes` return the result of reading the source at a path. `name_entities` names entities
without an index: births count from zero, and an index replaces these names by issued ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import msgspec

from birthmark.extraction.model import FileNodes, FileNotes, Outline
from birthmark.identity.keys import choose_births, format_semantic_path, mint_mark, place_of
from birthmark.identity.overloads import overload_names
from birthmark.identity.semantic_ids import encode_file
from birthmark.identity.uids import ChunkMetrics, ChunkSpan, chunk_id
from birthmark.model import Chunk, Entity, Segment

Placed = TypeVar("Placed", Outline, FileNodes)
_UID_PREFIX = "ck64:v1:repo:"


def place_nodes(file_nodes: FileNodes, path: str) -> FileNodes:

    placed = msgspec.structs.replace(place_outline(file_nodes, path), path=path)
    spans = [span_of(chunk, path, placed.segments) for chunk in placed.chunks]
    return msgspec.structs.replace(placed, chunk_ids=tuple([chunk_id(span) for span in spans]))


def place_notes(notes: FileNotes, path: str) -> FileNotes:
    if not notes.problems and not notes.collisions.chunks.files:
        return notes  # Those of most files contain no path.
    collisions = msgspec.structs.replace(notes.collisions, chunks=_place_metrics(notes.collisions.chunks, path))
    return FileNotes(collisions, tuple([msgspec.structs.replace(problem, path=path) for problem in notes.problems]))


def place_outline(thing: Placed, path: str) -> Placed:
    replace = msgspec.structs.replace
    return replace(
        thing,
        entities=tuple([place_entity(entity, path) for entity in thing.entities]),
        semantic_ids=tuple([place_semantic_id(id_, path) for id_ in thing.semantic_ids]),
        segments=tuple([replace(segment, virtual_path=path + segment.virtual_path) for segment in thing.segments]),
        chunk_uids=tuple([place_chunk_uid(uid, path) for uid in thing.chunk_uids]),
        collisions=replace(thing.collisions, chunks=_place_metrics(thing.collisions.chunks, path)),
        problems=tuple([replace(problem, path=path) for problem in thing.problems]),
    )


def place_entity(entity: Entity, path: str) -> Entity:
    return msgspec.structs.replace(entity, path=path, virtual_path=path + entity.virtual_path)


def place_semantic_id(id_: str, path: str) -> str:
    """Add the path to the id of a node; ids of external modules have none."""
    if id_.startswith("->"):
        return encode_file(path) + id_
    return encode_file(path + "#")[:-1] + id_ if id_.startswith("#") else id_


def place_chunk_uid(uid: str, path: str) -> str:
    return _UID_PREFIX + path + uid[len(_UID_PREFIX) :]


def _place_metrics(metrics: ChunkMetrics, path: str) -> ChunkMetrics:
    return msgspec.structs.replace(metrics, files=(path,)) if metrics.files else metrics


class EntityNames(NamedTuple):
    """The names of an entity."""

    mark: str
    key: str
    semantic_id: str
    overload: str | None = None  # with the types of its parameters, if others of the file share its name


def name_entities(reading: FileNodes) -> list[EntityNames]:
    place = place_of(reading.path)
    paths = [entity_path(entity, place) for entity in reading.entities]
    names: list[EntityNames] = []
    overloads = overload_names(reading.entities)
    marks: set[str] = set()
    for path, birth, node in zip(paths, choose_births(paths, 0), reading.entity_nodes, strict=True):
        key = f"{path}:T{birth}"
        mark = mint_mark(key, marks)
        marks.add(mark)
        names.append(EntityNames(mark, key, reading.semantic_ids[node], overloads.get(len(names))))
    return names


def entity_path(entity: Entity, place: str) -> str:
    return format_semantic_path(entity.language, entity.kind, entity.name, entity.parent, place)


def span_of(chunk: Chunk, path: str, segments: Sequence[Segment]) -> ChunkSpan:
    if chunk.segment < 0:
        return ChunkSpan(path, path, None, None, chunk.start, chunk.end, chunk.kind, chunk.name)
    segment = segments[chunk.segment]
    return ChunkSpan(
        path,
        segment.virtual_path,
        segment.segment_uid,
        segment.language,
        chunk.start,
        chunk.end,
        chunk.kind,
        chunk.name,
    )
