"""Find what a REF means, now or at any time before.

A REF is a mark, key, semantic id, chunk uid, `path:line`, `path:first-last`, `path::Qualified.name`, or a name that
is unique. An id that was issued once is found for ever: marks and keys stand in the ledger; semantic ids and chunk
uids name their file, and are looked for in its versions from the newest to the oldest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from birthmark.errors import AmbiguousError, NotFoundError
from birthmark.extraction.model import FileNodes
from birthmark.identity.keys import parse_key, parse_mark
from birthmark.identity.semantic_ids import EXTERNAL, parse_semantic_id
from birthmark.model import Chunk, Entity, Node
from birthmark.queries.snapshot_view import IndexedFile, SnapshotView, entity_at_lines

LINES = re.compile(r"(?P<path>.+):(?P<first>\d+)(?:-(?P<last>\d+))?")
_CHUNK_UID = re.compile(
    r"ck64:v1:repo:(?P<path>.+?)(?:#seg:segu:v1:[0-9a-f]{16})?(?::[^:]*)?(?::[0-9a-f]{16}){1,3}(?::ord\d+)?"
)

ReadNodes = Callable[[IndexedFile], FileNodes | None]  # None where neither nodes nor source are kept


class RefMatch(NamedTuple):
    """Where a REF was seen: an identity, a node or a chunk, at a version of a file."""

    identity: int | None = None
    file: IndexedFile | None = None
    ordinal: int = -1
    node: Node | None = None
    chunk: Chunk | None = None


class RefMatches(NamedTuple):
    """What a REF stands for; several sightings if it is ambiguous, none if it is unknown."""

    sightings: list[RefMatch]
    is_external: bool = False


def find_ref(view: SnapshotView, ref: str, read_nodes: ReadNodes) -> RefMatches:
    """Read the REF as the first kind of name that it can be."""
    for kind in (_by_mark, _by_key, _by_chunk_uid):
        found = kind(view, ref)
        if found is not None:
            return found
    if parse_semantic_id(ref) is not None:
        return _by_semantic_id(view, ref, read_nodes)
    return _by_place(view, ref) or _by_name(view, ref)


def _by_mark(view: SnapshotView, ref: str) -> RefMatches | None:
    mark = parse_mark(ref)
    if mark is None:
        return None
    return RefMatches([RefMatch(found.identity) for found in view.store.identities_marked([mark])])


def _by_key(view: SnapshotView, ref: str) -> RefMatches | None:
    parts = parse_key(ref)
    if parts is None:
        return None
    rows = view.store.keys_at([parts.semantic_path])
    return RefMatches([RefMatch(row.identity) for row in rows if row.birth == parts.birth])


def _by_chunk_uid(view: SnapshotView, ref: str) -> RefMatches | None:
    match = _CHUNK_UID.fullmatch(ref)
    if match is None:
        return None
    for file in _versions(view, match["path"]):
        if ref in file.outline.chunk_uids:
            chunk = file.outline.chunks[file.outline.chunk_uids.index(ref)]
            identity = file.version.identities[chunk.entity] if chunk.entity >= 0 else None
            return RefMatches([RefMatch(identity, file, chunk.entity, chunk=chunk)])
    return RefMatches([])


def _by_semantic_id(view: SnapshotView, ref: str, read_nodes: ReadNodes) -> RefMatches:
    parts = parse_semantic_id(ref)
    assert parts is not None
    if parts.type == EXTERNAL:
        return RefMatches([], bool(view.store.references_received(view.number, [parts.name])))
    path = parts.file.partition("#seg:")[0]
    for file in _versions(view, path):
        if ref in file.outline.semantic_ids:
            ordinal = file.outline.semantic_ids.index(ref)
            return RefMatches([RefMatch(file.version.identities[ordinal], file, ordinal)])
    for file in _versions(view, path):
        source = view.source(file.version)
        if source is None or (parts.name.isidentifier() and parts.name.encode() not in source):
            continue
        reading = read_nodes(file)
        if reading is not None and ref in reading.semantic_ids:
            return RefMatches([_sighting(file, reading, reading.semantic_ids.index(ref))])
    return RefMatches([])


def _sighting(file: IndexedFile, reading: FileNodes, index: int) -> RefMatch:
    """A node as it was read from a version; a version that was only sketched does not tell the ids of entities."""
    if index in reading.entity_nodes:
        ordinal = reading.entity_nodes.index(index)
        return RefMatch(file.version.identities[ordinal], file, ordinal)
    node = reading.nodes[index]
    identity = file.version.identities[node.entity] if node.entity >= 0 else None
    return RefMatch(identity, file, node.entity, node=node)


def _by_place(view: SnapshotView, ref: str) -> RefMatches | None:
    """`path::Qualified.name`, `path:line` and `path:first-last`, where the path is a file of the snapshot."""
    path, colons, name = ref.partition("::")
    if colons and (file := view.file(path)):
        named = named_in(file.outline.entities, name)
        return RefMatches([RefMatch(file.version.identities[i], file, i) for i in named])
    match = LINES.fullmatch(ref)
    if match is None:
        return None
    place = view.file(match["path"])
    if place is None:
        return None
    ordinal = entity_at_lines(place.outline.entities, int(match["first"]), int(match["last"] or match["first"]))
    return RefMatches([] if ordinal is None else [RefMatch(place.version.identities[ordinal], place, ordinal)])


def named_in(entities: Sequence[Entity], name: str, line: int | None = None) -> list[int]:
    """Those of a qualified name, else of a simple one; with a line, the nearest of them.

    A Rust type and its `impl` blocks share a name, which means the type unless a line says otherwise.
    """
    named = [i for i, entity in enumerate(entities) if entity.qualified_name == name]
    named = named or [i for i, entity in enumerate(entities) if entity.name == name]
    if line is not None:
        return sorted(named, key=lambda i: abs(entities[i].start_line - line))[:1]
    types = [i for i in named if entities[i].kind != "impl"]
    return types if len(types) == 1 else named


def _by_name(view: SnapshotView, ref: str) -> RefMatches:
    rows = view.store.entities_qualified(view.number, [ref])
    rows = rows or view.store.entities_named(view.number, [ref])
    return RefMatches([RefMatch(row.identity, view.at_version(row.version), row.ordinal) for row in rows])


def _versions(view: SnapshotView, path: str) -> Iterator[IndexedFile]:
    """A file as it is, then as it was; outlines that are no longer kept are passed over."""
    now = view.file(path)
    if now is not None:
        yield now
    for version in view.store.versions_of(path):
        if now is None or version.version != now.version.version:
            file = view.at_version(version.version)
            if file is not None:
                yield file


def only_one(view: SnapshotView, ref: str, read_nodes: ReadNodes) -> RefMatch:
    """The one thing a REF stands for, or an error that says what to say instead."""
    found = find_ref(view, ref, read_nodes)
    identities = {sighting.identity for sighting in found.sightings}
    if not found.sightings:
        raise NotFoundError(f"{ref}: nothing goes by that name; `birthmark entities` lists what there is")
    if len(identities) > 1:
        names = [view.entity(identity) for identity in sorted(i for i in identities if i is not None)[:3]]
        hints = ", ".join(f"{held.entity.path}::{held.entity.qualified_name}" for held in names if held)
        raise AmbiguousError(f"{ref}: {len(identities)} things go by that name; say which, as in {hints}")
    return found.sightings[0]
