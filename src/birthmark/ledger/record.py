"""Write into the ledger and the snapshot what was settled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import msgspec

from birthmark.comparison.changes import compare_fingerprints, name_change
from birthmark.extraction.provisional_names import entity_path
from birthmark.identity.keys import place_of
from birthmark.ledger.assign_identities import Assignment, Assignments, NewFile, OldFile
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.store.port import Store, Value
from birthmark.vocabulary import Change

_encode = msgspec.msgpack.Encoder().encode


class Recorder:
    """Collects the rows of a run and counts its changes."""

    def __init__(self, store: Store, run: int, path_ids: dict[str, int], births: KeyIssuer) -> None:
        self.store, self.run, self.path_ids, self.births = store, run, path_ids, births
        self.changes: dict[str, int] = {}
        self.events: list[tuple[Value, ...]] = []
        self.names: list[list[IssuedKey]] = []  # of the new files' entities
        self.next_event = store.last("events") + 1

    def record(
        self, old: Sequence[OldFile], new: Sequence[NewFile], extractions: Sequence[int], settlement: Assignments
    ) -> list[int]:
        """Returns the versions of the new files."""
        wishes = [
            KeyRequest(entity_path(entity, place), fate.identity)
            for file, fates in zip(new, settlement.fates, strict=True)
            for place in (place_of(file.path),)
            for entity, fate in zip(file.outline.entities, fates, strict=True)
        ]
        named = iter(self.births.name(wishes))
        names = self.names = [[next(named) for _ in fates] for fates in settlement.fates]
        first = self.store.last("versions") + 1
        versions = list(range(first, first + len(new)))
        for file, fates, own in zip(new, settlement.fates, names, strict=True):
            self._note_fates(old, file, fates, own)
        for f, e in settlement.deleted:
            self.note(old[f], e, old[f].identities[e], Change.DELETED, None, None)
        self._insert(new, extractions, versions, names, settlement)
        return versions

    def _note_fates(
        self, old: Sequence[OldFile], file: NewFile, fates: list[Assignment], names: list[IssuedKey]
    ) -> None:
        for e, (fate, named) in enumerate(zip(fates, names, strict=True)):
            if fate.old is not None:
                change = self._compare(old[fate.old[0]], fate.old[1], file, e)
            elif fate.identity is not None:
                change = Change.REVIVED
            elif fate.candidates:
                change = Change.BORN
            else:
                self.changes[Change.BORN] = self.changes.get(Change.BORN, 0) + 1
                continue
            if change != Change.UNCHANGED:
                self.note(file, e, named.identity, change, fate.evidence, fate.confidence)

    def _compare(self, old: OldFile, old_index: int, new: NewFile, new_index: int) -> str:
        aspects = compare_fingerprints(old.outline.fingerprints[old_index], new.outline.fingerprints[new_index])
        old_entity, new_entity = old.outline.entities[old_index], new.outline.entities[new_index]
        return name_change(old.path, old_entity, new.path, new_entity, aspects)

    def note(
        self, file: OldFile | NewFile, e: int, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        """An event."""
        entity = file.outline.entities[e]
        self.changes[change] = self.changes.get(change, 0) + 1
        self.events.append(
            (
                self.next_event,
                identity,
                self.run,
                change,
                self.path_ids[file.path],
                entity.qualified_name,
                entity.start_line,
                entity.end_line,
                file.outline.fingerprints[e].content,
                evidence,
                confidence,
            )
        )
        self.next_event += 1

    def _insert(
        self,
        new: Sequence[NewFile],
        extractions: Sequence[int],
        versions: list[int],
        names: list[list[IssuedKey]],
        settlement: Assignments,
    ) -> None:
        insert, run = self.store.insert, self.run
        insert("keys", self.births.new_keys)
        insert("identities", chain.from_iterable(map(self._identity_rows, new, names)))
        insert("events", self.events)
        insert(
            "candidates",
            [
                (candidate, named.identity, run)
                for fates, own in zip(settlement.fates, names, strict=True)
                for fate, named in zip(fates, own, strict=True)
                for candidate in fate.candidates
            ],
        )
        insert(
            "versions",
            [
                (version, self.path_ids[file.path], extraction, run, _encode([named.identity for named in own]))
                for version, file, extraction, own in zip(versions, new, extractions, names, strict=True)
            ],
        )
        self.present(new, versions, names)

    def present(self, new: Sequence[NewFile], versions: Sequence[int], names: Sequence[list[IssuedKey]]) -> None:
        """What a snapshot needs to show of files at their versions."""
        insert = self.store.insert
        for version, file, own in zip(versions, new, names, strict=True):
            insert("entities", self._entity_rows(version, file, own))
        for version, file in zip(versions, new, strict=True):
            insert("edges", self._edge_rows(version, file))

    def _identity_rows(self, file: NewFile, names: list[IssuedKey]) -> list[tuple[Value, ...]]:
        path_id, run = self.path_ids[file.path], self.run
        return [
            (named.identity, named.mark, named.key, run, path_id, entity.start_line, entity.end_line)
            for entity, named in zip(file.outline.entities, names, strict=True)
            if named.mark is not None
        ]

    def _entity_rows(self, version: int, file: NewFile, names: list[IssuedKey]) -> list[tuple[Value, ...]]:
        outline = file.outline
        return [
            (
                version,
                ordinal,
                named.identity,
                named.key,
                entity.kind,
                entity.name,
                entity.qualified_name,
                fingerprint.content,
                entity.start_line,
                entity.end_line,
            )
            for ordinal, (entity, fingerprint, named) in enumerate(
                zip(outline.entities, outline.fingerprints, names, strict=True)
            )
        ]

    def _edge_rows(self, version: int, file: NewFile) -> list[tuple[Value, ...]]:
        return [
            (version, ordinal, edge.edge, edge.name, edge.receiver, edge.alias, edge.entity, edge.line)
            for ordinal, edge in enumerate(file.outline.references)
        ]
