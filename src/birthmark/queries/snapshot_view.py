"""Look into a snapshot: files as they were indexed, and entities in full."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.extraction.codec import FORMAT, unpack_source
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, ChunkedFile, Outline
from birthmark.extraction.placement import place_entity, place_outline, place_semantic_id
from birthmark.extraction.state import content_id_of
from birthmark.identity.fingerprints import Fingerprint
from birthmark.model import Entity
from birthmark.store.model import SnapshotEntity, SnapshotFile, Version
from birthmark.store.port import Store

_KEPT_FILES = 64
_KEPT_NUMBERS = 4096


class IndexedFile(NamedTuple):
    """A file at a version, with its outline in place."""

    path: str
    outline: Outline
    version: Version


class IndexedEntity(NamedTuple):
    """An entity of the snapshot in full, with its ids."""

    entity: Entity
    fingerprint: Fingerprint
    mark: str
    key: str
    semantic_id: str
    identity: int
    version: int
    ordinal: int
    overload: str | None = None  # its name with the types of its parameters, if others of the file share it


class SnapshotView:
    """A snapshot, and the ledger behind it."""

    def __init__(self, store: Store, worktree: str, extractor: Extractor) -> None:
        snapshot = store.snapshot(worktree)
        if snapshot is None:
            raise BirthmarkError("this worktree is not indexed yet; run `birthmark index` first")
        if store.meta("format") != FORMAT:
            raise BirthmarkError("the index was made by another version of birthmark; run `birthmark index` first")
        self.store, self.snapshot, self.extractor = store, snapshot, extractor
        self.at_version = lru_cache(_KEPT_FILES)(self._at_version)
        self.extraction_of = lru_cache(_KEPT_NUMBERS)(lambda number: store.versions([number])[number].extraction)

    @property
    def number(self) -> int:
        return self.snapshot.snapshot

    def _at_version(self, number: int) -> IndexedFile | None:
        """Return a file as it was at a version; None if its outline is no longer kept."""
        version = self.store.versions([number])[number]
        outline = self.extractor.outline(version.extraction)
        if outline is None:
            return None
        return IndexedFile(version.path, place_outline(outline, version.path), version)

    def file(self, path: str) -> IndexedFile | None:
        row = self.row(path)
        return self.at_version(row.version) if row is not None and row.version is not None else None

    def identities_in(self, path: str) -> tuple[int, ...]:
        """Return the identities of a file's entities in order; none if it is not indexed."""
        row = self.row(path)
        return self.store.versions([row.version])[row.version].identities if row and row.version is not None else ()

    def row(self, path: str) -> SnapshotFile | None:
        return self.store.files(self.number, [path]).get(path)

    def source(self, version: Version) -> bytes | None:
        packed = self.store.source(version.extraction)
        return None if packed is None else unpack_source(packed)

    def blob(self, file: IndexedFile) -> Blob | None:
        """Return a file to be extracted again; None if its source is no longer kept."""
        source, load = self.source(file.version), self.extractor.source_of(file.version.extraction)
        return None if source is None else Blob(content_id_of(source), file.outline.language, load, file.path)

    def hold(self, shown: SnapshotEntity) -> IndexedEntity:
        outline, ordinal = self.extractor.entities(self.extraction_of(shown.version)), shown.ordinal
        assert outline is not None, "what a snapshot holds is kept"
        return IndexedEntity(
            place_entity(outline.entities[ordinal], shown.path),
            outline.fingerprints[ordinal],
            shown.mark,
            shown.key,
            place_semantic_id(outline.semantic_ids[ordinal], shown.path),
            shown.identity,
            shown.version,
            ordinal,
            outline.overloads.get(ordinal),
        )

    def hold_all(self, shown: Iterable[SnapshotEntity]) -> dict[int, IndexedEntity]:
        """Return entities by identity; each file is read once."""
        return {one.identity: self.hold(one) for one in sorted(shown, key=lambda one: one.version)}

    def entities_in(self, path: str) -> list[IndexedEntity]:
        return [self.hold(entity) for entity in self.store.entities_in(self.number, [path])]

    def entities_marked(self, mark: str) -> list[IndexedEntity]:
        return [self.hold(entity) for entity in self.store.entities_marked(self.number, [mark])]

    def entity(self, identity: int) -> IndexedEntity | None:
        found = self.store.entities_of(self.number, [identity])
        return self.hold(found[0]) if found else None

    def paths(self) -> list[str]:
        """Return the paths of all files that could be read, sorted."""
        return sorted(path for path, row in self.store.files(self.number).items() if row.version is not None)

    def files(self, paths: Collection[str] | None = None) -> Iterator[IndexedFile]:
        """Yield all files or some, in the order of their paths."""
        for _, row in sorted(self.store.files(self.number, paths).items()):
            if row.version is not None:
                file = self.at_version(row.version)
                assert file is not None, "what a snapshot holds is kept"
                yield file

    def chunked(self, file: IndexedFile) -> ChunkedFile:
        """Return a file with its text and the marks of its entities."""
        identities = file.version.identities
        marks = {found.identity: found.mark for found in self.store.identities(identities)}
        source = self.extractor.source_of(file.version.extraction)
        return ChunkedFile(file.path, file.outline, source, tuple([marks[identity] for identity in identities]))

    def entities(self, paths: Collection[str] | None = None) -> Iterator[IndexedEntity]:
        """Yield all entities or those of some files, a file at a time."""
        store, number = self.store, self.number
        for shown in store.all_entities(number) if paths is None else store.entities_in(number, paths):
            yield self.hold(shown)
