"""What a commit did to each entity of the files that it changed, as the ledger keeps it for histories.

Takes the files of a commit with one parent before and after it, and their pairing; gives for each new version its
EntityRecords, packed. An entity without a record was in each parent, at the same path, and was the same. Of merges,
`ledger.merge_links` makes the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

import msgspec

from birthmark.comparison.link_changes import find_link_changes, have_same_package
from birthmark.comparison.pair_commit import CommitPairing
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.ledger.assign_identities import Assignments
from birthmark.model import Location
from birthmark.store.model import LedgerDerivation, Version


class PlaceRecord(msgspec.Struct, frozen=True, array_like=True):
    """Where an entity is; without a path, in the file that the record belongs to."""

    qualified_name: str
    start_line: int
    end_line: int
    path: str | None = None

    def location(self, path: str) -> Location:
        return Location(self.path or path, self.qualified_name, self.start_line, self.end_line)


def place_record(location: Location, path: str) -> PlaceRecord:
    """Of a file at a path."""
    other = location.path if location.path != path else None
    return PlaceRecord(location.qualified_name, location.start_line, location.end_line, other)


class LinkRecord(msgspec.Struct, frozen=True, array_like=True):
    """An entity as it was in a parent, and what the commit changed about it."""

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
decode_records = msgspec.msgpack.Decoder(tuple[EntityRecord, ...]).decode


class FoldedCommit(NamedTuple):
    """The files of a commit, before with their identities and after at their versions."""

    old: Sequence[OutlinedFile]
    old_identities: Sequence[Sequence[int]]
    new: Sequence[OutlinedFile]
    versions: Sequence[Version]


def link_versions(
    commit: FoldedCommit, pairing: CommitPairing, assigned: Assignments, derivations: Sequence[LedgerDerivation]
) -> dict[int, bytes]:
    """By version; one in which nothing changed but lines has none."""
    commit = commit._replace(old=_read_once(commit.old), new=_read_once(commit.new))
    linker = _Linker(commit, pairing, assigned, derivations)
    records = {version.version: linker.records(f) for f, version in enumerate(commit.versions)}
    return {version: encode_records(found) for version, found in records.items() if found}


def is_verbatim(old_file: OutlinedFile, e: int, new_file: OutlinedFile, d: int) -> bool:
    """Whether two entities at one path have the same name, parent and text, with the comments above it."""
    if old_file.outline.fingerprints[e] != new_file.outline.fingerprints[d] or old_file.path != new_file.path:
        return False
    old, new = old_file.outline.entities[e], new_file.outline.entities[d]
    if old.name != new.name or old.parent != new.parent:
        return False
    if old.lead_start == old.start_byte and new.lead_start == new.start_byte:
        return True
    return OutlinedEntity(old_file, e).read_text() == OutlinedEntity(new_file, d).read_text()


def _read_once(files: Sequence[OutlinedFile]) -> list[OutlinedFile]:
    return [file._replace(source=cache(file.source)) for file in files]


class _Linker:
    def __init__(
        self,
        commit: FoldedCommit,
        pairing: CommitPairing,
        assigned: Assignments,
        derivations: Sequence[LedgerDerivation],
    ) -> None:
        self.commit, self.pairing, self.assigned = commit, pairing, assigned
        self.derivations: dict[int, list[LedgerDerivation]] = {}
        for one in derivations:
            self.derivations.setdefault(one.derivative, []).append(one)
        self._packages: dict[tuple[int, int, str], bool] = {}  # whether files have the same one

    def records(self, f: int) -> list[EntityRecord]:
        found = (self._record((f, e)) for e in range(len(self.commit.new[f].outline.entities)))
        return [record for record in found if record is not None]

    def _record(self, ref: EntityRef) -> EntityRecord | None:
        predecessor = self.pairing.predecessors.get(ref)
        if predecessor is None:
            return EntityRecord(self._identity(ref), self._place(ref), (), self._sources(ref))
        if self._is_same(predecessor.ref, ref):
            return None
        changes = find_link_changes(self.commit.old, self.commit.new, self.pairing, predecessor.ref, ref)
        if not changes:
            return None
        f, e = predecessor.ref
        identity, words = self.commit.old_identities[f][e], tuple(map(str, changes))
        before = place_record(OutlinedEntity(self.commit.old[f], e).location, self.commit.new[ref[0]].path)
        link = LinkRecord(0, identity, before, words, predecessor.evidence, predecessor.confidence)
        return EntityRecord(self._identity(ref), self._place(ref), (link,))

    def _identity(self, ref: EntityRef) -> int:
        return self.commit.versions[ref[0]].identities[ref[1]]

    def _place(self, ref: EntityRef) -> PlaceRecord:
        file = self.commit.new[ref[0]]
        return place_record(OutlinedEntity(file, ref[1]).location, file.path)

    def _is_same(self, old_ref: EntityRef, new_ref: EntityRef) -> bool:
        """Whether nothing can have changed, which need not be looked for."""
        (f, e), (g, d) = old_ref, new_ref
        new_file = self.commit.new[g]
        if not is_verbatim(self.commit.old[f], e, new_file, d):
            return False
        return self._has_same_package(f, g, new_file.outline.entities[d].language)

    def _has_same_package(self, old: int, new: int, language: str) -> bool:
        files = old, new, language
        if files not in self._packages:
            self._packages[files] = have_same_package(self.commit.old[old], self.commit.new[new], language)
        return self._packages[files]

    def _sources(self, ref: EntityRef) -> tuple[SourceRecord, ...] | None:
        """Of what is back after it was deleted, the ledger has none."""
        if self.assigned.by_file[ref[0]][ref[1]].identity is not None:
            return None
        path = self.commit.new[ref[0]].path
        return tuple(
            SourceRecord(one.source, place_record(self._old_places[one.source], path), *one[3:])
            for one in self.derivations.get(self._identity(ref), ())
        )

    @cached_property
    def _old_places(self) -> dict[int, Location]:
        return {
            identity: OutlinedEntity(file, e).location
            for file, identities in zip(self.commit.old, self.commit.old_identities, strict=True)
            for e, identity in enumerate(identities)
        }
