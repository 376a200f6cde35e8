"""Read one source file, without looking at another one.

Takes a path, bytes and a language; returns a FileNodes, or less if less is asked for. It is a pure function of its
arguments, so results may be cached, and made in any process. `run_task` does so in workers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from operator import attrgetter
from typing import TypeVar
from zlib import crc32

import msgspec

from birthmark.entities.chunks import ChunkSizes, Piece
from birthmark.extraction.codec import Task, decode_task, encode_result, pack, pack_encoded
from birthmark.extraction.model import Collisions, FileNodes, Interior, Outline
from birthmark.extraction.native_outline import read_native
from birthmark.extraction.placement import span_of
from birthmark.extraction.segment_extraction import Part, Reader
from birthmark.graph.reading.read_references import bindings_of, read_occurrences, references_of
from birthmark.graph.reading.references import MENTIONS
from birthmark.identity.fingerprints import Fingerprint, fingerprint_entities
from birthmark.identity.semantic_ids import EXTERNAL, base_ids, digest_content, resolve_ids
from birthmark.identity.uids import chunk_id, chunk_uids
from birthmark.languages.registry import LanguageSpec, Registry, load_registry
from birthmark.model import Chunk, Entity, Level, Node, Problem
from birthmark.store.model import PackedExtraction
from birthmark.syntax.canonical import DROPPED
from birthmark.syntax.lines import Lines

T = TypeVar("T", Entity, Node)

_INITIALIZED = frozenset({"VARIABLE", "CONSTANT", "FIELD"})  # their content is the initializer
_INTERIOR_TYPES = frozenset({"VARIABLE", "CONSTANT", "PARAMETER", "SCOPE", "FUNCTION"})


def run_task(payload: bytes) -> bytes:
    """Extract as a worker does: bytes in, bytes out."""
    return encode_result(_extract(decode_task(payload)))


def _extract(task: Task) -> PackedExtraction | Interior:
    registry = load_registry()
    spec = registry.languages[task.language]
    encoded = read_native(task.content, spec, task.level, task.sizes)
    if encoded is not None:
        return pack_encoded(task, encoded)
    if task.level is Level.INTERIOR:
        return read_interior(task.content, spec, registry)
    if task.level is Level.ENTITIES:
        return pack(task, read_entities(task.content, spec, registry))
    if task.level is Level.OUTLINE:
        return pack(task, read_outline(task.content, spec, registry, task.sizes))
    file_nodes = read_source("", task.content, spec, registry, task.sizes)
    return pack(task, outline_of(file_nodes), file_nodes)


def read_source(
    path: str,
    content: bytes,
    spec: LanguageSpec,
    registry: Registry,
    sizes: ChunkSizes | None = None,
    level: Level = Level.NODES,
) -> FileNodes:
    """Read a source with all nodes, or only with those that an outline needs."""
    part, chunks, problems = extract_source(path, content, spec, registry, sizes, level)
    ids, n_colliding, n_widened, n_counted = resolve_ids(base_ids(part.nodes, files_of(part, path)), node_digests(part))
    spans = [span_of(chunk, path, part.segments) for chunk in chunks]
    uids, metrics = chunk_uids(content.decode("utf-8", "surrogateescape"), spans)
    collisions = Collisions(chunks=metrics)
    if level is not Level.OUTLINE:
        collisions = Collisions(n_colliding, n_widened, n_counted, metrics)
    fingerprints, weights = fingerprints_of(part)
    rules = registry.resolution_of(spec.name)
    bindings = bindings_of(part.bound_names, part.lines, rules)
    occurrences = read_occurrences(part.occurrences, part.bound_names, part.entities, part.lines, rules, content)
    return FileNodes(
        path,
        spec.name,
        tuple(part.entities),
        fingerprints,
        weights,
        tuple(part.nodes),
        tuple(ids),
        tuple(part.entity_nodes),
        tuple(part.segments),
        tuple(chunks),
        tuple(uids),
        tuple(chunk_id(span) for span in spans),
        collisions,
        (*problems, *_find_doubles(path, part.nodes, ids, uids)),
        references_of(part.nodes, part.entities, spec.name, content, bindings, occurrences),
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


def read_outline(content: bytes, spec: LanguageSpec, registry: Registry, sizes: ChunkSizes | None = None) -> Outline:
    """Read an outline, at two thirds of the cost of all nodes."""
    return outline_of(read_source("", content, spec, registry, sizes, Level.OUTLINE))


def read_entities(content: bytes, spec: LanguageSpec, registry: Registry) -> Outline:
    """Read entities and their fingerprints, at little more than half the cost of an outline."""
    part, _, problems = extract_source("", content, spec, registry, level=Level.ENTITIES)
    fingerprints, weights = fingerprints_of(part)
    return Outline(
        spec.name,
        tuple(part.entities),
        fingerprints,
        weights,
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
    """Read the scopes, local names and tokens of a source."""
    part, _, _ = extract_source("", content, spec, registry)
    nodes = tuple([node for node in part.nodes if node.type in _INTERIOR_TYPES])
    return Interior(nodes, part.joined_mask(len(content)))


def extract_source(
    path: str,
    content: bytes,
    spec: LanguageSpec,
    registry: Registry,
    sizes: ChunkSizes | None = None,
    level: Level = Level.NODES,
) -> tuple[Part, list[Chunk], list[Problem]]:
    """Extract everything but names."""
    part = Reader(path, registry, sizes or ChunkSizes(), level).read(content, spec, path)
    lines = part.lines
    if part.segments:
        part.entities = [_with_lines(entity, lines) for entity in part.entities]
        part.nodes = [_with_lines(node, lines) for node in part.nodes]
    return part, _count_chunks(content, lines, part.pieces), _describe_errors(path, lines, part.errors)


def node_digests(part: Part) -> Callable[[int], str | None]:
    """Return the function that distinguishes nodes of the same name: the digest of a node's content and definition."""
    parsed, contexts = part.parsed, dict[int, int]()  # by entity

    def digest_of(index: int) -> str | None:
        source = parsed[0]
        if len(parsed) > 1:
            source = parsed[bisect_right(parsed, index, key=attrgetter("first_node")) - 1]
        node = source.nodes[index - source.first_node]
        span = node.content_span
        if span is None:
            if node.type in _INITIALIZED:
                return None
            span = (node.start_byte, node.end_byte)
        entity = part.nodes[index].entity
        context = contexts.get(entity)
        if context is None:
            name = part.entities[entity].qualified_name if entity >= 0 else ""
            context = contexts[entity] = crc32(name.encode("utf-8", "replace"))
        return digest_content(source.mask[span[0] : span[1]].translate(None, DROPPED), context)

    return digest_of


def fingerprints_of(part: Part) -> tuple[tuple[Fingerprint, ...], tuple[int, ...]]:
    """Return fingerprints and weights, see `fingerprint_entity`."""
    of_each = [fingerprint_entities(one.entities, one.source, one.mask) for one in part.parsed]
    weighed = [one for found in of_each for one in found]
    return tuple([fingerprint for fingerprint, _ in weighed]), tuple([weight for _, weight in weighed])


def files_of(part: Part, path: str) -> dict[int, str]:
    """Return the file names in the ids of nodes, by segment."""
    return {-1: path} | {index: segment.virtual_path for index, segment in enumerate(part.segments)}


def _find_doubles(path: str, nodes: list[Node], ids: list[str], uids: list[str]) -> list[Problem]:
    """Report ids that are not unique, although they are so by construction."""
    own = [id_ for node, id_ in zip(nodes, ids, strict=True) if node.type != EXTERNAL]
    n_doubles = len(own) - len(set(own)) + len(uids) - len(set(uids))
    return [Problem(path, f"{n_doubles} ids are not unique; please report this file")] if n_doubles else []


def _with_lines(thing: T, lines: Lines) -> T:
    start, end = thing.start_byte, thing.end_byte
    return msgspec.structs.replace(thing, start_line=lines.of(start), end_line=lines.last_of(start, end))


def _count_chunks(content: bytes, lines: Lines, pieces: list[tuple[Piece, int]]) -> list[Chunk]:
    """Make chunks of pieces, counting code points; a byte that is not UTF-8 counts as one."""
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
