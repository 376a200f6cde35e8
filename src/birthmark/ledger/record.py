"""Write the identities that were assigned into the ledger, and what snapshots show of their files.

Takes old and new files with their Assignments; gives the versions of the new files and counts the changes.
`_find_ledger_derivations` gives the derivations of a run between identities. What has a known content, or is back after
it was deleted, derives from nothing: that was recorded before. A merge records the sources of what it introduces
itself; the commits that led to its parents recorded the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from birthmark.comparison.changes import name_change
from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations, may_derive
from birthmark.comparison.match_candidates import FamilyOf, all_entities
from birthmark.comparison.pair_commit import CommitPairing, Predecessor
from birthmark.extraction.codec import ShownOutline, show_outline
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.extraction.placement import entity_path
from birthmark.graph.names.containment import find_outer
from birthmark.identity.keys import place_of
from birthmark.ledger.assign_identities import KNOWN_FILE, NO_IDENTITY, Assignment, Assignments
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer, KeyRequest
from birthmark.store.model import (
    Event,
    Identity,
    LedgerDerivation,
    LedgerEntries,
    Version,
    VersionContent,
)
from birthmark.store.port import Store
from birthmark.vocabulary import Change, Confidence, Evidence


class Recorder:
    """Collects the events of a run and counts its changes."""

    is_merge = False
    living: Collection[int] = ()  # identities that never went away, though nothing shows where they were
    records_moves = True  # to other lines

    known_derivations: Sequence[CommitDerivation] | None = None  # found beforehand, by the code alone

    def __init__(self, store: Store, run: int, issuer: KeyIssuer, family_of: FamilyOf) -> None:
        self.store, self.run, self.issuer, self.family_of = store, run, issuer, family_of
        self.changes: dict[str, int] = {}
        self.events: list[Event] = []
        self.derivations: list[LedgerDerivation] = []

    def record(
        self,
        old: Sequence[OutlinedFile],
        old_identities: Sequence[Sequence[int]],
        new: Sequence[OutlinedFile],
        extractions: Sequence[int],
        assigned: Assignments,
    ) -> list[Version]:
        """Returns the versions of the new files."""
        issued = self._issue(new, assigned)
        for file, assignments, keys in zip(new, assigned.by_file, issued, strict=True):
            self._add_events(old, file, assignments, keys)
        for f, e in assigned.deleted:
            self.add_event(OutlinedEntity(old[f], e), old_identities[f][e], Change.DELETED, None, None)
        before = IdentifiedFiles(old, old_identities)
        self.derivations = self._derivations(before, new, issued, assigned)
        versions = self.store.append_ledger(self._entries(new, extractions, issued, assigned, self.derivations))
        contents = zip(versions, new, issued, strict=True)
        self.show(version_content(version, show_outline(file.outline), keys) for version, file, keys in contents)
        return versions

    def show(self, contents: Iterable[VersionContent]) -> None:
        self.store.show_versions(list(contents))

    def _issue(self, new: Sequence[OutlinedFile], assigned: Assignments) -> list[list[IssuedKey]]:
        """The keys of each file's entities."""
        requests = [
            KeyRequest(entity_path(entity, place), assignment.identity)
            for file, assignments in zip(new, assigned.by_file, strict=True)
            for place in (place_of(file.path),)
            for entity, assignment in zip(file.outline.entities, assignments, strict=True)
        ]
        issued = iter(self.issuer.issue(requests))
        return [[next(issued) for _ in assignments] for assignments in assigned.by_file]

    def _add_events(
        self, old: Sequence[OutlinedFile], file: OutlinedFile, assignments: list[Assignment], keys: list[IssuedKey]
    ) -> None:
        for e, (assignment, issued) in enumerate(zip(assignments, keys, strict=True)):
            if not self.records_moves and assignment.old is not None and _is_same(old, assignment.old, file, e):
                continue
            entity = OutlinedEntity(file, e)
            if assignment.old is not None:
                f, before = assignment.old
                change = name_change(OutlinedEntity(old[f], before), entity)
            elif assignment.identity in self.living:
                continue
            elif assignment.identity is not None:
                change = Change.REVIVED
            elif assignment.candidates:
                change = Change.BORN
            else:
                self.changes[Change.BORN] = self.changes.get(Change.BORN, 0) + 1
                continue
            if change != Change.UNCHANGED:
                self.add_event(entity, issued.identity, change, assignment.evidence, assignment.confidence)

    def add_event(
        self, outlined: OutlinedEntity, identity: int, change: str, evidence: str | None, confidence: str | None
    ) -> None:
        entity, path, content = outlined.entity, outlined.file.path, outlined.fingerprint.content
        lines = entity.start_line, entity.end_line
        self.changes[change] = self.changes.get(change, 0) + 1
        self.events.append(
            Event(identity, self.run, change, path, entity.qualified_name, *lines, content, evidence, confidence)
        )

    def _entries(
        self,
        new: Sequence[OutlinedFile],
        extractions: Sequence[int],
        issued: list[list[IssuedKey]],
        assigned: Assignments,
        derivations: list[LedgerDerivation],
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
                for assignments, keys in zip(assigned.by_file, issued, strict=True)
                for assignment, key in zip(assignments, keys, strict=True)
                for candidate in assignment.candidates
            ],
            [
                Version(0, file.path, extraction, self.run, self.identities(f, [key.identity for key, _ in keys]))
                for f, (file, extraction, keys) in enumerate(zip(new, extractions, issued, strict=True))
            ],
            derivations,
        )

    def identities(self, f: int, recorded: Sequence[int]) -> tuple[int, ...]:
        """Of all entities of a new file, by those of the recorded ones, which are all."""
        return tuple(recorded)

    def _derivations(
        self, old: IdentifiedFiles, new: Sequence[OutlinedFile], issued: list[list[IssuedKey]], assigned: Assignments
    ) -> list[LedgerDerivation]:
        after = IdentifiedFiles(new, [[key.identity for key, _ in keys] for keys in issued])
        return _find_ledger_derivations(
            self.run, old, after, assigned, self.family_of, self.known_derivations, is_merge=self.is_merge
        )


def _is_same(old: Sequence[OutlinedFile], ref: EntityRef, file: OutlinedFile, e: int) -> bool:
    """Return whether nothing changed but lines."""
    before, index = old[ref[0]], ref[1]
    return (
        before.outline.fingerprints[index] == file.outline.fingerprints[e]
        and before.path == file.path
        and before.outline.entities[index].name == file.outline.entities[e].name
    )


def version_content(version: Version, shown: ShownOutline, issued: Sequence[IssuedKey]) -> VersionContent:
    """What snapshots show of a file at a version."""
    if not shown.entities:
        return (version.version, [], shown.names)
    _, *shown_columns, bodies = zip(*shown.entities, strict=True)
    _, names, qualified_names, _, starts, ends = shown_columns
    outer = find_outer(names, qualified_names, list(zip(starts, ends, strict=True)))
    identities, numbers = [key.identity for key, _ in issued], [key.key for key, _ in issued]
    rows = zip(identities, numbers, *shown_columns, outer, bodies, strict=True)
    return (version.version, list(rows), shown.names)


class IdentifiedFiles(NamedTuple):
    """Files, and the identities of their entities in their order."""

    files: Sequence[OutlinedFile]
    identities: Sequence[Sequence[int]]

    def identity(self, ref: EntityRef) -> int:
        return self.identities[ref[0]][ref[1]]


def _find_ledger_derivations(
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
