"""Follow a node or a chunk from the version of a file in which it was seen to where it is now.

The entity it stood in is followed by the ledger; inside, the two bodies are aligned on demand.
"""

from __future__ import annotations

from birthmark.comparison.chunks import ChunkFile, text_hash
from birthmark.extraction.read import Reading
from birthmark.matching.lineage import Mention, align_mentions
from birthmark.model import Node
from birthmark.queries.ref import ReadNodes, RefMatch
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView


def follow_node(
    view: SnapshotView, sighting: RefMatch, held: IndexedEntity | None, read_nodes: ReadNodes
) -> tuple[str, Node, str] | None:
    """The node, its path and its semantic id as they are now; None if it is gone."""
    assert sighting.file is not None
    assert sighting.node is not None
    old_file = sighting.file
    new_file = view.at_version(held.version) if held else view.file(old_file.path)
    if new_file is None or (held is None and sighting.identity is not None):
        return None
    old_source, new_source = view.source(old_file.version), view.source(new_file.version)
    old, new = read_nodes(old_file), read_nodes(new_file)
    if old_source is None or new_source is None or old is None or new is None:
        return None
    old_nodes = _nodes_in(old, sighting.ordinal)
    new_nodes = _nodes_in(new, held.ordinal if held else -1)
    at = next(i for i, index in enumerate(old_nodes) if old.nodes[index] == sighting.node)
    aligned = align_mentions(_mentions(old, old_nodes, old_source), _mentions(new, new_nodes, new_source))
    if at not in aligned:
        return None
    index = new_nodes[aligned[at]]
    return new_file.path, new.nodes[index], new.semantic_ids[index]


def _nodes_in(reading: Reading, entity: int) -> list[int]:
    own = set(reading.entity_nodes)
    return [i for i, node in enumerate(reading.nodes) if node.entity == entity and i not in own]


def _mentions(reading: Reading, indexes: list[int], source: bytes) -> list[Mention]:
    mentions = []
    for index in indexes:
        node = reading.nodes[index]
        text = b" ".join(source[node.start_byte : node.end_byte].split())
        mentions.append(Mention((node.type, node.name, text), (node.type, node.name), node.type))
    return mentions


def follow_chunk(view: SnapshotView, sighting: RefMatch, held: IndexedEntity | None) -> tuple[IndexedFile, int] | None:
    """The chunk as it is now, by its file and its index in it."""
    assert sighting.file is not None
    assert sighting.chunk is not None
    old_file = sighting.file
    new_file = view.at_version(held.version) if held else view.file(old_file.path)
    if new_file is None:
        return None
    old_chunks = [i for i, chunk in enumerate(old_file.outline.chunks) if chunk.entity == sighting.ordinal]
    new_chunks = [
        i for i, chunk in enumerate(new_file.outline.chunks) if chunk.entity == (held.ordinal if held else -1)
    ]
    at = next(i for i, index in enumerate(old_chunks) if old_file.outline.chunks[index] == sighting.chunk)
    aligned = align_mentions(_chunk_mentions(old_file, old_chunks), _chunk_mentions(new_file, new_chunks))
    return (new_file, new_chunks[aligned[at]]) if at in aligned else None


def _chunk_mentions(file: IndexedFile, indexes: list[int]) -> list[Mention]:
    placed = ChunkFile(file.path, file.outline)
    chunks = [(index, file.outline.chunks[index]) for index in indexes]
    return [Mention(text_hash(placed, index), (chunk.kind, chunk.name), chunk.kind) for index, chunk in chunks]
