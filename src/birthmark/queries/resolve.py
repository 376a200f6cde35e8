"""Resolve what a REF names: whether it is present, gone, ambiguous or unknown, and what happened to it."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.model import Node
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.queries.lineage import ReadInterior, follow_chunk, follow_node
from birthmark.queries.ref import ReadNodes, RefMatch, RefMatches
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.store.model import Identity
from birthmark.vocabulary import Change, RefStatus


class ResolvedRef(NamedTuple):
    """`node` or `chunk` is where the thing inside the entity is now, if the REF named one."""

    ref: str
    status: RefStatus
    indexed: IndexedEntity | None = None
    identity: Identity | None = None
    events: tuple[LedgerEvent, ...] = ()
    candidates: tuple[Identity, ...] = ()
    node: tuple[str, Node, str] | None = None  # path, node, semantic id
    chunk: tuple[IndexedFile, int] | None = None

    @property
    def deletion(self) -> LedgerEvent | None:
        """The last event, if that was its deletion."""
        last = self.events[-1] if self.events else None
        return last if last is not None and last.event.change == Change.DELETED else None


def resolve_ref(
    view: SnapshotView, ref: str, found: RefMatches, read_nodes: ReadNodes, read_interior: ReadInterior
) -> ResolvedRef:
    identities = {match.identity for match in found.matches}
    if found.is_external:
        return ResolvedRef(ref, RefStatus.PRESENT)
    if not found.matches:
        return ResolvedRef(ref, RefStatus.UNKNOWN)
    if len(identities) > 1:
        known = view.store.identities([identity for identity in identities if identity is not None])
        return ResolvedRef(ref, RefStatus.AMBIGUOUS, candidates=tuple(known))
    return _resolve_match(view, ref, found.matches[0], (read_nodes, read_interior))


def _resolve_match(view: SnapshotView, ref: str, match: RefMatch, read: tuple[ReadNodes, ReadInterior]) -> ResolvedRef:
    identity = match.identity
    resolved = ResolvedRef(ref, RefStatus.GONE) if identity is None else _resolve_identity(view, ref, identity)
    if match.node is not None:
        node = follow_node(view, match, resolved.indexed, *read)
        return resolved._replace(node=node, status=_status(node, resolved))
    if match.chunk is not None:
        chunk = follow_chunk(view, match, resolved.indexed)
        return resolved._replace(chunk=chunk, status=_status(chunk, resolved))
    return resolved


def _status(followed: object, resolved: ResolvedRef) -> RefStatus:
    if followed is not None:
        return RefStatus.PRESENT
    return resolved.status if resolved.status == RefStatus.AMBIGUOUS else RefStatus.GONE


def _resolve_identity(view: SnapshotView, ref: str, identity: int) -> ResolvedRef:
    life = read_lives(view, [identity])[identity]
    indexed = view.hold(life.shown) if life.shown is not None else None
    others = life.became if indexed is None else life.was
    status = RefStatus.PRESENT if indexed is not None else RefStatus.AMBIGUOUS if others else RefStatus.GONE
    return ResolvedRef(ref, status, indexed, life.identity, life.events, others)
