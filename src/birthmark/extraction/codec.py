"""Pack and unpack tasks and results of workers, and rows of the cache.

A result is packed in the worker and stored unchanged, so that the storing process need not unpack it. The worker also
makes the ShownOutline that snapshots store: entities as rows, and references by name.
`extractor_version` changes with everything that an outline depends on besides the source.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable
from hashlib import sha256
from typing import TypeVar

import msgspec
from msgspec.json import encode

from birthmark import __version__
from birthmark.decoding import msgpack_decoder
from birthmark.entities.chunks import ChunkSizes
from birthmark.extraction.model import (
    Collisions,
    FileNodes,
    FileNotes,
    Interior,
    Outline,
    OutlineEntities,
    OutlineNames,
)
from birthmark.graph.reading.references import GIVES_NAME, Reference
from birthmark.identity.fingerprints import HEAVY, VERSION
from birthmark.identity.keys import format_semantic_path
from birthmark.languages.registry import Registry, package_version
from birthmark.model import Level
from birthmark.store.model import NamedReferences, PackedExtraction

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FORMAT = 4  # of packed values; raised if programs of the old and the new format cannot read each other's
_COMPRESSION = 1  # level of zstd: as small as zlib in a third of the time
_FRAME = b"\x28\xb5\x2f\xfd"  # the start of compressed bytes, and of no outline
_EXTRACTION = 10  # raised when the same source gives another outline, or another ShownOutline


class Task(msgspec.Struct, frozen=True, array_like=True):
    """A source to extract, and how."""

    content: bytes
    language: str
    level: Level
    sizes: ChunkSizes
    is_stored: bool = False  # Otherwise the result is not compressed.


# An Outline as bytes, its numbers of entities, chunks and edges, and its FileNotes and ShownOutline as bytes.
EncodedOutline = tuple[bytes, int, int, int, bytes, bytes]
# An entity: scope (the semantic path without the place of a file), kind, name, qualified name, content hash, first and
# last line, and the hash of a heavy body.
ShownEntity = tuple[str, str, str, str, str, int, int, str | None]


T = TypeVar("T")


_compressor = zstd.ZstdCompressor(_COMPRESSION)  # Each call is a frame of its own, under a lock.
_encoder = msgspec.msgpack.Encoder()


def _decode(packed: bytes, kind: type[T]) -> T:
    """Decode with a shared decoder, because making one takes longer than most decoding."""
    return msgpack_decoder(kind).decode(packed)


def encode_task(task: Task) -> bytes:
    return _encoder.encode(task)


def decode_task(payload: bytes) -> Task:
    return _decode(payload, Task)


def encode_result(result: PackedExtraction | Interior) -> bytes:
    return _encoder.encode(result)


def decode_extraction(result: bytes) -> PackedExtraction:
    return _decode(result, PackedExtraction)


def decode_interior(result: bytes) -> Interior:
    return _decode(result, Interior)


def pack(task: Task, outline: Outline, file_nodes: FileNodes | None = None) -> PackedExtraction:
    """Pack an outline, and nodes if there are any, for the cache."""
    nodes = None if file_nodes is None else _encoder.encode(file_nodes)
    collisions = None if file_nodes is None else file_nodes.collisions
    encoded = encode_outline(outline, task.level, collisions)
    return pack_encoded(task, encoded, nodes, len(file_nodes.nodes) if file_nodes else 0)


def encode_outline(outline: Outline, level: Level, collisions: Collisions | None = None) -> EncodedOutline:
    """Encode an outline; `collisions` replace those of the outline."""
    return (
        _encoder.encode(outline),
        len(outline.entities),
        len(outline.chunks),
        sum(reference.edge not in GIVES_NAME for reference in outline.references),
        _encoder.encode(FileNotes(collisions or outline.collisions, outline.problems)),
        _encoder.encode(show_outline(outline)) if level is not Level.ENTITIES else b"",
    )


def pack_encoded(task: Task, encoded: EncodedOutline, nodes: bytes | None = None, n_nodes: int = 0) -> PackedExtraction:
    compress = _compress if task.is_stored else bytes
    outline, n_entities, n_chunks, n_edges, notes, shown = encoded
    return PackedExtraction(
        task.level,
        compress(outline),
        pack_source(task.content) if task.is_stored else b"",
        None if nodes is None else compress(nodes),
        n_entities,
        n_nodes,
        n_chunks,
        n_edges,
        notes,
        shown if task.is_stored else b"",
    )


def _compress(content: bytes) -> bytes:
    return _compressor.compress(content, zstd.ZstdCompressor.FLUSH_FRAME)


def _decompress(packed: bytes) -> bytes:
    return zstd.decompress(packed) if packed.startswith(_FRAME) else packed


def unpack_outline(packed: bytes) -> Outline:
    return _decode(_decompress(packed), Outline)


def unpack_entities(packed: bytes) -> OutlineEntities:
    """Unpack a part of an outline, in a third of the time and memory."""
    return _decode(_decompress(packed), OutlineEntities)


def unpack_names(packed: bytes) -> OutlineNames:
    """Unpack a part of an outline, in a third of the time."""
    return _decode(_decompress(packed), OutlineNames)


def unpack_shown(packed: bytes) -> ShownOutline:
    return _decode(packed, ShownOutline)


def unpack_nodes(packed: bytes) -> FileNodes:
    return _decode(_decompress(packed), FileNodes)


def unpack_notes(packed: bytes) -> FileNotes:
    return _decode(packed, FileNotes)


def pack_source(source: bytes) -> bytes:
    return _compress(source)


def unpack_source(packed: bytes) -> bytes:
    """Unpack a source; sources outlive the format of outlines, and 0.1 compressed them with zlib."""
    return _decompress(packed) if not packed or packed.startswith(_FRAME) else zlib.decompress(packed)


class ShownOutline(msgspec.Struct, frozen=True, array_like=True):
    """The part of an outline that snapshots show: entities in order, and references by name."""

    entities: tuple[ShownEntity, ...]
    names: tuple[NamedReferences, ...]


def show_outline(outline: Outline) -> ShownOutline:
    entities = tuple(
        [
            (
                format_semantic_path(one.language, one.kind, one.name, one.parent, ""),
                one.kind,
                one.name,
                one.qualified_name,
                fingerprint.content,
                one.start_line,
                one.end_line,
                fingerprint.body if weight >= HEAVY else None,
            )
            for one, fingerprint, weight in zip(outline.entities, outline.fingerprints, outline.weights, strict=True)
        ]
    )
    return ShownOutline(entities, references_by_name(outline.references))


def references_by_name(references: Iterable[Reference]) -> tuple[NamedReferences, ...]:
    """Return references by name and alias, in alphabetical order; each has its number in the outline."""
    found: dict[str, list[tuple[int, Reference]]] = {}
    for number, reference in enumerate(references):
        for name in dict.fromkeys((reference.name, reference.alias)):
            if name is not None:
                found.setdefault(name, []).append((number, reference))
    return tuple([_named(name, found[name]) for name in sorted(found)])


def _named(name: str, references: list[tuple[int, Reference]]) -> NamedReferences:
    own = [reference.edge for _, reference in references if reference.name == name]
    return (name, len(own), own.count("calls"), _encode(references))


_encode = msgspec.msgpack.Encoder().encode
unpack_references = msgpack_decoder(list[tuple[int, Reference]]).decode


def extractor_version(registry: Registry, sizes: ChunkSizes) -> str:
    """Return a digest of our code, the sizes of chunks, the languages and the grammars."""
    parts = [__version__, str(_EXTRACTION), str(FORMAT), str(VERSION), repr(sizes)]
    for spec in registry.languages.values():
        parts += [encode(spec).decode(), package_version(spec.grammar)]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]
