"""Look up a REF that names no path in the ledger and the snapshot, now or at any time before.

Takes a parsed Ref and gives its RefMatches: several if it is ambiguous, none if it is unknown. An id that was issued
once is found for ever: the ledger has all marks and keys; semantic ids and chunk uids name their file, whose versions
are searched from the newest to the oldest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from birthmark.extraction.model import FileNodes
from birthmark.identity.keys import parse_key
from birthmark.identity.semantic_ids import EXTERNAL, parse_semantic_id
from birthmark.model import Chunk, Node
from birthmark.queries.refs.ref_forms import ChunkUidRef, KeyRef, MarkRef, Ref, SemanticIdRef
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.snapshot_view import IndexedFile, SnapshotView

ReadNodes = Callable[[IndexedFile], FileNodes | None]  # None where neither nodes nor source are stored


class RefMatch(NamedTuple):
    """What a REF names: an identity, a node or a chunk, at a version of a file."""

    identity: int | None = None
    file: IndexedFile | None = None
    ordinal: int = -1
    node: Node | None = None
    chunk: Chunk | None = None


class RefMatches(NamedTuple):
    """All that a REF may name."""

    matches: list[RefMatch]
    is_external: bool = False

    @property
    def identities(self) -> list[int]:
        return list(dict.fromkeys(match.identity for match in self.matches if match.identity is not None))


def find_ref(view: SnapshotView, ref: Ref, read_nodes: ReadNodes) -> RefMatches:
    """A REF that is no id is a name."""
    match ref:
        case MarkRef(mark):
            return RefMatches([RefMatch(found.identity) for found in view.store.identities_marked([mark])])
        case KeyRef(key):
            return RefMatches(_by_key(view, key))
        case ChunkUidRef():
            return RefMatches(_by_chunk_uid(view, ref))
        case SemanticIdRef(semantic_id):
            return _by_semantic_id(view, semantic_id, read_nodes)
        case _:
            return RefMatches(_by_name(view, str(ref)))


def _by_key(view: SnapshotView, key: str) -> list[RefMatch]:
    parts = parse_key(key)
    assert parts is not None
    rows = view.store.keys_at([parts.semantic_path])
    return [RefMatch(row.identity) for row in rows if row.birth == parts.birth]


def _by_chunk_uid(view: SnapshotView, ref: ChunkUidRef) -> list[RefMatch]:
    for file in _versions(view, ref.path):
        if ref.uid in file.outline.chunk_uids:
            chunk = file.outline.chunks[file.outline.chunk_uids.index(ref.uid)]
            identity = file.version.identities[chunk.entity] if chunk.entity >= 0 else None
            return [RefMatch(identity, file, chunk.entity, chunk=chunk)]
    return []


def _by_semantic_id(view: SnapshotView, semantic_id: str, read_nodes: ReadNodes) -> RefMatches:
    parts = parse_semantic_id(semantic_id)
    assert parts is not None
    if parts.type == EXTERNAL:
        return RefMatches([], SnapshotGraph(view.store, view.number).has_receiver(parts.name))
    path = parts.file.partition("#seg:")[0]
    for file in _versions(view, path):
        if semantic_id in file.outline.semantic_ids:
            ordinal = file.outline.semantic_ids.index(semantic_id)
            return RefMatches([RefMatch(file.version.identities[ordinal], file, ordinal)])
    for file in _versions(view, path):
        source = view.source(file.version)
        if source is None or (parts.name.isidentifier() and parts.name.encode() not in source):
            continue
        file_nodes = read_nodes(file)
        if file_nodes is not None and semantic_id in file_nodes.semantic_ids:
            return RefMatches([_match_node(file, file_nodes, file_nodes.semantic_ids.index(semantic_id))])
    return RefMatches([])


def _match_node(file: IndexedFile, file_nodes: FileNodes, index: int) -> RefMatch:
    """The outline of a version may have no ids, so that a node may be found to be an entity only here."""
    if index in file_nodes.entity_nodes:
        ordinal = file_nodes.entity_nodes.index(index)
        return RefMatch(file.version.identities[ordinal], file, ordinal)
    node = file_nodes.nodes[index]
    identity = file.version.identities[node.entity] if node.entity >= 0 else None
    return RefMatch(identity, file, node.entity, node=node)


def _by_name(view: SnapshotView, name: str) -> list[RefMatch]:
    rows = view.store.entities_qualified(view.number, [name])
    rows = rows or view.store.entities_named(view.number, [name])
    types = [row for row in rows if row.kind != "impl"]  # A Rust type and its `impl` blocks share a name.
    return [RefMatch(row.identity) for row in (types if len(types) == 1 else rows)]


def _versions(view: SnapshotView, path: str) -> Iterator[IndexedFile]:
    """A file as it is, then as it was; versions whose outline is no longer stored are left out."""
    now = view.file(path)
    if now is not None:
        yield now
    for version in view.store.versions_of(path):
        if now is None or version.version != now.version.version:
            file = view.at_version(version.version)
            if file is not None:
                yield file
