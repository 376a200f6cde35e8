"""Resolve what a REF names: whether it is present, gone, ambiguous or unknown, and what happened to it."""

from __future__ import annotations

from typing import NamedTuple

from birthmark.identity.keys import parse_key
from birthmark.model import Node
from birthmark.queries.lineage import ReadInterior, follow_chunk, follow_node
from birthmark.queries.ref import ReadNodes, RefMatch, RefMatches
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.store.model import Event, Identity, Run
from birthmark.vocabulary import Change, RefStatus


class LedgerEvent(NamedTuple):
    """An event with when and where it happened, and the event before it."""

    event: Event
    run: Run
    before: Event | None


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
    born = view.store.identities([identity])[0]
    indexed = view.entity(identity)
    events = tuple(what_happened(view, born))
    became, was = view.store.candidates_of(identity)
    others = tuple(view.store.identities(became if indexed is None else was))
    status = RefStatus.PRESENT if indexed is not None else RefStatus.AMBIGUOUS if others else RefStatus.GONE
    return ResolvedRef(ref, status, indexed, born, events, others)


def what_happened(view: SnapshotView, born: Identity) -> list[LedgerEvent]:
    """From birth on. The birth is made from the identity, unless it was recorded because there were candidates."""
    events = view.store.events_of([born.identity])
    if not events or events[0].change != Change.BORN:
        events = [_birth(born), *events]
    runs = view.store.runs({event.run for event in events})
    before = [None, *events[:-1]]
    return [
        LedgerEvent(event, runs[event.run], None if event.change == Change.BORN else earlier)
        for event, earlier in zip(events, before, strict=True)
    ]


def _birth(born: Identity) -> Event:
    parts = parse_key(born.key)
    assert parts is not None
    qualified = f"{parts.parent}.{parts.name}" if parts.parent else parts.name
    return Event(
        born.identity, born.run, Change.BORN, born.path, qualified, born.start_line, born.end_line, "", None, None
    )
