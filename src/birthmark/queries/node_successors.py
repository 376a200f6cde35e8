"""Follow a node from one version of a file to another, by aligning the bodies that it is in.

Takes the nodes of an entity before and after; gives the node that one has become, as local history says it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

from birthmark.extraction.model import FileNodes, Interior
from birthmark.history.function_body import BodyAlignment, FunctionBody, align_bodies, split_body
from birthmark.history.variables import TYPES, find_variable
from birthmark.matching.bodies.token_alignment import NodeTokens, align_nodes
from birthmark.model import FUNCTION_LIKE, Node
from birthmark.queries.ref import ReadNodes, RefMatch
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView

ReadInterior = Callable[[IndexedFile], Interior | None]  # None where the source is not kept


class EntityNodes(NamedTuple):
    """The nodes of an entity, or of a file outside of all entities, and the body they are in."""

    nodes: list[Node]
    semantic_ids: list[str]
    body: FunctionBody


def follow_node(
    view: SnapshotView,
    match: RefMatch,
    indexed: IndexedEntity | None,
    read_nodes: ReadNodes,
    read_interior: ReadInterior,
) -> tuple[str, Node, str] | None:
    """Return path, node and semantic id of the node as it is now; None if it is gone."""
    assert match.file is not None
    assert match.node is not None
    new_file = view.at_version(indexed.version) if indexed else view.file(match.file.path)
    if new_file is None or (indexed is None and match.identity is not None):
        return None
    old, new = (
        _read_entity(view.source(file.version), read_nodes(file), read_interior(file), ordinal)
        for file, ordinal in ((match.file, match.ordinal), (new_file, indexed.ordinal if indexed else -1))
    )
    index = find_successor(old, new, old.nodes.index(match.node)) if old and new else None
    return (new_file.path, new.nodes[index], new.semantic_ids[index]) if new and index is not None else None


def _read_entity(
    source: bytes | None, reading: FileNodes | None, interior: Interior | None, ordinal: int
) -> EntityNodes | None:
    if source is None or reading is None or interior is None:
        return None
    return nodes_of_entity(source, reading, interior, ordinal)


def nodes_of_entity(source: bytes, reading: FileNodes, interior: Interior, ordinal: int) -> EntityNodes:
    """Return the nodes of a function with its body; of a type or a file, those in none of its entities."""
    entity = reading.entities[ordinal] if ordinal >= 0 else None
    span = (entity.lead_start, entity.end_byte) if entity is not None else (0, len(source))
    if entity is None or entity.kind not in FUNCTION_LIKE:
        inner = [other for other in reading.entities if other.container == ordinal]
        interior = _without(interior, [(other.lead_start, other.end_byte) for other in inner])
    own = set(reading.entity_nodes)
    indexes = [i for i, node in enumerate(reading.nodes) if node.entity == ordinal and i not in own]
    nodes, ids = [reading.nodes[i] for i in indexes], [reading.semantic_ids[i] for i in indexes]
    return EntityNodes(nodes, ids, split_body(source, interior, span))


def _without(interior: Interior, spans: list[tuple[int, int]]) -> Interior:
    mask = bytearray(interior.mask)
    for start, end in spans:
        mask[start:end] = bytes(end - start)
    nodes = [
        node
        for node in interior.nodes
        if not any(start <= node.start_byte and node.end_byte <= end for start, end in spans)
    ]
    return Interior(tuple(nodes), bytes(mask))


def find_successor(old: EntityNodes, new: EntityNodes, index: int) -> int | None:
    """Return the successor of a node: variables and blocks by local history, other nodes by shared tokens."""
    alignment, node = align_bodies(old.body, new.body), old.nodes[index]
    by_tokens = align_nodes(_tokens(old), _tokens(new), alignment.tokens).get(index)
    candidates = (
        _variable_nodes(old, new, alignment, node) if node.type in TYPES else _block_nodes(old, new, alignment, node)
    )
    if candidates is None or by_tokens in candidates:
        return by_tokens
    return candidates[0] if candidates else None


def _variable_nodes(old: EntityNodes, new: EntityNodes, alignment: BodyAlignment, node: Node) -> list[int] | None:
    """Return the new declaration of a variable, or all nodes that bind it; None for other nodes."""
    before = find_variable(old.body.variables, old.body.blocks, node)
    if before is None:
        return None
    after = [j for j, i in alignment.variables.items() if i == before]
    found = [
        k
        for k, other in enumerate(new.nodes)
        if other.type in TYPES and find_variable(new.body.variables, new.body.blocks, other) in after
    ]
    is_declaration = old.body.variables[before].span == (node.start_byte, node.end_byte)
    return found[:1] if is_declaration else found


def _block_nodes(old: EntityNodes, new: EntityNodes, alignment: BodyAlignment, node: Node) -> list[int] | None:
    """Return the new nodes of a block, several if it was split; None for other nodes."""
    spans = [block.span for block in old.body.blocks]
    where = (node.start_byte, node.end_byte)
    if where not in spans:
        return None
    after = [new.body.blocks[j].span for j, i in sorted(alignment.blocks.items()) if i == spans.index(where)]
    return [k for k, other in enumerate(new.nodes) if (other.start_byte, other.end_byte) in after]


def _tokens(entity: EntityNodes) -> list[NodeTokens]:
    starts = [token.start for token in entity.body.tokens]
    return [
        (node.type, (bisect_left(starts, node.start_byte), bisect_left(starts, node.end_byte))) for node in entity.nodes
    ]
