"""Resolve a REF: present, gone, ambiguous or unknown, and its events.

A node or a chunk is followed from the version of a file in which it was seen to its present place: its entity by the
ledger, and inside of that by aligning the two bodies on demand, as for local history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from birthmark.comparison.chunks import ChunkKeys, align_chunks, chunk_keys
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import ChunkedFile
from birthmark.model import Entity, Location, Node
from birthmark.queries.life import NO_DESCENT, Descent, LedgerEvent, Life, read_lives
from birthmark.queries.missing import MOST_CHOICES, Choice, ambiguous, describe_choice
from birthmark.queries.ref import FormerEntity, ReadNodes, RefMatch, RefMatches
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile, SnapshotView
from birthmark.store.model import Identity, SnapshotEntity
from birthmark.vocabulary import RefStatus

if TYPE_CHECKING:
    from birthmark.queries.node_successors import ReadInterior
    from birthmark.sources.git.log import Commit

_MOST_CANDIDATES = 100


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


class Elsewhere(NamedTuple):
    """The fate of a definition in another worktree, where it differs: its place there, None if it was deleted."""

    worktree: str
    branch: str
    place: Location | None


class FormerName(NamedTuple):
    """A place that something had, as git alone tells: what took it away, and the present successor if there is one."""

    was: Location
    deletion: Commit | None = None
    successor: Location | None = None
    renaming: Commit | None = None  # the commit that made the successor of it


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
    elsewhere: tuple[Elsewhere, ...] = ()
    inherited_by: str | None = None  # the class in the REF, which has the definition from a base
    past: FormerName | None = None  # if only git knows it
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
    return _resolve_match(tools, ref, found.matches[0])._replace(inherited_by=found.inherited_by)


def resolve_former(tools: ResolveTools, ref: str, former: Sequence[FormerEntity]) -> ResolvedRef:
    """Resolve a REF by a former name."""
    if len(former) == 1:
        return resolve_life(tools, ref, former[0].life)._replace(was=former[0].was)
    return _ambiguous(tools, ref, [one.life for one in former[:_MOST_CANDIDATES]], len(former), were=True)


def resolve_past(tools: ResolveTools, ref: str, past: FormerName, successor: int | None) -> ResolvedRef:
    """Resolve a REF that only git knows; the successor is an identity."""
    life = tools.life(successor) if successor is not None else None
    if life is not None and past.deletion is None:
        return resolve_life(tools, ref, life)._replace(past=past)
    return ResolvedRef(ref, RefStatus.GONE, candidates=tools.candidates([life] if life else []), past=past)


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
        shown, file = life.shown, view.at_version(life.shown.version)
        assert file is not None, "what a snapshot holds is kept"
        description = describe_choice(file.outline.entities, shown.ordinal)
        return Choice(f"{shown.path}:{shown.start_line}", life.identity.mark, description)
    event, deletion = life.last.event, life.deletion
    revision = deletion.run.revision if deletion is not None else None
    gone = f"{event.qualified_name}, deleted" + (f" in {revision[:12]}" if revision else "")
    return Choice(f"{event.path}:{event.start_line}", life.identity.mark, gone)


def _resolve_match(tools: ResolveTools, ref: str, match: RefMatch) -> ResolvedRef:
    identity = match.identity
    resolved = ResolvedRef(ref, RefStatus.GONE) if identity is None else resolve_life(tools, ref, tools.life(identity))
    if match.node is not None:
        from birthmark.queries.node_successors import follow_node  # It loads what aligns bodies.

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
