"""The derivations of a run, between identities: code of one that the run found in another one.

Takes old and new files, the identities of both and the Assignments that gave the new ones theirs; gives what the ledger
records. What has a known content, or is back after it was deleted, derives from nothing: that was recorded before.
A merge records the sources of what it introduces itself; of all else the commits that led to its parents did.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations, may_derive
from birthmark.comparison.match_candidates import FamilyOf, all_entities
from birthmark.comparison.pair_commit import CommitPairing, Predecessor
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.ledger.assign_identities import KNOWN_FILE, NO_IDENTITY, Assignment, Assignments
from birthmark.store.model import LedgerDerivation
from birthmark.vocabulary import Confidence, Evidence


class IdentifiedFiles(NamedTuple):
    """Files, and the identities of their entities in their order."""

    files: Sequence[OutlinedFile]
    identities: Sequence[Sequence[int]]

    def identity(self, ref: EntityRef) -> int:
        return self.identities[ref[0]][ref[1]]


def find_ledger_derivations(
    run: int,
    old: IdentifiedFiles,
    new: IdentifiedFiles,
    assigned: Assignments,
    family_of: FamilyOf,
    known: Sequence[CommitDerivation] | None = None,
    *,
    is_merge: bool,
) -> list[LedgerDerivation]:
    """`known` is what was found beforehand, by the code alone: where all have the identities of their predecessors."""
    derivable = {
        ref for ref in all_entities(new.files) if _is_derivable(assigned.by_file[ref[0]][ref[1]], is_merge=is_merge)
    }
    if not old.files or not derivable:
        return []
    pairing = _pairing(assigned)
    if known is None:
        known = find_commit_derivations(old.files, new.files, pairing, family_of)
    elif not may_derive(old.files, new.files, pairing):
        return []
    return [
        LedgerDerivation(old.identity(one.source), new.identity(one.derivative), run, *one[2:])
        for one in known
        if one.derivative in derivable and old.identity(one.source) not in (NO_IDENTITY, new.identity(one.derivative))
    ]


def _is_derivable(assignment: Assignment, *, is_merge: bool) -> bool:
    is_born = assignment.identity is None
    return is_born or (not is_merge and assignment.old is not None and assignment.evidence != KNOWN_FILE)


def _pairing(assigned: Assignments) -> CommitPairing:
    """As the identities have it, which may be other than what the code alone shows."""
    assignments = {(f, e): one for f, file in enumerate(assigned.by_file) for e, one in enumerate(file)}
    same = str(Evidence.SAME_IDENTITY), str(Confidence.HIGH)
    predecessors = {ref: Predecessor(one.old, *same) for ref, one in assignments.items() if one.old is not None}
    born = tuple(ref for ref, one in assignments.items() if one.identity is None)
    return CommitPairing(predecessors, tuple(assigned.deleted), born, {}, {})
