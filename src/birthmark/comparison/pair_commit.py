"""Pair all entities of the files that a commit changed, as they were in one parent, with those that are there now.

Takes the old and the new files and returns a CommitPairing. It is a pure function of their paths and contents: diff,
scan, index, replay, history and blame all use it, so that no two of them can disagree about one commit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates, token_reader
from birthmark.comparison.pairs_in_place import PairInPlace, pair_in_place
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.matching.model import CONFIDENCE
from birthmark.matching.pair import pair_entities
from birthmark.matching.pairing_state import ContentIds

Identities = tuple[Mapping[EntityRef, int], Mapping[EntityRef, int]]  # of old and new entities that the ledger has


class Predecessor(NamedTuple):
    """The old entity that a new one was, and how that is known."""

    ref: EntityRef
    evidence: str
    confidence: str


class CommitPairing(NamedTuple):
    """What each new entity was; old entities without a successor are deleted, new ones without a predecessor born."""

    predecessors: dict[EntityRef, Predecessor]
    deleted: tuple[EntityRef, ...]
    born: tuple[EntityRef, ...]
    candidates: dict[EntityRef, tuple[EntityRef, ...]]  # of born ones: the deleted ones that each of them may be
    files: dict[str, str]  # that were renamed: old path to new path

    @property
    def successors(self) -> dict[EntityRef, EntityRef]:
        return {predecessor.ref: new for new, predecessor in self.predecessors.items()}


def pair_commit(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    identities: Identities | None = None,
    ids: tuple[ContentIds, ContentIds] | None = None,
) -> CommitPairing:
    """What the ledger has as one identity is one, and as two is two; `ids` are those of all files on either side."""
    in_place = pair_in_place(old, new, family_of) if identities is None else None
    return _pair_all(old, new, family_of, identities, ids) if in_place is None else _left_in_place(old, new, in_place)


def _left_in_place(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], pairs: Sequence[PairInPlace]
) -> CommitPairing:
    predecessors = {
        after: Predecessor(before, str(evidence), str(CONFIDENCE[evidence])) for before, after, evidence in pairs
    }
    successors = {before for before, _, _ in pairs}
    return CommitPairing(
        predecessors,
        tuple(ref for ref in all_entities(old) if ref not in successors),
        tuple(ref for ref in all_entities(new) if ref not in predecessors),
        {},
        {},
    )


def _pair_all(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    identities: Identities | None,
    ids: tuple[ContentIds, ContentIds] | None,
) -> CommitPairing:
    """By all passes."""
    old_refs, new_refs = all_entities(old), all_entities(new)
    old_indexes = {ref: index for index, ref in enumerate(old_refs)}
    new_indexes = {ref: index for index, ref in enumerate(new_refs)}
    pairing = pair_entities(
        match_candidates(old, old_refs, family_of),
        match_candidates(new, new_refs, family_of),
        tokens=(token_reader(old), token_reader(new)),
        known={old_indexes[before]: new_indexes[after] for before, after in _pairs_of(identities).items()},
        files=ids,
    )
    predecessors = {
        new_refs[pair.new]: Predecessor(old_refs[pair.old], str(pair.evidence), str(pair.confidence))
        for pair in pairing.pairs
    }
    strangers = _strangers(predecessors, identities)
    return CommitPairing(
        {new: predecessor for new, predecessor in predecessors.items() if new not in strangers},
        tuple(sorted([*(old_refs[index] for index in pairing.deleted), *strangers.values()])),
        tuple(sorted([*(new_refs[index] for index in pairing.born), *strangers])),
        {new_refs[tie.new]: tuple(old_refs[index] for index in tie.candidates) for tie in pairing.ambiguous},
        pairing.files,
    )


def _pairs_of(identities: Identities | None) -> dict[EntityRef, EntityRef]:
    """Versions of different times may have an identity twice on a side; then it is not used."""
    old, new = identities or ({}, {})
    counts = Counter(old.values()), Counter(new.values())
    refs = {identity: ref for ref, identity in new.items() if counts[1][identity] == 1}
    return {ref: refs[identity] for ref, identity in old.items() if identity in refs and counts[0][identity] == 1}


def _strangers(
    predecessors: Mapping[EntityRef, Predecessor], identities: Identities | None
) -> dict[EntityRef, EntityRef]:
    """New entities and the old ones they were paired with, though the ledger has followed both as different ones."""
    old, new = identities or ({}, {})
    return {
        ref: predecessor.ref
        for ref, predecessor in predecessors.items()
        if ref in new and old.get(predecessor.ref, new[ref]) != new[ref]
    }
