"""Compare two states of a tree, entity by entity.

Takes the files that differ, as they were and as they are; gives what became of each entity in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from birthmark.comparison.changes import COMPARED, compare_fingerprints, name_change
from birthmark.comparison.match_candidates import FamilyOf
from birthmark.comparison.pair_commit import Predecessor, pair_commit
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.model import Location
from birthmark.vocabulary import Aspect, Change


class EntityChange(msgspec.Struct, frozen=True):
    """What became of an entity. `old` and `new` say which one it is in the files that were compared."""

    change: Change
    kind: str
    before: Location | None
    after: Location | None
    aspects: tuple[Aspect, ...] = ()
    evidence: str | None = None
    confidence: str | None = None
    old: EntityRef | None = None
    new: EntityRef | None = None


class EntityComparison(NamedTuple):
    """All changes by their locations, and how many there are of each kind."""

    changes: list[EntityChange]
    counts: dict[str, int]


def compare_files(
    old: Sequence[OutlinedFile],
    new: Sequence[OutlinedFile],
    family_of: FamilyOf,
    known: Mapping[EntityRef, EntityRef] | None = None,
) -> EntityComparison:
    """`known` says of old entities which new ones the ledger has found them to be; the rest is paired."""
    pairing = pair_commit(old, new, family_of, known)
    changes = [_describe_pair(old, new, ref, predecessor) for ref, predecessor in pairing.predecessors.items()]
    changes += [_describe_deleted(old, ref) for ref in pairing.deleted]
    changes += [_describe_added(new, ref) for ref in pairing.born]
    counts = dict.fromkeys(map(str, COMPARED), 0)
    for change in changes:
        counts[change.change] += 1
    return EntityComparison(sorted((c for c in changes if c.change != Change.UNCHANGED), key=_order), counts)


def _describe_pair(
    old: Sequence[OutlinedFile], new: Sequence[OutlinedFile], ref: EntityRef, predecessor: Predecessor
) -> EntityChange:
    before, after = _entity(old, predecessor.ref), _entity(new, ref)
    return EntityChange(
        name_change(before, after),
        after.entity.kind,
        before.location,
        after.location,
        compare_fingerprints(before.fingerprint, after.fingerprint),
        predecessor.evidence,
        predecessor.confidence,
        predecessor.ref,
        ref,
    )


def _describe_deleted(old: Sequence[OutlinedFile], ref: EntityRef) -> EntityChange:
    deleted = _entity(old, ref)
    return EntityChange(Change.DELETED, deleted.entity.kind, deleted.location, None, old=ref)


def _describe_added(new: Sequence[OutlinedFile], ref: EntityRef) -> EntityChange:
    added = _entity(new, ref)
    return EntityChange(Change.ADDED, added.entity.kind, None, added.location, new=ref)


def _entity(files: Sequence[OutlinedFile], ref: EntityRef) -> OutlinedEntity:
    return OutlinedEntity(files[ref[0]], ref[1])


def _order(change: EntityChange) -> tuple[str, int, int]:
    location = change.after or change.before
    assert location is not None
    return location.path, location.start_line, location.end_line
