"""Assign identities to the entities of changed files: kept, revived or born; and find those that are deleted.

Takes the pairing of the old and the new files, which is independent of the ledger, and the ledger's identities; gives
an Assignment for each new entity and the remaining old ones. From the strongest claim to the weakest: an identity that
the file inherits, from another parent of a merge or from a time when a worktree had the same content; that of the
predecessor; that of a deleted entity, if the file had the same content earlier or a similar entity was deleted
(`ledger/revival.py`); birth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.matching.pair import pair_entities
from birthmark.vocabulary import Evidence

NO_IDENTITY = 0  # of an entity whose identity is not known
KNOWN_FILE = "same file as before"
_ANY_EVIDENCE = frozenset(Evidence)
_IN_PLACE = frozenset({Evidence.SAME_CONTENT, Evidence.SAME_NAME, Evidence.SAME_INTERFACE, Evidence.SAME_POSITION})
Identities = Sequence[Sequence[int]]  # by file and entity; NO_IDENTITY or an empty file where they are not known


class IdentifiedFiles(NamedTuple):
    """Files, and the identities of their entities in order; NO_IDENTITY where they are not known."""

    files: Sequence[OutlinedFile]
    identities: Sequence[Sequence[int]]

    def identity(self, ref: EntityRef) -> int:
        return self.identities[ref[0]][ref[1]]


class Assignment(NamedTuple):
    """The identity of a new entity, None if it is born; candidates are those it might have had."""

    identity: int | None
    evidence: str | None = None
    confidence: str | None = None
    old: EntityRef | None = None  # the old entity that had it
    candidates: tuple[int, ...] = ()


_BORN = Assignment(None)
Claim = tuple[int, int, int]  # the index of a new file, of an entity in it, and its identity


class Assignments(NamedTuple):
    """Assignments by new file and entity; and the old entities that have no successor."""

    by_file: list[list[Assignment]]
    deleted: list[EntityRef]


def assign_identities(
    pair: Callable[[], CommitPairing],
    old: IdentifiedFiles,
    new: Sequence[OutlinedFile],
    revivals: LedgerRevivalSource,
    family_of: FamilyOf,
    *,
    inherited: Identities = (),
    earlier: Identities = (),
    restores: bool = False,
) -> Assignments:
    """Return the identity of each new entity, and the old entities without a successor.

    `inherited` identities of the new files outrank the pairing. `earlier` ones, of files that had the same content
    before, are for entities without a predecessor. With `restores` an entity that is back under its name is itself
    again, even if it has another predecessor. `pair` is called only if entities are left over on both sides.
    """
    assigner = _Assigner(old, new, revivals, family_of)
    assigner.claim_inherited(inherited)
    if restores:
        assigner.restore_in_place()
    if assigner.left and assigner.unassigned():
        assigner.take_predecessors(pair())
    assigner.claim_earlier(earlier)
    assigner.revive(assigner.unassigned(), _ANY_EVIDENCE)
    by_file = [
        [assigner.assigned.get((f, e), _BORN) for e in range(len(file.outline.entities))] for f, file in enumerate(new)
    ]
    return Assignments(by_file, sorted(assigner.left.values()))


class _Assigner:
    """Assignments so far, and the old identities that are left."""

    def __init__(
        self, old: IdentifiedFiles, new: Sequence[OutlinedFile], revivals: LedgerRevivalSource, family_of: FamilyOf
    ) -> None:
        self.before, self.old, self.new, self.revivals, self.family_of = old, old.files, new, revivals, family_of
        self.left = {identity: (f, e) for f, e, identity in _claims(old.identities)}
        self.assigned: dict[EntityRef, Assignment] = {}

    def assign(self, ref: EntityRef, assignment: Assignment) -> None:
        assert assignment.identity is not None
        self.assigned[ref] = assignment
        self.left.pop(assignment.identity, None)

    def claim_inherited(self, inherited: Identities) -> None:
        """Assign identities of another parent, or of an earlier state of a worktree, unless they are elsewhere."""
        claims = _claims(inherited)
        if not claims:
            return
        elsewhere = set(self.revivals.alive({identity for _, _, identity in claims} - self.left.keys()))
        inherits = {file.path: bool(found) for file, found in zip(self.new, inherited, strict=True)}
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
            identity = self.before.identity(predecessor.ref) if predecessor else NO_IDENTITY
            if predecessor and identity in self.left:
                self.assign(ref, Assignment(identity, predecessor.evidence, predecessor.confidence, predecessor.ref))
        for ref, olds in pairing.candidates.items():
            identities = [identity for old in olds if (identity := self.before.identity(old)) in self.left]
            if identities and ref not in self.assigned:
                self.assigned[ref] = Assignment(None, candidates=tuple(identities))

    def claim_earlier(self, earlier: Identities) -> None:
        """Assign the deleted identity of an earlier file of the same content to entities without a predecessor."""
        used = self._used()
        claims = [
            claim
            for claim in _claims(earlier)
            if claim[2] not in used and self.assigned.get(claim[:2], _BORN).identity is None
        ]
        alive = set(self.revivals.alive({identity for _, _, identity in claims})) if claims else set()
        for f, e, identity in claims:
            if identity not in alive:
                alive.add(identity)
                self.assign((f, e), Assignment(identity, KNOWN_FILE, "high"))

    def restore_in_place(self) -> None:
        """Prefer an identity deleted earlier, if it is back in its scope, to a look-alike that is deleted now.

        That does not hold if an old entity has the same name, content or, in the same file, body.
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
        """Assign deleted identities to similar entities, on some evidence."""
        if not refs:
            return
        used = self._used()
        found = self.revivals.deleted_like([OutlinedEntity(self.new[f], e) for f, e in refs], self.family_of)
        deleted = [candidate for candidate in found if int(candidate.id) not in used]
        if not deleted:
            return
        new = match_candidates(self.new, refs, self.family_of)
        for pair in pair_entities(deleted, new).pairs:
            if pair.evidence in accepted:
                identity = int(deleted[pair.old].id)
                self.assign(refs[pair.new], Assignment(identity, str(pair.evidence), str(pair.confidence)))

    def unassigned(self) -> list[EntityRef]:
        """Return new entities without an identity and without candidates."""
        return [ref for ref in all_entities(self.new) if ref not in self.assigned]

    def _used(self) -> set[int | None]:
        return {assignment.identity for assignment in self.assigned.values()} | self.left.keys()


def _claims(identities: Identities) -> list[Claim]:
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
