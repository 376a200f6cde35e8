"""Compare two states of a tree, entity by entity.

Takes the files that differ, as they were and as they are; gives what became of each entity in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from birthmark.comparison.changes import COMPARED, compare_fingerprints, name_change
from birthmark.comparison.match_candidates import (
    EntityRef,
    FamilyOf,
    Outlined,
    all_entities,
    match_candidates,
    token_reader,
)
from birthmark.matching.model import Pairing
from birthmark.matching.pair import pair_entities
from birthmark.matching.pairing_state import ContentIds
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
    """`known` says of old places which new ones the ledger has found them to be, step by step; the rest is paired."""
    old_places, new_places, pairing = pair_files(old, new, family_of, known)
    changes = [
        _describe_pair(old, new, old_places[pair.old], new_places[pair.new], str(pair.evidence), str(pair.confidence))
        for pair in pairing.pairs
    ]
    changes += [_describe_deleted(old, old_places[index]) for index in pairing.deleted]
    changes += [_describe_added(new, new_places[index]) for index in pairing.born]
    counts = dict.fromkeys(map(str, COMPARED), 0)
    for change in changes:
        counts[change.change] += 1
    return EntityComparison(sorted((c for c in changes if c.change != Change.UNCHANGED), key=_order), counts)


def pair_files(
    old: Sequence[Outlined],
    new: Sequence[Outlined],
    family_of: FamilyOf,
    known: Mapping[EntityRef, EntityRef] | None = None,
    files: tuple[ContentIds, ContentIds] | None = None,
) -> tuple[list[EntityRef], list[EntityRef], Pairing]:
    """The references of all entities on both sides, and which one is which."""
    old_places, new_places = all_entities(old), all_entities(new)
    old_indexes = {place: index for index, place in enumerate(old_places)}
    new_indexes = {place: index for index, place in enumerate(new_places)}
    pairing = pair_entities(
        match_candidates(old, old_places, family_of),
        match_candidates(new, new_places, family_of),
        old_tokens=token_reader(old),
        new_tokens=token_reader(new),
        known={old_indexes[before]: new_indexes[after] for before, after in (known or {}).items()},
        files=files,
    )
    return old_places, new_places, pairing


def _describe_pair(
    old: Sequence[Outlined],
    new: Sequence[Outlined],
    old_place: EntityRef,
    new_place: EntityRef,
    evidence: str,
    confidence: str,
) -> EntityChange:
    old_file, new_file = old[old_place[0]], new[new_place[0]]
    before, after = old_file.outline.entities[old_place[1]], new_file.outline.entities[new_place[1]]
    prints = old_file.outline.fingerprints[old_place[1]], new_file.outline.fingerprints[new_place[1]]
    aspects = compare_fingerprints(*prints)
    change = name_change(old_file.path, before, new_file.path, after, aspects)
    return EntityChange(
        change,
        after.kind,
        _place(old_file.path, before),
        _place(new_file.path, after),
        aspects,
        evidence,
        confidence,
        old_place,
        new_place,
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
