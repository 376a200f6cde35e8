"""Assign identities to the entities of changed files: kept, revived or born; and find who is deleted.

Takes the pairing of the old and the new files, which knows nothing of the ledger, and what the ledger knows; gives an
Assignment for each new entity and the old ones that are left over. From the strongest claim to the weakest: an
identity that the file inherits, from another parent of a merge or from when a worktree had it exactly so; the
predecessor's; that of a deleted entity, if the file was exactly so before or something like it was deleted; birth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from birthmark.comparison.match_candidates import EntityRef, FamilyOf, all_entities, match_candidates
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import Outline
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import pair_entities
from birthmark.vocabulary import Evidence

NO_IDENTITY = 0  # stands for an old entity whose identity is not known
KNOWN_FILE = "same file as before"
_ANY_EVIDENCE = frozenset(Evidence)
_IN_PLACE = frozenset({Evidence.SAME_CONTENT, Evidence.SAME_NAME, Evidence.SAME_INTERFACE, Evidence.SAME_POSITION})
WEIGHTY = 40  # bytes of body: what weighs less is not known by its content alone


class OldFile(NamedTuple):
    """A file as the snapshot has it."""

    path: str
    outline: Outline
    identities: Sequence[int]
    source: Callable[[], bytes]


class NewFile(NamedTuple):
    """A file as it is now, with identities of its entities, as far as they are known.

    Inherited ones outrank the pairing; those of a file that was exactly so before are for what has no predecessor.
    """

    path: str
    outline: Outline
    source: Callable[[], bytes]
    inherited: Sequence[int] = ()
    known: Sequence[int] = ()


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
    """What the ledger knows of identities that the old files do not hold."""

    def alive(self, identities: Collection[int]) -> Collection[int]:
        """Those of them that are in files that did not change."""

    def gone(self, files: Sequence[tuple[NewFile, Collection[int]]]) -> Sequence[DeletedEntity]:
        """Deleted identities that had the place or the content of one of these entities."""


class Assignment(NamedTuple):
    """Who a new entity is. Without an identity it is born; candidates are who it might have been."""

    identity: int | None
    evidence: str | None = None
    confidence: str | None = None
    old: EntityRef | None = None  # the old file and entity it was
    candidates: tuple[int, ...] = ()


_BORN = Assignment(None)
Claim = tuple[int, int, int]  # the index of a new file, of an entity in it, and its identity


class Assignments(NamedTuple):
    """Fates by new file and entity; and the old files' entities that have no heir."""

    fates: list[list[Assignment]]
    deleted: list[EntityRef]


def assign_identities(
    pairing: CommitPairing,
    old: Sequence[OldFile],
    new: Sequence[NewFile],
    recall: RevivalSource,
    family_of: FamilyOf,
    *,
    restores: bool = False,
) -> Assignments:
    """With `restores` what is back in its place is itself again, even where the pairing has a predecessor for it."""
    state = _Assigner(old, new, family_of)
    state.claim_inherited(recall)
    if restores:
        state.restore_in_place(recall)
    state.take_predecessors(pairing)
    state.claim_known(recall)
    state.revive(recall, state.born(), _ANY_EVIDENCE)
    fates = [[state.fates.get((f, e), _BORN) for e in range(len(file.outline.entities))] for f, file in enumerate(new)]
    return Assignments(fates, sorted(state.left.values()))


class _Assigner:
    def __init__(self, old: Sequence[OldFile], new: Sequence[NewFile], family_of: FamilyOf) -> None:
        self.old, self.new, self.family_of = old, new, family_of
        self.left = {
            identity: (f, e)
            for f, file in enumerate(old)
            for e, identity in enumerate(file.identities)
            if identity != NO_IDENTITY
        }
        self.fates: dict[EntityRef, Assignment] = {}

    def give(self, ref: EntityRef, fate: Assignment) -> None:
        assert fate.identity is not None
        self.fates[ref] = fate
        self.left.pop(fate.identity, None)

    def claim_inherited(self, recall: RevivalSource) -> None:
        """The identities of another parent, or of an earlier state of a worktree, unless they are elsewhere now."""
        claims = self._claims(lambda file: file.inherited)
        if not claims:
            return
        elsewhere = set(recall.alive({identity for _, _, identity in claims} - self.left.keys()))
        paths = {file.path: bool(file.inherited) for file in self.new}
        in_place: list[Claim] = []
        moved: list[Claim] = []
        for claim in claims:
            f, _, identity = claim
            held = self.left.get(identity)
            if held is None:
                if identity not in elsewhere:
                    moved.append(claim)
            elif self.old[held[0]].path == self.new[f].path:
                in_place.append(claim)
            elif paths.get(self.old[held[0]].path, True):  # That file is gone, or inherits as well.
                moved.append(claim)
        taken: set[int] = set()
        for f, e, identity in (*in_place, *moved):
            if identity not in taken:
                taken.add(identity)
                self.give((f, e), Assignment(identity, KNOWN_FILE, "high", self.left.get(identity)))

    def take_predecessors(self, pairing: CommitPairing) -> None:
        for ref in self.unsettled():
            predecessor = pairing.predecessors.get(ref)
            identity = self.identity_at(predecessor.ref) if predecessor else NO_IDENTITY
            if predecessor and identity in self.left:
                self.give(ref, Assignment(identity, predecessor.evidence, predecessor.confidence, predecessor.ref))
        for ref, olds in pairing.candidates.items():
            identities = [identity for old in olds if (identity := self.identity_at(old)) in self.left]
            if identities and ref not in self.fates:
                self.fates[ref] = Assignment(None, candidates=tuple(identities))

    def claim_known(self, recall: RevivalSource) -> None:
        """Without a predecessor, in a file that was exactly so before: the deleted identity that was there then."""
        used = {fate.identity for fate in self.fates.values()} | self.left.keys()
        claims = [
            claim
            for claim in self._claims(lambda file: file.known)
            if claim[2] not in used and self.fates.get(claim[:2], _BORN).identity is None
        ]
        alive = set(recall.alive({identity for _, _, identity in claims})) if claims else set()
        for f, e, identity in claims:
            if identity not in alive:
                alive.add(identity)
                self.give((f, e), Assignment(identity, KNOWN_FILE, "high"))

    def _claims(self, identities_of: Callable[[NewFile], Sequence[int]]) -> list[Claim]:
        return [
            (f, e, identity)
            for f, file in enumerate(self.new)
            for e, identity in enumerate(identities_of(file))
            if identity != NO_IDENTITY
        ]

    def restore_in_place(self, recall: RevivalSource) -> None:
        """Who was deleted earlier and is back in its place has a better claim than a look-alike that is deleted now.

        Not so where something that was there has the same name, content or, in the same file, body.
        """
        leaving = [(self.old[f], e) for f, e in self.left.values()]
        if not leaving:
            return
        names = {file.outline.entities[e].qualified_name for file, e in leaving}
        prints = {trait for file, e in leaving for trait in self.traits(file, e)}
        back = [
            (f, e)
            for f, e in self.unsettled()
            if self.new[f].outline.entities[e].qualified_name not in names
            and prints.isdisjoint(self.traits(self.new[f], e))
        ]
        self.revive(recall, back, _IN_PLACE)

    def traits(self, file: OldFile | NewFile, e: int) -> list[tuple[str, str]]:
        fingerprint = file.outline.fingerprints[e]
        body = [(file.path, fingerprint.body)] if fingerprint.body is not None else []
        return [("", fingerprint.content), *body]

    def revive(self, recall: RevivalSource, places: list[EntityRef], accepted: Collection[Evidence]) -> None:
        """Give deleted identities to what is like them, on some evidence."""
        if not places:
            return
        by_file: dict[int, list[int]] = {}
        for f, e in places:
            by_file.setdefault(f, []).append(e)
        settled = {fate.identity for fate in self.fates.values()} | self.left.keys()
        gone = [
            lost
            for lost in recall.gone([(self.new[f], es) for f, es in by_file.items()])
            if lost.identity not in settled
        ]
        if not gone:
            return
        new = match_candidates(self.new, places, self.family_of)
        pairing = pair_entities([self.lost_subject(lost) for lost in gone], new)
        for pair in pairing.pairs:
            if pair.evidence in accepted:
                fate = Assignment(gone[pair.old].identity, str(pair.evidence), str(pair.confidence))
                self.give(places[pair.new], fate)

    def born(self) -> list[EntityRef]:
        """What has no identity and no candidates."""
        return [place for place in self.unsettled() if place not in self.fates]

    def unsettled(self) -> list[EntityRef]:
        return [place for place in all_entities(self.new) if place not in self.fates]

    def identity_at(self, place: EntityRef) -> int:
        return self.old[place[0]].identities[place[1]]

    def lost_subject(self, lost: DeletedEntity) -> MatchCandidate:
        return MatchCandidate(
            str(lost.identity),
            lost.path,
            lost.kind,
            lost.name,
            lost.parent,
            lost.start_line,
            lost.end_line,
            lost.content,
            family=self.family_of(lost.language),
            weight=WEIGHTY,
        )
