"""Assign identities to the entities of changed files: kept, revived or born; and find those that are deleted.

Takes the pairing of the old and the new files, which is independent of the ledger, and the ledger's identities; gives
an Assignment for each new entity and the old ones that are left over. From the strongest claim to the weakest: an
identity that the file inherits, from another parent of a merge or from when a worktree had the same content; the
predecessor's; that of a deleted entity, if the file had the same content earlier or something like it was deleted,
which LedgerRevivalSource looks up; birth.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.extraction.placement import entity_path
from birthmark.identity.keys import Key, parse_key, place_of
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import pair_entities
from birthmark.store.model import Event, Identity
from birthmark.store.port import Store
from birthmark.vocabulary import Evidence

NO_IDENTITY = 0  # of an entity whose identity is not known
KNOWN_FILE = "same file as before"
_ANY_EVIDENCE = frozenset(Evidence)
_IN_PLACE = frozenset({Evidence.SAME_CONTENT, Evidence.SAME_NAME, Evidence.SAME_INTERFACE, Evidence.SAME_POSITION})
WEIGHTY = 40  # bytes of body: what weighs less is not identified by its content alone
ContentsByFile = Mapping[str, Collection[str]]


class KnownIdentities(NamedTuple):
    """Identities of entities in the order of the files and of the entities in them; NO_IDENTITY or () if not known.

    Those that new files inherit outrank the pairing; those of a file that had the same content earlier are for
    entities without a predecessor.
    """

    old: Sequence[Sequence[int]]
    inherited: Sequence[Sequence[int]]
    earlier: Sequence[Sequence[int]]


class DeletedEntity(NamedTuple):
    """An identity that was deleted earlier, as it was then."""

    identity: int
    path: str
    language: str
    kind: str
    name: str
    parent: str | None
    start_line: int
    end_line: int
    content: str


class RevivalSource(Protocol):
    """The identities of the ledger that the old files do not hold."""

    def alive(self, identities: Collection[int]) -> Collection[int]:
        """Those of them that are in files that did not change."""

    def deleted_like(self, entities: Sequence[OutlinedEntity]) -> Sequence[DeletedEntity]:
        """Deleted identities that had the semantic path or the content of one of these entities."""


class Assignment(NamedTuple):
    """The identity of a new entity. Without one it is born; candidates are those it might have had."""

    identity: int | None
    evidence: str | None = None
    confidence: str | None = None
    old: EntityRef | None = None  # the old entity that had it
    candidates: tuple[int, ...] = ()


_BORN = Assignment(None)
Claim = tuple[int, int, int]  # the index of a new file, of an entity in it, and its identity


class Assignments(NamedTuple):
    """Assignments by new file and entity; and the old files' entities that have no successor."""

    by_file: list[list[Assignment]]
    deleted: list[EntityRef]


def assign_identities(
    pair: Callable[[], CommitPairing],
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    known: KnownIdentities,
    revivals: RevivalSource,
    family_of: FamilyOf,
    *,
    restores: bool = False,
) -> Assignments:
    """With `restores` an entity that is back under its name is itself again, even if it has another predecessor.

    `pair` is called only if old and new entities are left over to be paired.
    """
    assigner = _Assigner(old, new, known, revivals, family_of)
    assigner.claim_inherited()
    if restores:
        assigner.restore_in_place()
    if assigner.left and assigner.unassigned():
        assigner.take_predecessors(pair())
    assigner.claim_earlier()
    assigner.revive(assigner.unassigned(), _ANY_EVIDENCE)
    by_file = [
        [assigner.assigned.get((f, e), _BORN) for e in range(len(file.outline.entities))] for f, file in enumerate(new)
    ]
    return Assignments(by_file, sorted(assigner.left.values()))


class _Assigner:
    def __init__(
        self,
        old: Sequence[OutlinedFile],
        new: Sequence[OutlinedFile],
        known: KnownIdentities,
        revivals: RevivalSource,
        family_of: FamilyOf,
    ) -> None:
        self.old, self.new, self.known, self.revivals, self.family_of = old, new, known, revivals, family_of
        self.left = {identity: (f, e) for f, e, identity in _claims(known.old)}
        self.assigned: dict[EntityRef, Assignment] = {}

    def assign(self, ref: EntityRef, assignment: Assignment) -> None:
        assert assignment.identity is not None
        self.assigned[ref] = assignment
        self.left.pop(assignment.identity, None)

    def claim_inherited(self) -> None:
        """The identities of another parent, or of an earlier state of a worktree, unless they are elsewhere now."""
        claims = _claims(self.known.inherited)
        if not claims:
            return
        elsewhere = set(self.revivals.alive({identity for _, _, identity in claims} - self.left.keys()))
        inherits = {file.path: bool(found) for file, found in zip(self.new, self.known.inherited, strict=True)}
        in_place: list[Claim] = []
        moved: list[Claim] = []
        for claim in claims:
            f, _, identity = claim
            ref = self.left.get(identity)
            if ref is None:
                if identity not in elsewhere:
                    moved.append(claim)
            elif self.old[ref[0]].path == self.new[f].path:
                in_place.append(claim)
            elif inherits.get(self.old[ref[0]].path, True):  # That file is gone, or inherits as well.
                moved.append(claim)
        taken: set[int] = set()
        for f, e, identity in (*in_place, *moved):
            if identity not in taken:
                taken.add(identity)
                self.assign((f, e), Assignment(identity, KNOWN_FILE, "high", self.left.get(identity)))

    def take_predecessors(self, pairing: CommitPairing) -> None:
        for ref in self.unassigned():
            predecessor = pairing.predecessors.get(ref)
            identity = self._old_identity(predecessor.ref) if predecessor else NO_IDENTITY
            if predecessor and identity in self.left:
                self.assign(ref, Assignment(identity, predecessor.evidence, predecessor.confidence, predecessor.ref))
        for ref, olds in pairing.candidates.items():
            identities = [identity for old in olds if (identity := self._old_identity(old)) in self.left]
            if identities and ref not in self.assigned:
                self.assigned[ref] = Assignment(None, candidates=tuple(identities))

    def claim_earlier(self) -> None:
        """Without a predecessor, in a file that had the same content earlier: the deleted identity it had then."""
        used = self._used()
        claims = [
            claim
            for claim in _claims(self.known.earlier)
            if claim[2] not in used and self.assigned.get(claim[:2], _BORN).identity is None
        ]
        alive = set(self.revivals.alive({identity for _, _, identity in claims})) if claims else set()
        for f, e, identity in claims:
            if identity not in alive:
                alive.add(identity)
                self.assign((f, e), Assignment(identity, KNOWN_FILE, "high"))

    def restore_in_place(self) -> None:
        """An identity that was deleted earlier outranks a look-alike that is deleted now, if it is back in its scope.

        Not so where an old entity has the same name, content or, in the same file, body.
        """
        leaving = [OutlinedEntity(self.old[f], e) for f, e in self.left.values()]
        if not leaving:
            return
        names = {old.entity.qualified_name for old in leaving}
        traits = {trait for old in leaving for trait in _traits(old)}
        back = [
            (f, e)
            for f, e in self.unassigned()
            for entity in (OutlinedEntity(self.new[f], e),)
            if entity.entity.qualified_name not in names and traits.isdisjoint(_traits(entity))
        ]
        self.revive(back, _IN_PLACE)

    def revive(self, refs: list[EntityRef], accepted: Collection[Evidence]) -> None:
        """Assign deleted identities to what is like them, on some evidence."""
        if not refs:
            return
        used = self._used()
        found = self.revivals.deleted_like([OutlinedEntity(self.new[f], e) for f, e in refs])
        deleted = [entity for entity in found if entity.identity not in used]
        if not deleted:
            return
        new = match_candidates(self.new, refs, self.family_of)
        pairing = pair_entities([self._candidate(entity) for entity in deleted], new)
        for pair in pairing.pairs:
            if pair.evidence in accepted:
                identity = deleted[pair.old].identity
                self.assign(refs[pair.new], Assignment(identity, str(pair.evidence), str(pair.confidence)))

    def unassigned(self) -> list[EntityRef]:
        """New entities without an identity and without candidates."""
        return [ref for ref in all_entities(self.new) if ref not in self.assigned]

    def _used(self) -> set[int | None]:
        return {assignment.identity for assignment in self.assigned.values()} | self.left.keys()

    def _old_identity(self, ref: EntityRef) -> int:
        return self.known.old[ref[0]][ref[1]]

    def _candidate(self, deleted: DeletedEntity) -> MatchCandidate:
        return MatchCandidate(
            str(deleted.identity),
            deleted.path,
            deleted.kind,
            deleted.name,
            deleted.parent,
            deleted.start_line,
            deleted.end_line,
            deleted.content,
            family=self.family_of(deleted.language),
            weight=WEIGHTY,
        )


def _claims(identities: Sequence[Sequence[int]]) -> list[Claim]:
    return [
        (f, e, identity)
        for f, in_file in enumerate(identities)
        for e, identity in enumerate(in_file)
        if identity != NO_IDENTITY
    ]


def _traits(outlined: OutlinedEntity) -> list[tuple[str, str]]:
    fingerprint = outlined.fingerprint
    body = [(outlined.file.path, fingerprint.body)] if fingerprint.body is not None else []
    return [("", fingerprint.content), *body]


class LedgerRevivalSource:
    """Reads the store; `replaced` are the versions that leave the snapshot in this update."""

    def __init__(self, store: Store, snapshot: int, replaced: Collection[int]) -> None:
        self.store, self.snapshot, self.replaced = store, snapshot, replaced
        self.is_empty = not store.has_identities()

    def alive(self, identities: Collection[int]) -> Collection[int]:
        found = self.store.versions_with(self.snapshot, identities) if identities else {}
        return [identity for identity, version in found.items() if version not in self.replaced]

    def deleted_like(self, entities: Sequence[OutlinedEntity]) -> Sequence[DeletedEntity]:
        if self.is_empty:
            return ()
        light, weighty = _by_file(entities, is_weighty=False), _by_file(entities, is_weighty=True)
        found = self.store.deletions_with({content for contents in weighty.values() for content in contents})
        wanted = self._by_path(entities) | {event.identity for event in found} | self._beside(light, weighty, found)
        deleted = wanted - self.present(wanted)
        return self._describe(deleted) if deleted else ()

    def present(self, identities: Collection[int]) -> set[int]:
        return set(self.store.versions_with(self.snapshot, identities))

    def knows(self, run: int) -> bool:
        """Tell whether what a run found counts."""
        return True

    def _by_path(self, entities: Sequence[OutlinedEntity]) -> set[int]:
        paths = {entity_path(outlined.entity, place_of(outlined.file.path)) for outlined in entities}
        return {row.identity for row in self.store.keys_at(paths)}

    def _beside(self, light: ContentsByFile, weighty: ContentsByFile, deletions: Sequence[Event]) -> set[int]:
        """Return the entities deleted from the file that most of a new one comes from, for those with too little
        content.
        """
        found, origins = set[int](), defaultdict[str, list[str]](list)
        for event in deletions:
            origins[event.content].append(event.path)
        for path, contents in light.items():
            counts = Counter(origin for content in weighty.get(path, ()) for origin in origins.get(content, ()))
            for origin, _ in counts.most_common(1):
                deleted = self.store.deletions_from(origin)
                found |= {event.identity for event in deleted if event.content in contents}
        return found

    def _describe(self, identities: Collection[int]) -> list[DeletedEntity]:
        last = {event.identity: event for event in self.store.events_of(identities) if self.knows(event.run)}
        born = {one.identity: one for one in self.store.identities(identities) if self.knows(one.run)}
        keys = defaultdict[int, list[str]](list)
        for row in self.store.keys_of(born):
            keys[row.identity].append(row.text)
        return [self._deleted(born[identity], last.get(identity), keys[identity]) for identity in sorted(born)]

    def _deleted(self, born: Identity, event: Event | None, keys: Sequence[str]) -> DeletedEntity:
        """As its last event left it, or as it was born."""
        issued = [parts for key in (*keys, born.key) if (parts := parse_key(key)) is not None]
        named = (parts for parts in reversed(issued) if event is None or _is_named(parts, event))
        parts, state = next(named, issued[-1]), event or born
        content = event.content if event else ""
        return DeletedEntity(
            born.identity,
            state.path,
            parts.language,
            parts.kind,
            parts.name,
            parts.parent,
            state.start_line,
            state.end_line,
            content,
        )


def _is_named(parts: Key, event: Event) -> bool:
    return event.qualified_name == ".".join(filter(None, (parts.parent, parts.name)))


def _by_file(entities: Sequence[OutlinedEntity], *, is_weighty: bool) -> ContentsByFile:
    """The contents of those that weigh enough to be known by them, or of the others."""
    found = defaultdict[str, set[str]](set)
    for outlined in entities:
        if (outlined.file.outline.weights[outlined.ordinal] >= WEIGHTY) == is_weighty:
            found[outlined.file.path].add(outlined.fingerprint.content)
    return found
