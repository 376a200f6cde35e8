"""Records of the changes that a commit made to each entity of its files, kept in the ledger for histories.

Takes the entities that a commit with one parent touched; gives for each new version its EntityRecords, packed. An
entity without a record was the same in each parent, at the same path. `ledger/merge.py` makes the records of merges.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import msgspec

from birthmark.comparison.touched_entities import TouchedFiles
from birthmark.decoding import msgpack_decoder
from birthmark.extraction.model import EntityRef, OutlinedEntity
from birthmark.ledger.assign_identities import Assignments, IdentifiedFiles
from birthmark.model import Location
from birthmark.store.model import LedgerDerivation, Version


class PlaceRecord(msgspec.Struct, frozen=True, array_like=True):
    """The place of an entity; without a path, in the file that the record belongs to."""

    qualified_name: str
    start_line: int
    end_line: int
    path: str | None = None

    def location(self, path: str) -> Location:
        return Location(self.path or path, self.qualified_name, self.start_line, self.end_line)


def place_record(location: Location, path: str) -> PlaceRecord:
    """Return the record of a place, for a file at a path."""
    other = location.path if location.path != path else None
    return PlaceRecord(location.qualified_name, location.start_line, location.end_line, other)


class LinkRecord(msgspec.Struct, frozen=True, array_like=True):
    """An entity as it was in a parent, and the changes of the commit."""

    parent: int  # the number of the parent
    identity: int
    place: PlaceRecord
    changes: tuple[str, ...] = ()
    evidence: str | None = None
    confidence: str | None = None


class SourceRecord(msgspec.Struct, frozen=True, array_like=True):
    """An entity of the parent whose code is in one that the commit introduced."""

    identity: int
    place: PlaceRecord
    kind: str
    share: float
    source_share: float
    evidence: str
    confidence: str


class EntityRecord(msgspec.Struct, frozen=True, array_like=True):
    """An entity as the commit left it; without links it was introduced."""

    identity: int
    place: PlaceRecord
    links: tuple[LinkRecord, ...] | None = ()  # None where a merge is to be walked
    sources: tuple[SourceRecord, ...] | None = ()  # of an introduction; None where they were not recorded


encode_records = msgspec.msgpack.Encoder().encode
decode_records = msgpack_decoder(tuple[EntityRecord, ...]).decode


class VersionLinker:
    """The touched files of a commit, from which records are made."""

    def __init__(
        self,
        before: IdentifiedFiles,
        after: IdentifiedFiles,
        touched: TouchedFiles,
        assigned: Assignments,
        derivations: Sequence[LedgerDerivation],
    ) -> None:
        self.before, self.after, self.assigned = before, after, assigned
        self.predecessors, self.changes = dict(touched.predecessors), dict(touched.changes)
        self.derivations: dict[int, list[LedgerDerivation]] = {}
        for one in derivations:
            self.derivations.setdefault(one.derivative, []).append(one)

    def link(self, versions: Sequence[Version]) -> dict[int, bytes]:
        """Return the packed records of each version of a new file in which more changed than lines."""
        records = {version.version: self._records(f) for f, version in enumerate(versions)}
        return {version: encode_records(found) for version, found in records.items() if found}

    def _records(self, f: int) -> list[EntityRecord]:
        found = (self._record((f, e)) for e in range(len(self.after.files[f].outline.entities)))
        return [record for record in found if record is not None]

    def _record(self, ref: EntityRef) -> EntityRecord | None:
        predecessor = self.predecessors.get(ref)
        if predecessor is None:
            return EntityRecord(self.after.identity(ref), self._place(ref), (), self._sources(ref))
        changes = self.changes.get(ref)
        if changes is None:
            return None
        f, e = predecessor.ref
        place = place_record(OutlinedEntity(self.before.files[f], e).location, self.after.files[ref[0]].path)
        how = predecessor.evidence, predecessor.confidence
        link = LinkRecord(0, self.before.identity(predecessor.ref), place, changes, *how)
        return EntityRecord(self.after.identity(ref), self._place(ref), (link,))

    def _place(self, ref: EntityRef) -> PlaceRecord:
        file = self.after.files[ref[0]]
        return place_record(OutlinedEntity(file, ref[1]).location, file.path)

    def _sources(self, ref: EntityRef) -> tuple[SourceRecord, ...] | None:
        """Return the sources of an introduction; None for a revived entity, as the ledger has none."""
        if self.assigned.by_file[ref[0]][ref[1]].identity is not None:
            return None
        path = self.after.files[ref[0]].path
        return tuple(
            SourceRecord(one.source, place_record(self._old_places[one.source], path), *one[3:])
            for one in self.derivations.get(self.after.identity(ref), ())
        )

    @cached_property
    def _old_places(self) -> dict[int, Location]:
        return {
            identity: OutlinedEntity(file, e).location
            for file, identities in zip(*self.before, strict=True)
            for e, identity in enumerate(identities)
        }
