"""Resolve what a REF names: whether it is present, gone, ambiguous or unknown, and what happened to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.extraction.model import ChunkedFile
from birthmark.model import Entity, Node
from birthmark.queries.past.descent import NO_DESCENT, Descent
from birthmark.queries.past.life import LedgerEvent, Life, read_lives
from birthmark.queries.past.lineage import ReadInterior, follow_chunk, follow_node
from birthmark.queries.refs.missing import MOST_CHOICES, Choice, ambiguous
from birthmark.queries.refs.ref import FormerEntity, ReadNodes, RefMatch, RefMatches
from birthmark.queries.snapshot_view import IndexedEntity, SnapshotView
from birthmark.store.model import Identity, SnapshotEntity
from birthmark.vocabulary import RefStatus

_MOST_CANDIDATES = 100


class Candidate(NamedTuple):
    """One of several that a REF may name, or that an identity may have been or become."""

    life: Life
    indexed: IndexedEntity | None

    @property
    def mark(self) -> str:
        return self.life.identity.mark


class ResolvedRef(NamedTuple):
    """What a REF names, and what became of that.

    `node` or `chunk` is where the thing inside the entity is now, if the REF named one. `was` is set if the REF gave a
    former name or path; `former_owners` had it once, if the REF gave a present one. `problem` says why it is unknown or
    ambiguous.
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
    """What is needed to resolve; what was read beforehand is not read again."""

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
    """What a REF names now, or an id of former times."""
    if found.is_external:
        return ResolvedRef(ref, RefStatus.PRESENT)
    identities = found.identities
    if len(identities) > 1:
        lives = read_lives(tools.view, identities[:_MOST_CANDIDATES])
        return _ambiguous(tools, ref, [lives[identity] for identity in identities[:_MOST_CANDIDATES]], len(identities))
    return _resolve_match(tools, ref, found.matches[0])


def resolve_former(tools: ResolveTools, ref: str, former: Sequence[FormerEntity]) -> ResolvedRef:
    """What a REF named once."""
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
    """Where it is, or was before it was deleted."""
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
