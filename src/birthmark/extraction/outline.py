"""The outline of a source: what the index keeps of a Reading, without the path it stood at.

A source is extracted once, wherever and however often it appears; `place_outline` puts the path back into all that
names it. Nodes are not part of an outline: they are read again from the source when somebody asks for them.
"""

from __future__ import annotations

import zlib
from typing import TypeVar

import msgspec

from birthmark.extraction.read import Collisions, Reading, extract_source, fingerprints_of, span_of
from birthmark.extraction.segment_extraction import ReadOptions
from birthmark.graph.references import Reference, references_of
from birthmark.identity.fingerprints import Fingerprint
from birthmark.identity.semantic_ids import encode_file
from birthmark.identity.uids import ChunkMetrics, chunk_id
from birthmark.languages.registry import LanguageSpec, Registry
from birthmark.model import Chunk, Entity, Problem, Segment
from birthmark.vocabulary import Detail

T = TypeVar("T", "Outline", Reading)

FORMAT = 1  # of what is packed here; raised when an older program could not unpack it, or a newer one not the old
_COMPRESSION = 1
_UID_PREFIX = "ck64:v1:repo:"


class Outline(msgspec.Struct, frozen=True, array_like=True):
    """Ids and fingerprints stand in the order of what they belong to."""

    language: str
    entities: tuple[Entity, ...]
    fingerprints: tuple[Fingerprint, ...]
    weights: tuple[int, ...]
    semantic_ids: tuple[str, ...]  # of the entities
    segments: tuple[Segment, ...]
    chunks: tuple[Chunk, ...]
    chunk_uids: tuple[str, ...]
    references: tuple[Reference, ...]
    n_nodes: int
    collisions: Collisions
    problems: tuple[Problem, ...]


class Notes(msgspec.Struct, frozen=True, array_like=True):
    """What is to be said of a file besides what it holds."""

    collisions: Collisions
    problems: tuple[Problem, ...]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Outline)
_reading_decoder = msgspec.msgpack.Decoder(Reading)
_notes_decoder = msgspec.msgpack.Decoder(Notes)


def outline_of(reading: Reading) -> Outline:
    return Outline(
        reading.language,
        reading.entities,
        reading.fingerprints,
        reading.weights,
        tuple([reading.semantic_ids[node] for node in reading.entity_nodes]),
        reading.segments,
        reading.chunks,
        reading.chunk_uids,
        references_of(reading.nodes, reading.entities, reading.language),
        len(reading.nodes),
        reading.collisions,
        reading.problems,
    )


def sketch_source(content: bytes, spec: LanguageSpec, registry: Registry) -> Outline:
    """The entities of a source and what they are made of, at little more than half the cost of all that has a name."""
    part, _, problems = extract_source("", content, spec, registry, ReadOptions(Detail.DEFINITIONS))
    weighed = fingerprints_of(part)
    return Outline(
        spec.name,
        tuple(part.entities),
        tuple([fingerprint for fingerprint, _ in weighed]),
        tuple([weight for _, weight in weighed]),
        ("",) * len(part.entities),
        tuple(part.segments),
        (),
        (),
        (),
        0,
        Collisions(),
        tuple(problems),
    )


def pack_outline(outline: Outline) -> bytes:
    return zlib.compress(_encoder.encode(outline), _COMPRESSION)


def unpack_outline(packed: bytes) -> Outline:
    return _decoder.decode(zlib.decompress(packed))


def pack_notes(outline: Outline) -> bytes:
    return _encoder.encode(Notes(outline.collisions, outline.problems))


def unpack_notes(packed: bytes, path: str) -> Notes:
    notes = _notes_decoder.decode(packed)
    collisions = msgspec.structs.replace(notes.collisions, chunks=_place_metrics(notes.collisions.chunks, path))
    return Notes(collisions, tuple([msgspec.structs.replace(problem, path=path) for problem in notes.problems]))


def pack_nodes(reading: Reading) -> bytes:
    """The nodes of a Reading without a path, with their ids."""
    return zlib.compress(_encoder.encode(reading), _COMPRESSION)


def unpack_nodes(packed: bytes, path: str) -> Reading:
    """A Reading as if it had been read at a path."""
    reading = _reading_decoder.decode(zlib.decompress(packed))
    return place_reading(reading, path)


def place_outline(outline: Outline, path: str) -> Outline:
    """The outline of a source that stands at a path."""
    return _place(outline, path)


def place_reading(reading: Reading, path: str) -> Reading:
    """What was read without a path, as if read at one."""
    placed = msgspec.structs.replace(_place(reading, path), path=path)
    spans = [span_of(chunk, path, placed.segments) for chunk in placed.chunks]
    return msgspec.structs.replace(placed, chunk_ids=tuple([chunk_id(span) for span in spans]))


def _place(thing: T, path: str) -> T:
    replace = msgspec.structs.replace
    return replace(
        thing,
        entities=tuple([replace(e, path=path, virtual_path=path + e.virtual_path) for e in thing.entities]),
        semantic_ids=tuple([place_semantic_id(id_, path) for id_ in thing.semantic_ids]),
        segments=tuple([replace(segment, virtual_path=path + segment.virtual_path) for segment in thing.segments]),
        chunk_uids=tuple([place_chunk_uid(uid, path) for uid in thing.chunk_uids]),
        collisions=replace(thing.collisions, chunks=_place_metrics(thing.collisions.chunks, path)),
        problems=tuple([replace(problem, path=path) for problem in thing.problems]),
    )


def place_semantic_id(id_: str, path: str) -> str:
    """Put a path into the id of a node; an external module has none."""
    if id_.startswith("->"):
        return encode_file(path) + id_
    return encode_file(path + "#")[:-1] + id_ if id_.startswith("#") else id_


def place_chunk_uid(uid: str, path: str) -> str:
    return _UID_PREFIX + path + uid[len(_UID_PREFIX) :]


def _place_metrics(metrics: ChunkMetrics, path: str) -> ChunkMetrics:
    return msgspec.structs.replace(metrics, files=(path,)) if metrics.files else metrics
