"""Find in the ledger deleted identities that entities of changed files may revive."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from birthmark.extraction.provisional_names import entity_path
from birthmark.identity.keys import parse_key, place_of
from birthmark.ledger.assign_identities import WEIGHTY, DeletedEntity, NewFile
from birthmark.store.model import Event, Identity
from birthmark.store.port import Store


class LedgerRevivalSource:
    """Reads the store; `replaced` are the versions that leave the snapshot in this update."""

    def __init__(self, store: Store, snapshot: int, replaced: Collection[int]) -> None:
        self.store, self.snapshot, self.replaced = store, snapshot, replaced
        self.is_empty = not store.has_identities()

    def alive(self, identities: Collection[int]) -> Collection[int]:
        found = self.store.versions_with(self.snapshot, identities) if identities else {}
        return [identity for identity, version in found.items() if version not in self.replaced]

    def gone(self, files: Sequence[tuple[NewFile, Collection[int]]]) -> Sequence[DeletedEntity]:
        if self.is_empty:
            return ()
        wanted = self._by_place(files) | self._by_content(files)
        gone = wanted - self.present(wanted)
        return self._describe(gone) if gone else ()

    def present(self, identities: Collection[int]) -> set[int]:
        return set(self.store.versions_with(self.snapshot, identities))

    def _by_place(self, files: Sequence[tuple[NewFile, Collection[int]]]) -> set[int]:
        paths = {
            entity_path(file.outline.entities[index], place_of(file.path))
            for file, indexes in files
            for index in indexes
        }
        return {row.identity for row in self.store.keys_at(paths)}

    def _by_content(self, files: Sequence[tuple[NewFile, Collection[int]]]) -> set[int]:
        contents = {
            file.outline.fingerprints[index].content
            for file, indexes in files
            for index in indexes
            if file.outline.weights[index] >= WEIGHTY
        }
        return {event.identity for event in self.store.deletions_with(contents)}

    def _describe(self, identities: Collection[int]) -> list[DeletedEntity]:
        last = {event.identity: event for event in self.store.events_of(identities)}
        born = {found.identity: found for found in self.store.identities(identities)}
        keys = {row.identity: row.text for row in self.store.keys_of(identities)}
        return [self._lost(born[identity], last.get(identity), keys[identity]) for identity in sorted(born)]

    def _lost(self, born: Identity, event: Event | None, key: str) -> DeletedEntity:
        """As its last event left it, or as it was born."""
        parts = parse_key(key)
        assert parts is not None
        state = event or born
        content = event.content if event else ""
        return DeletedEntity(
            born.identity,
            state.path,
            parts.language,
            parts.kind,
            parts.name,
            parts.parent,
            state.start_line,
            state.end_line,
            content,
        )
