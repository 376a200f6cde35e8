"""Compare two states of a tree, entity by entity.

Takes the files that differ, as they were and as they are; gives what became of each entity in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from birthmark.comparison.changes import COMPARED, compare_fingerprints, name_change
from birthmark.comparison.match_candidates import EntityRef, FamilyOf, Outlined
from birthmark.comparison.pair_commit import Predecessor, pair_commit
from birthmark.model import Entity
from birthmark.vocabulary import Aspect, Change


class Location(msgspec.Struct, frozen=True):
    """Where an entity stands."""

    path: str
    qualified_name: str
    start_line: int
    end_line: int


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
    """All changes by where they are, and how many there are of each kind."""

    changes: list[EntityChange]
    counts: dict[str, int]


def compare_files(
    old: Sequence[Outlined],
    new: Sequence[Outlined],
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
    old: Sequence[Outlined], new: Sequence[Outlined], ref: EntityRef, predecessor: Predecessor
) -> EntityChange:
    (before_file, before_index), (after_file, after_index) = predecessor.ref, ref
    old_file, new_file = old[before_file], new[after_file]
    before, after = old_file.outline.entities[before_index], new_file.outline.entities[after_index]
    aspects = compare_fingerprints(
        old_file.outline.fingerprints[before_index], new_file.outline.fingerprints[after_index]
    )
    return EntityChange(
        name_change(old_file.path, before, new_file.path, after, aspects),
        after.kind,
        _place(old_file.path, before),
        _place(new_file.path, after),
        aspects,
        predecessor.evidence,
        predecessor.confidence,
        predecessor.ref,
        ref,
    )


def _describe_deleted(old: Sequence[Outlined], place: EntityRef) -> EntityChange:
    entity = old[place[0]].outline.entities[place[1]]
    return EntityChange(Change.DELETED, entity.kind, _place(old[place[0]].path, entity), None, old=place)


def _describe_added(new: Sequence[Outlined], place: EntityRef) -> EntityChange:
    entity = new[place[0]].outline.entities[place[1]]
    return EntityChange(Change.ADDED, entity.kind, None, _place(new[place[0]].path, entity), new=place)


def _place(path: str, entity: Entity) -> Location:
    return Location(path, entity.qualified_name, entity.start_line, entity.end_line)


def _order(change: EntityChange) -> tuple[str, int, int]:
    place = change.after or change.before
    assert place is not None
    return place.path, place.start_line, place.end_line
