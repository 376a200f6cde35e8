"""Write the identities that were assigned into the ledger, and what snapshots show of their files.

Takes old and new files with their Assignments; gives the versions of the new files and counts the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from birthmark.comparison.changes import compare_fingerprints, name_change
from birthmark.extraction.provisional_names import entity_path
from birthmark.identity.keys import place_of
from birthmark.ledger.assign_identities import Assignment, Assignments, NewFile, OldFile
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.store.model import (
    Event,
    Identity,
    LedgerEntries,
    NewVersion,
    Version,
    VersionContent,
    VersionEntity,
)
from birthmark.store.port import Store
from birthmark.vocabulary import Change


class Recorder:
    """Collects the events of a run and counts its changes."""

    def __init__(self, store: Store, run: int, issuer: KeyIssuer) -> None:
        self.store, self.run, self.issuer = store, run, issuer
        self.changes: dict[str, int] = {}
        self.events: list[Event] = []

    def record(
        self, old: Sequence[OldFile], new: Sequence[NewFile], extractions: Sequence[int], assigned: Assignments
    ) -> list[Version]:
        """Returns the versions of the new files."""
        issued = self._issue(new, assigned)
        for file, fates, keys in zip(new, assigned.fates, issued, strict=True):
            self._note_all(old, file, fates, keys)
        for f, e in assigned.deleted:
            self.note(old[f], e, old[f].identities[e], Change.DELETED, None, None)
        versions = self.store.append_ledger(self._entries(new, extractions, issued, assigned))
        self.show(version_content(*each) for each in zip(versions, new, issued, strict=True))
        return versions

    def show(self, contents: Iterable[VersionContent]) -> None:
        self.store.show_versions(list(contents))

    def _issue(self, new: Sequence[NewFile], assigned: Assignments) -> list[list[IssuedKey]]:
        """The keys of each file's entities."""
        requests = [
            KeyRequest(entity_path(entity, place), fate.identity)
            for file, fates in zip(new, assigned.fates, strict=True)
            for place in (place_of(file.path),)
            for entity, fate in zip(file.outline.entities, fates, strict=True)
        ]
        issued = iter(self.issuer.issue(requests))
        return [[next(issued) for _ in fates] for fates in assigned.fates]

    def _note_all(self, old: Sequence[OldFile], file: NewFile, fates: list[Assignment], keys: list[IssuedKey]) -> None:
        for e, (fate, issued) in enumerate(zip(fates, keys, strict=True)):
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
                self.note(file, e, issued.identity, change, fate.evidence, fate.confidence)

    def _compare(self, old: OldFile, old_index: int, new: NewFile, new_index: int) -> str:
        aspects = compare_fingerprints(old.outline.fingerprints[old_index], new.outline.fingerprints[new_index])
        old_entity, new_entity = old.outline.entities[old_index], new.outline.entities[new_index]
        return name_change(old.path, old_entity, new.path, new_entity, aspects)

    def note(
        self, file: OldFile | NewFile, e: int, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        """An event."""
        entity, content = file.outline.entities[e], file.outline.fingerprints[e].content
        lines = entity.start_line, entity.end_line
        self.changes[change] = self.changes.get(change, 0) + 1
        self.events.append(
            Event(identity, self.run, change, file.path, entity.qualified_name, *lines, content, evidence, confidence)
        )

    def _entries(
        self,
        new: Sequence[NewFile],
        extractions: Sequence[int],
        issued: list[list[IssuedKey]],
        assigned: Assignments,
    ) -> LedgerEntries:
        return LedgerEntries(
            self.run,
            self.issuer.new_keys,
            [
                Identity(key.identity, mark, key.text, self.run, file.path, entity.start_line, entity.end_line)
                for file, keys in zip(new, issued, strict=True)
                for entity, (key, mark) in zip(file.outline.entities, keys, strict=True)
                if mark is not None
            ],
            self.events,
            [
                (candidate, key.identity)
                for fates, keys in zip(assigned.fates, issued, strict=True)
                for fate, key in zip(fates, keys, strict=True)
                for candidate in fate.candidates
            ],
            [
                NewVersion(file.path, extraction, tuple([key.identity for key in keys]))
                for file, extraction, keys in zip(new, extractions, issued, strict=True)
            ],
        )


def version_content(version: Version, file: NewFile, issued: Iterable[IssuedKey]) -> VersionContent:
    """What snapshots show of a file at a version."""
    outline = file.outline
    entities = [
        VersionEntity(
            key.identity,
            key.key,
            entity.kind,
            entity.name,
            entity.qualified_name,
            fingerprint.content,
            entity.start_line,
            entity.end_line,
        )
        for entity, fingerprint, (key, _) in zip(outline.entities, outline.fingerprints, issued, strict=True)
    ]
    return VersionContent(version.version, entities, outline.references)
