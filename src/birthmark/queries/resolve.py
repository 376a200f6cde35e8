"""Resolve a REF: present, gone, ambiguous or unknown, and its events.

A node or a chunk is followed from the version of a file in which it was seen to its present place: its entity by the
ledger, and inside of that by aligning the two bodies on demand, as for local history.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from birthmark.comparison.chunks import ChunkKeys, align_chunks, chunk_keys
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import ChunkedFile, FileNodes, Interior
from birthmark.history.function_body import BodyAlignment, FunctionBody, align_bodies, split_body
from birthmark.history.variables import TYPES, find_variable
from birthmark.matching.bodies.token_alignment import NodeTokens, align_nodes
from birthmark.model import FUNCTION_LIKE, Entity, Node
from birthmark.queries.life import NO_DESCENT, Descent, LedgerEvent, Life, read_lives
from birthmark.queries.missing import MOST_CHOICES, Choice, ambiguous
from birthmark.queries.ref import FormerEntity, ReadNodes, RefMatch, RefMatches
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.store.model import Identity, SnapshotEntity
from birthmark.vocabulary import RefStatus

ReadInterior = Callable[[IndexedFile], Interior | None]  # None where the source is not kept
_MOST_CANDIDATES = 100


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


def follow_chunk(view: SnapshotView, match: RefMatch, indexed: IndexedEntity | None) -> tuple[ChunkedFile, int] | None:
    """Return the chunk as it is now, by its file and its index in it."""
    assert match.file is not None
    assert match.chunk is not None
    old_file = match.file
    new_file = view.at_version(indexed.version) if indexed else view.file(old_file.path)
    if new_file is None:
        return None
    old_chunks = [i for i, chunk in enumerate(old_file.outline.chunks) if chunk.entity == match.ordinal]
    new_chunks = [
        i for i, chunk in enumerate(new_file.outline.chunks) if chunk.entity == (indexed.ordinal if indexed else -1)
    ]
    at = next(i for i, index in enumerate(old_chunks) if old_file.outline.chunks[index] == match.chunk)
    aligned = align_chunks(_keys(old_file, old_chunks), _keys(new_file, new_chunks))
    return (view.chunked(new_file), new_chunks[aligned[at]]) if at in aligned else None


def _keys(file: IndexedFile, indexes: list[int]) -> list[ChunkKeys]:
    return [chunk_keys(file.path, file.outline, index) for index in indexes]


class Candidate(NamedTuple):
    """One of several entities that a REF may name, or that an identity may have been or become."""

    life: Life
    indexed: IndexedEntity | None

    @property
    def mark(self) -> str:
        return self.life.identity.mark


class ResolvedRef(NamedTuple):
    """The target of a REF, and what became of it.

    `node` or `chunk` is the present place of the part inside the entity, if the REF named one. `was` is set if the REF
    gave a former name or path; `former_owners` had it once, if the REF gave a present one. `problem` is the error of an
    unknown or ambiguous REF.
    """

    ref: str
    status: RefStatus
    indexed: IndexedEntity | None = None
    life: Life | None = None
    candidates: tuple[Candidate, ...] = ()
    node: tuple[str, Node, str] | None = None  # path, node, semantic id
    chunk: tuple[ChunkedFile, int] | None = None
    was: LedgerEvent | None = None
    former_owners: tuple[FormerEntity, ...] = ()
    problem: BirthmarkError | None = None
    descent: Descent = NO_DESCENT
    located: Entity | None = None  # at the revision that the REF was looked up in

    @property
    def identity(self) -> Identity | None:
        return self.life.identity if self.life is not None else None

    @property
    def events(self) -> tuple[LedgerEvent, ...]:
        return self.life.events if self.life is not None else ()

    @property
    def deletion(self) -> LedgerEvent | None:
        return self.life.deletion if self.life is not None else None


class ResolveTools(NamedTuple):
    """The tools to resolve REFs, with lives and entities that were read beforehand."""

    view: SnapshotView
    read_nodes: ReadNodes
    read_interior: ReadInterior
    lives: Mapping[int, Life]
    held: Mapping[int, IndexedEntity]  # by identity

    def hold(self, shown: SnapshotEntity) -> IndexedEntity:
        return self.held.get(shown.identity) or self.view.hold(shown)

    def life(self, identity: int) -> Life:
        known = self.lives.get(identity)
        return known if known is not None else read_lives(self.view, [identity])[identity]

    def candidates(self, lives: Iterable[Life]) -> tuple[Candidate, ...]:
        return tuple(Candidate(life, self.hold(life.shown) if life.shown else None) for life in lives)


def resolve_ref(tools: ResolveTools, ref: str, found: RefMatches) -> ResolvedRef:
    """Resolve a REF to its present target, or by a former id."""
    if found.is_external:
        return ResolvedRef(ref, RefStatus.PRESENT)
    identities = found.identities
    if len(identities) > 1:
        lives = read_lives(tools.view, identities[:_MOST_CANDIDATES])
        return _ambiguous(tools, ref, [lives[identity] for identity in identities[:_MOST_CANDIDATES]], len(identities))
    return _resolve_match(tools, ref, found.matches[0])


def resolve_former(tools: ResolveTools, ref: str, former: Sequence[FormerEntity]) -> ResolvedRef:
    """Resolve a REF by a former name."""
    if len(former) == 1:
        return resolve_life(tools, ref, former[0].life)._replace(was=former[0].was)
    return _ambiguous(tools, ref, [one.life for one in former[:_MOST_CANDIDATES]], len(former), were=True)


def resolve_life(tools: ResolveTools, ref: str, life: Life) -> ResolvedRef:
    indexed = tools.hold(life.shown) if life.shown is not None else None
    others = life.became if indexed is None else life.was
    lives = read_lives(tools.view, [other.identity for other in others]) if others else {}
    status = RefStatus.PRESENT if indexed is not None else RefStatus.AMBIGUOUS if others else RefStatus.GONE
    return ResolvedRef(ref, status, indexed, life, tools.candidates(lives.values()))


def _ambiguous(tools: ResolveTools, ref: str, lives: Sequence[Life], count: int, *, were: bool = False) -> ResolvedRef:
    candidates = tools.candidates(lives)
    problem = ambiguous(ref, [choice_of(tools.view, life) for life in lives[:MOST_CHOICES]], count, were=were)
    return ResolvedRef(ref, RefStatus.AMBIGUOUS, candidates=candidates, problem=problem)


def choice_of(view: SnapshotView, life: Life) -> Choice:
    """Return the place of a life, or its place before it was deleted."""
    if life.shown is not None:
        entity = view.hold(life.shown).entity
        return Choice(f"{entity.path}:{entity.start_line}", life.identity.mark, entity.qualified_declaration)
    event, deletion = life.last.event, life.deletion
    revision = deletion.run.revision if deletion is not None else None
    gone = f"{event.qualified_name}, deleted" + (f" in {revision[:12]}" if revision else "")
    return Choice(f"{event.path}:{event.start_line}", life.identity.mark, gone)


def _resolve_match(tools: ResolveTools, ref: str, match: RefMatch) -> ResolvedRef:
    identity = match.identity
    resolved = ResolvedRef(ref, RefStatus.GONE) if identity is None else resolve_life(tools, ref, tools.life(identity))
    if match.node is not None:
        node = follow_node(tools.view, match, resolved.indexed, tools.read_nodes, tools.read_interior)
        return resolved._replace(node=node, status=_status(node, resolved))
    if match.chunk is not None:
        chunk = follow_chunk(tools.view, match, resolved.indexed)
        return resolved._replace(chunk=chunk, status=_status(chunk, resolved))
    return resolved


def _status(followed: object, resolved: ResolvedRef) -> RefStatus:
    if followed is not None:
        return RefStatus.PRESENT
    return resolved.status if resolved.status == RefStatus.AMBIGUOUS else RefStatus.GONE
