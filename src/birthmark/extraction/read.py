"""Read one source file: everything that can be said of it without another file.

Takes a path, bytes and a language; gives a FileNodes, or the less that is asked for. It is a pure function of its
arguments, so its result may be cached, and made in any process.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import TypeVar
from zlib import crc32

import msgspec

from birthmark.entities.chunks import Piece
from birthmark.extraction.model import Collisions, FileNodes, Interior, Outline, ReadOptions
from birthmark.extraction.segment_extraction import Part, Reader
from birthmark.graph.reading.bindings import MENTIONS
from birthmark.graph.reading.read_bindings import bindings_of
from birthmark.graph.reading.read_references import references_of
from birthmark.identity.fingerprints import Fingerprint, fingerprint_entities
from birthmark.identity.semantic_ids import EXTERNAL, base_ids, digest_content, resolve_ids
from birthmark.identity.uids import ChunkSpan, chunk_id, chunk_uids
from birthmark.languages.registry import LanguageSpec, Registry
from birthmark.model import Chunk, Entity, Level, Node, Problem, Segment
from birthmark.syntax.canonical import DROPPED
from birthmark.syntax.lines import Lines

T = TypeVar("T", Entity, Node)

_INITIALIZED = frozenset({"VARIABLE", "CONSTANT", "FIELD"})  # their content is what they start with
_INTERIOR_TYPES = frozenset({"VARIABLE", "CONSTANT", "PARAMETER", "SCOPE", "FUNCTION"})


def read_source(
    path: str,
    content: bytes,
    spec: LanguageSpec,
    registry: Registry,
    options: ReadOptions | None = None,
    level: Level = Level.NODES,
) -> FileNodes:
    """With all nodes, or only with those that an outline needs."""
    part, chunks, problems = extract_source(path, content, spec, registry, options, level)
    ids = resolve_ids(base_ids(part.nodes, files_of(part, path)), Contents(part).digest_of)
    spans = [span_of(chunk, path, part.segments) for chunk in chunks]
    uids, metrics = chunk_uids(content.decode("utf-8", "surrogateescape"), spans)
    fingerprints = fingerprints_of(part)
    bindings = bindings_of(part.bound_names, part.lines, registry.resolution_of(spec.name))
    return FileNodes(
        path,
        spec.name,
        tuple(part.entities),
        tuple([fingerprint for fingerprint, _ in fingerprints]),
        tuple([weight for _, weight in fingerprints]),
        tuple(part.nodes),
        tuple(ids.ids),
        tuple(part.entity_nodes),
        tuple(part.segments),
        tuple(chunks),
        tuple(uids),
        tuple(chunk_id(span) for span in spans),
        Collisions(chunks=metrics) if level is Level.OUTLINE else Collisions(*ids[1:], metrics),
        (*problems, *_find_doubles(path, part.nodes, ids.ids, uids)),
        references_of(part.nodes, part.entities, spec.name, content, bindings),
        tuple([one for one in bindings if one.role not in MENTIONS]),
    )


def outline_of(file_nodes: FileNodes) -> Outline:
    return Outline(
        file_nodes.language,
        file_nodes.entities,
        file_nodes.fingerprints,
        file_nodes.weights,
        tuple([file_nodes.semantic_ids[node] for node in file_nodes.entity_nodes]),
        file_nodes.segments,
        file_nodes.chunks,
        file_nodes.chunk_uids,
        file_nodes.references,
        file_nodes.bindings,
        Collisions(chunks=file_nodes.collisions.chunks),
        file_nodes.problems,
    )


def read_outline(content: bytes, spec: LanguageSpec, registry: Registry, options: ReadOptions | None = None) -> Outline:
    """At two thirds of the cost of all nodes."""
    return outline_of(read_source("", content, spec, registry, options, Level.OUTLINE))


def read_entities(content: bytes, spec: LanguageSpec, registry: Registry) -> Outline:
    """The entities of a source and their fingerprints, at little more than half the cost of an outline."""
    part, _, problems = extract_source("", content, spec, registry, level=Level.ENTITIES)
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
        (),
        Collisions(),
        tuple(problems),
    )


def read_interior(content: bytes, spec: LanguageSpec, registry: Registry) -> Interior:
    """The scopes, local names and tokens of a source."""
    part, _, _ = extract_source("", content, spec, registry)
    nodes = tuple([node for node in part.nodes if node.type in _INTERIOR_TYPES])
    return Interior(nodes, part.joined_mask(len(content)))


def extract_source(
    path: str,
    content: bytes,
    spec: LanguageSpec,
    registry: Registry,
    options: ReadOptions | None = None,
    level: Level = Level.NODES,
) -> tuple[Part, list[Chunk], list[Problem]]:
    """All but the names."""
    part = Reader(path, registry, options or ReadOptions(), level).read(content, spec, path)
    lines = part.lines
    if part.segments:
        part.entities = [_with_lines(entity, lines) for entity in part.entities]
        part.nodes = [_with_lines(node, lines) for node in part.nodes]
    return part, _count_chunks(content, lines, part.pieces), _describe_errors(path, lines, part.errors)


class Contents:
    """What distinguishes nodes from their namesakes."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.contexts: dict[int, int] = {}  # of entities

    def digest_of(self, index: int) -> str | None:
        """Of the content of a node, and of the definition around it."""
        parsed = self.part.parsed
        source = parsed[0]
        if len(parsed) > 1:
            source = parsed[bisect_right(parsed, index, key=attrgetter("first_node")) - 1]
        node = source.nodes[index - source.first_node]
        span = node.content_span
        if span is None:
            if node.type in _INITIALIZED:
                return None
            span = (node.start_byte, node.end_byte)
        tokens = source.mask[span[0] : span[1]].translate(None, DROPPED)
        return digest_content(tokens, self._context_of(self.part.nodes[index].entity))

    def _context_of(self, entity: int) -> int:
        context = self.contexts.get(entity)
        if context is None:
            name = self.part.entities[entity].qualified_name if entity >= 0 else ""
            context = self.contexts[entity] = crc32(name.encode("utf-8", "replace"))
        return context


def fingerprints_of(part: Part) -> list[tuple[Fingerprint, int]]:
    """With the weights, see `fingerprint_entity`."""
    return [
        weighed
        for parsed in part.parsed
        for weighed in fingerprint_entities(parsed.entities, parsed.source, parsed.mask)
    ]


def files_of(part: Part, path: str) -> dict[int, str]:
    """The name of the file in the ids of a segment's nodes."""
    return {-1: path} | {index: segment.virtual_path for index, segment in enumerate(part.segments)}


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


def _find_doubles(path: str, nodes: list[Node], ids: list[str], uids: list[str]) -> list[Problem]:
    """Ids are unique by construction; should that ever fail, it is reported."""
    own = [id_ for node, id_ in zip(nodes, ids, strict=True) if node.type != EXTERNAL]
    n_doubles = len(own) - len(set(own)) + len(uids) - len(set(uids))
    return [Problem(path, f"{n_doubles} ids are not unique; please report this file")] if n_doubles else []


def _with_lines(thing: T, lines: Lines) -> T:
    start, end = thing.start_byte, thing.end_byte
    return msgspec.structs.replace(thing, start_line=lines.of(start), end_line=lines.last_of(start, end))


def _count_chunks(content: bytes, lines: Lines, pieces: list[tuple[Piece, int]]) -> list[Chunk]:
    """Count code points from piece to piece; a byte that is no UTF-8 counts as one."""
    chunks, at, ascii_only = [], 0, content.isascii()
    for piece, segment in pieces:
        start, end = piece.start, piece.end
        width = end - start if ascii_only else len(content[start:end].decode("utf-8", "surrogateescape"))
        first, last = lines.of(start), lines.last_of(start, end)
        chunks.append(Chunk(piece.kind, piece.name, at, at + width, start, end, first, last, piece.entity, segment))
        at += width
    return chunks


def _describe_errors(path: str, lines: Lines, errors: list[int]) -> list[Problem]:
    if not errors:
        return []
    first = lines.of(min(errors))
    count = "a syntax error" if len(errors) == 1 else f"{len(errors)} syntax errors, the first"
    return [Problem(path, f"{count} on line {first}; the rest is indexed", first)]
