"""Pair all entities of the files that a commit changed, as they were in one parent, with those that are there now.

Takes the old and the new files and returns a CommitPairing. It is a pure function of their paths and contents: diff,
scan, index, replay, history and blame all use it, so that no two of them can disagree about one commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from birthmark.comparison.match_candidates import FamilyOf, all_entities, match_candidates, token_reader
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.matching.pair import pair_entities
from birthmark.matching.pairing_state import ContentIds


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


NOTHING_PAIRED = CommitPairing({}, (), (), {}, {})


def pair_commit(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    known: Mapping[EntityRef, EntityRef] | None = None,
    ids: tuple[ContentIds, ContentIds] | None = None,
) -> CommitPairing:
    """`known` pairs are those of the ledger; `ids` those of the contents of all files on either side."""
    old_refs, new_refs = all_entities(old), all_entities(new)
    old_indexes = {ref: index for index, ref in enumerate(old_refs)}
    new_indexes = {ref: index for index, ref in enumerate(new_refs)}
    pairing = pair_entities(
        match_candidates(old, old_refs, family_of),
        match_candidates(new, new_refs, family_of),
        tokens=(token_reader(old), token_reader(new)),
        known={old_indexes[before]: new_indexes[after] for before, after in (known or {}).items()},
        files=ids,
    )
    return CommitPairing(
        {
            new_refs[pair.new]: Predecessor(old_refs[pair.old], str(pair.evidence), str(pair.confidence))
            for pair in pairing.pairs
        },
        tuple(old_refs[index] for index in pairing.deleted),
        tuple(new_refs[index] for index in pairing.born),
        {new_refs[tie.new]: tuple(old_refs[index] for index in tie.candidates) for tie in pairing.ambiguous},
        pairing.files,
    )
