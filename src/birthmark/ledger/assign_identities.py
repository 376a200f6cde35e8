"""Settle who the entities of changed files are: kept, revived or born; and who is gone.

Takes the old and the new files that changed together, and what the ledger recalls; gives an Assignment for each new
entity and the old ones that are left over. Five steps, from surest to boldest: a file that was just so before has the
entities it had then; what was deleted earlier is back in its place; the pairing of old and new; what was deleted
earlier has come back elsewhere; birth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from birthmark.comparison.match_candidates import EntityRef, FamilyOf, all_entities, match_candidates, token_reader
from birthmark.extraction.model import Outline
from birthmark.matching.model import MatchCandidate
from birthmark.matching.pair import pair_entities
from birthmark.vocabulary import Evidence

NO_IDENTITY = 0  # stands for an old entity whose identity is not known
KNOWN_FILE = "same file as before"
_ANY_EVIDENCE = frozenset(Evidence)
_AT_HOME = frozenset({Evidence.SAME_CONTENT, Evidence.SAME_NAME, Evidence.SAME_INTERFACE, Evidence.SAME_POSITION})
WEIGHTY = 40  # bytes of body: what weighs less is not known by its content alone


class OldFile(NamedTuple):
    """A file as the snapshot has it."""

    path: str
    outline: Outline
    identities: Sequence[int]
    source: Callable[[], bytes]


class NewFile(NamedTuple):
    """A file as it is now; `known` is who its entities were when it was just so before, as far as that is known."""

    path: str
    outline: Outline
    source: Callable[[], bytes]
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
        """Those of them that stand in files that did not change."""

    def gone(self, files: Sequence[tuple[NewFile, Collection[int]]]) -> Sequence[DeletedEntity]:
        """Deleted identities that had the place or the content of one of these entities."""


class Assignment(NamedTuple):
    """Who a new entity is. Without an identity it is born; candidates are who it might have been."""

    identity: int | None
    evidence: str | None = None
    confidence: str | None = None
    old: EntityRef | None = None  # the old file and entity it was
    candidates: tuple[int, ...] = ()


class Assignments(NamedTuple):
    """Fates by new file and entity; and the old files' entities that have no heir."""

    fates: list[list[Assignment]]
    deleted: list[EntityRef]


def assign_identities(
    old: Sequence[OldFile], new: Sequence[NewFile], recall: RevivalSource, family_of: FamilyOf
) -> Assignments:
    state = _Assigner(old, new, family_of)
    state.claim_known(recall)
    state.bring_home(recall)
    state.pair()
    state.revive(recall, state.born(), _ANY_EVIDENCE)
    fates = [
        [state.fates.get((f, e), Assignment(None)) for e in range(len(file.outline.entities))]
        for f, file in enumerate(new)
    ]
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

    def give(self, place: EntityRef, fate: Assignment) -> None:
        assert fate.identity is not None
        self.fates[place] = fate
        self.left.pop(fate.identity, None)

    def claim_known(self, recall: RevivalSource) -> None:
        """A file that was just so before: its entities, unless they live on elsewhere."""
        claims = [
            (f, e, identity)
            for f, file in enumerate(self.new)
            for e, identity in enumerate(file.known)
            if identity != NO_IDENTITY
        ]
        if not claims:
            return
        elsewhere = set(recall.alive({identity for _, _, identity in claims} - self.left.keys()))
        paths = {file.path: bool(file.known) for file in self.new}
        at_home: list[tuple[int, int, int]] = []
        from_away: list[tuple[int, int, int]] = []
        for claim in claims:
            f, _, identity = claim
            held = self.left.get(identity)
            if held is None:
                if identity not in elsewhere:
                    from_away.append(claim)
            elif self.old[held[0]].path == self.new[f].path:
                at_home.append(claim)
            elif paths.get(self.old[held[0]].path, True):  # That file is gone, or known as well.
                from_away.append(claim)
        taken: set[int] = set()
        for f, e, identity in (*at_home, *from_away):
            if identity not in taken:
                taken.add(identity)
                self.give((f, e), Assignment(identity, KNOWN_FILE, "high", self.left.get(identity)))

    def pair(self) -> None:
        old_places = sorted(self.left.values())
        new_places = self.unsettled()
        if not old_places or not new_places:
            return
        pairing = pair_entities(
            match_candidates(self.old, old_places, self.family_of),
            match_candidates(self.new, new_places, self.family_of),
            old_tokens=token_reader(self.old),
            new_tokens=token_reader(self.new),
        )
        for ambiguity in pairing.ambiguous:
            candidates = tuple(self.identity_at(old_places[index]) for index in ambiguity.candidates)
            self.fates[new_places[ambiguity.new]] = Assignment(None, candidates=candidates)
        for pair in pairing.pairs:
            place = old_places[pair.old]
            fate = Assignment(self.identity_at(place), str(pair.evidence), str(pair.confidence), place)
            self.give(new_places[pair.new], fate)

    def bring_home(self, recall: RevivalSource) -> None:
        """Who was deleted earlier and is back in its place has a better claim than a look-alike that is just leaving.

        Not so where something that is leaving has the same name, content or, in the same file, body.
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
        self.revive(recall, back, _AT_HOME)

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
