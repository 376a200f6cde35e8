"""The one codec: tasks and results on their way between processes, and the rows of the cache.

A result is packed in the worker and stored as it is, so that the process that stores it need not unpack it. The worker
also makes the ShownOutline that snapshots store: entities as rows, and references by their names.
`extractor_version` changes with all that an outline depends on besides the source.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple, TypeVar

import msgspec
import zstandard
from msgspec.json import encode

from birthmark import __version__
from birthmark.decoding import msgpack_decoder
from birthmark.extraction.model import (
    Collisions,
    FileNodes,
    FileNotes,
    Interior,
    Outline,
    OutlineEntities,
    OutlineNames,
    ReadOptions,
)
from birthmark.graph.reading.references import GIVES_NAME, Reference
from birthmark.identity.fingerprints import HEAVY, VERSION
from birthmark.identity.keys import format_semantic_path
from birthmark.languages.registry import Registry, package_version
from birthmark.model import Level
from birthmark.store.model import NamedReferences, PackedExtraction

FORMAT = 4  # of what is packed here; raised when an older program could not unpack it, or a newer one not the old
_COMPRESSION = 1  # the level: a third of the time of zlib, and as small
_FRAME = zstandard.FRAME_HEADER  # by which what is compressed starts, and no outline
_EXTRACTION = 6  # raised when the same source gives another outline, or snapshots show more of it


class Task(msgspec.Struct, frozen=True, array_like=True):
    """What a worker needs besides the languages."""

    content: bytes
    language: str
    level: Level
    options: ReadOptions
    is_stored: bool = False  # Else there is no need to compress what is decompressed at once.


class EncodedOutline(NamedTuple):
    """An Outline as bytes, what is counted of it, and its FileNotes and ShownOutline as bytes."""

    outline: bytes
    n_entities: int
    n_chunks: int
    n_edges: int
    notes: bytes
    shown: bytes  # its ShownOutline


T = TypeVar("T")


class _Compression(threading.local):
    """Each thread has its own: two that use one at the same time end the process."""

    def __init__(self) -> None:
        self.compress = zstandard.ZstdCompressor(_COMPRESSION).compress
        self.decompress = zstandard.ZstdDecompressor().decompress


_own = _Compression()
_encoder = msgspec.msgpack.Encoder()


def _decode(packed: bytes, kind: type[T]) -> T:
    """To make a decoder takes longer than most decoding; a run needs few of them."""
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
    """What the cache stores of a source; nodes only where they are asked for."""
    nodes = None if file_nodes is None else _encoder.encode(file_nodes)
    collisions = None if file_nodes is None else file_nodes.collisions
    encoded = encode_outline(outline, task.level, collisions)
    return pack_encoded(task, encoded, nodes, len(file_nodes.nodes) if file_nodes else 0)


def encode_outline(outline: Outline, level: Level, collisions: Collisions | None = None) -> EncodedOutline:
    """With collisions that are known better than the outline has them."""
    return EncodedOutline(
        _encoder.encode(outline),
        len(outline.entities),
        len(outline.chunks),
        sum(reference.edge not in GIVES_NAME for reference in outline.references),
        _encoder.encode(FileNotes(collisions or outline.collisions, outline.problems)),
        _encoder.encode(show_outline(outline)) if level is not Level.ENTITIES else b"",
    )


def pack_encoded(task: Task, encoded: EncodedOutline, nodes: bytes | None = None, n_nodes: int = 0) -> PackedExtraction:
    compress = _own.compress if task.is_stored else bytes
    return PackedExtraction(
        task.level,
        compress(encoded.outline),
        pack_source(task.content) if task.is_stored else b"",
        None if nodes is None else compress(nodes),
        encoded.n_entities,
        n_nodes,
        encoded.n_chunks,
        encoded.n_edges,
        encoded.notes,
        encoded.shown if task.is_stored else b"",
    )


def _decompress(packed: bytes) -> bytes:
    return _own.decompress(packed) if packed.startswith(_FRAME) else packed


def unpack_outline(packed: bytes) -> Outline:
    return _decode(_decompress(packed), Outline)


def unpack_entities(packed: bytes) -> OutlineEntities:
    """A part of an outline, in a fifth of the time."""
    return _decode(_decompress(packed), OutlineEntities)


def unpack_names(packed: bytes) -> OutlineNames:
    """A part of an outline, in a third of the time."""
    return _decode(_decompress(packed), OutlineNames)


def unpack_shown(packed: bytes) -> ShownOutline:
    return _decode(packed, ShownOutline)


def unpack_nodes(packed: bytes) -> FileNodes:
    return _decode(_decompress(packed), FileNodes)


def unpack_notes(packed: bytes) -> FileNotes:
    return _decode(packed, FileNotes)


def pack_source(source: bytes) -> bytes:
    return _own.compress(source)


def unpack_source(packed: bytes) -> bytes:
    """Sources outlive the format of outlines: 0.1 compressed them by zlib, and what they are is extracted again."""
    return _decompress(packed) if not packed or packed.startswith(_FRAME) else zlib.decompress(packed)


class EntityRow(NamedTuple):
    """An entity; with the place of a file appended, its scope is the entity's semantic path."""

    scope: str
    kind: str
    name: str
    qualified_name: str
    content_hash: str
    start_line: int
    end_line: int
    body_hash: str | None  # of a heavy body


class ShownOutline(msgspec.Struct, frozen=True, array_like=True):
    """The entities in their order, and the references by name."""

    entities: tuple[EntityRow, ...]
    names: tuple[NamedReferences, ...]


def show_outline(outline: Outline) -> ShownOutline:
    entities = tuple(
        [
            EntityRow(
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
    """Under their names, and under their aliases, in the order of these; each with its number in the outline."""
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


def extractor_version(registry: Registry, options: ReadOptions) -> str:
    """Of our code, the options, the languages and the grammars."""
    parts = [__version__, str(_EXTRACTION), str(FORMAT), str(VERSION), repr(options)]
    for spec in registry.languages.values():
        parts += [encode(spec).decode(), package_version(spec.grammar)]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]
