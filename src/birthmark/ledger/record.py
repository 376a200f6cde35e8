"""Write assigned identities into the ledger, and what snapshots show of their files.

Takes old and new files with their Assignments; gives the versions of the new files and counts the changes. A file with
known content, or an entity that is back after it was deleted, derives from nothing: that was recorded before. A merge
records only the sources of what it introduces itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from birthmark.comparison.changes import name_change
from birthmark.comparison.derivations import CommitDerivation, find_commit_derivations, may_derive
from birthmark.comparison.match_candidates import FamilyOf, all_entities
from birthmark.comparison.pair_commit import CommitPairing, Predecessor
from birthmark.extraction.codec import ShownOutline, show_outline
from birthmark.extraction.model import EntityRef, OutlinedEntity, OutlinedFile
from birthmark.extraction.placement import entity_path
from birthmark.identity.keys import place_of
from birthmark.ledger.assign_identities import KNOWN_FILE, NO_IDENTITY, Assignment, Assignments, IdentifiedFiles
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer
from birthmark.store.model import Event, Identity, LedgerDerivation, LedgerEntries, Version, VersionContent
from birthmark.store.port import Store
from birthmark.vocabulary import Change, Confidence, Evidence

MergedChange = Callable[[OutlinedEntity, int, str], str | None]
IdentitiesOf = Callable[[int, Sequence[int]], tuple[int, ...]]


class Recorder:
    """Collects the events of a run and counts its changes."""

    living: Collection[int] = ()  # identities that never went away, though nothing shows where they were

    def __init__(
        self,
        store: Store,
        run: int,
        issuer: KeyIssuer,
        family_of: FamilyOf,
        *,
        is_commit: bool = False,
        merged_change: MergedChange | None = None,
        identities_of: IdentitiesOf | None = None,
        known_derivations: Sequence[CommitDerivation] | None = None,
    ) -> None:
        """Snapshots do not show replayed commits, and shifts of lines, which would be most events, are left out.

        `merged_change` says what a merge changed itself; None leaves the event out. `identities_of` gives those of all
        entities of a new file from those that were recorded. `known_derivations` were found by the code alone.
        """
        self.store, self.run, self.issuer, self.family_of = store, run, issuer, family_of
        self.is_commit, self.merged_change = is_commit, merged_change
        self.identities_of = identities_of or (lambda _, recorded: tuple(recorded))
        self.known_derivations = known_derivations
        self.changes: dict[str, int] = {}
        self.events: list[Event] = []
        self.derivations: list[LedgerDerivation] = []

    def record(
        self, old: IdentifiedFiles, new: Sequence[OutlinedFile], extractions: Sequence[int], assigned: Assignments
    ) -> list[Version]:
        """Write what happened to the ledger and return the versions of the new files."""
        issued = self._issue(new, assigned)
        for file, assignments, keys in zip(new, assigned.by_file, issued, strict=True):
            self._add_events(old.files, file, assignments, keys)
        for f, e in assigned.deleted:
            self._add_event(OutlinedEntity(old.files[f], e), old.identities[f][e], Change.DELETED)
        after = IdentifiedFiles(new, [[key.identity for key, _ in keys] for keys in issued])
        self.derivations = self._find_derivations(old, after, assigned)
        versions = self.store.append_ledger(self._entries(new, extractions, issued, assigned, self.derivations))
        if not self.is_commit:
            contents = zip(versions, new, issued, strict=True)
            shown = [version_content(version, show_outline(file.outline), keys) for version, file, keys in contents]
            self.store.show_versions(shown)
        return versions

    def _issue(self, new: Sequence[OutlinedFile], assigned: Assignments) -> list[list[IssuedKey]]:
        """Return the keys of each file's entities."""
        requests = [
            (entity_path(entity, place), assignment.identity)
            for file, assignments in zip(new, assigned.by_file, strict=True)
            for place in (place_of(file.path),)
            for entity, assignment in zip(file.outline.entities, assignments, strict=True)
        ]
        issued = iter(self.issuer.issue(requests))
        return [[next(issued) for _ in assignments] for assignments in assigned.by_file]

    def _add_events(
        self, old: Sequence[OutlinedFile], file: OutlinedFile, assignments: list[Assignment], keys: list[IssuedKey]
    ) -> None:
        for e, (assignment, (key, _)) in enumerate(zip(assignments, keys, strict=True)):
            if self.is_commit and assignment.old is not None and _is_same(old, assignment.old, file, e):
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
                self._add_event(entity, key.identity, change, assignment.evidence, assignment.confidence)

    def _add_event(
        self,
        outlined: OutlinedEntity,
        identity: int,
        change: str,
        evidence: str | None = None,
        confidence: str | None = None,
    ) -> None:
        if self.is_commit and change == Change.MOVED:
            return
        own = change if self.merged_change is None else self.merged_change(outlined, identity, change)
        if own is None:
            return
        entity, path, content = outlined.entity, outlined.file.path, outlined.fingerprint.content
        lines = entity.start_line, entity.end_line
        self.changes[own] = self.changes.get(own, 0) + 1
        self.events.append(
            Event(identity, self.run, own, path, entity.qualified_name, *lines, content, evidence, confidence)
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
                for assignment, (key, _) in zip(assignments, keys, strict=True)
                for candidate in assignment.candidates
            ],
            [
                Version(0, file.path, extraction, self.run, self.identities_of(f, [key.identity for key, _ in keys]))
                for f, (file, extraction, keys) in enumerate(zip(new, extractions, issued, strict=True))
            ],
            derivations,
        )

    def _find_derivations(
        self, old: IdentifiedFiles, new: IdentifiedFiles, assigned: Assignments
    ) -> list[LedgerDerivation]:
        """Return the derivations between identities.

        What was found beforehand counts where all entities have the identities of their predecessors.
        """
        is_merge = self.merged_change is not None
        derivable = {
            ref for ref in all_entities(new.files) if _is_derivable(assigned.by_file[ref[0]][ref[1]], is_merge=is_merge)
        }
        if not old.files or not derivable:
            return []
        pairing, known = _pairing(assigned), self.known_derivations
        if known is None:
            known = find_commit_derivations(old.files, new.files, pairing, self.family_of)
        elif not may_derive(old.files, new.files, pairing):
            return []
        return [
            LedgerDerivation(old.identity(one.source), new.identity(one.derivative), self.run, *one[2:])
            for one in known
            if one.derivative in derivable
            and old.identity(one.source) not in (NO_IDENTITY, new.identity(one.derivative))
        ]


def _is_same(old: Sequence[OutlinedFile], ref: EntityRef, file: OutlinedFile, e: int) -> bool:
    """Return True if nothing changed but lines."""
    before, index = old[ref[0]], ref[1]
    return (
        before.outline.fingerprints[index] == file.outline.fingerprints[e]
        and before.path == file.path
        and before.outline.entities[index].name == file.outline.entities[e].name
    )


def version_content(version: Version, shown: ShownOutline, issued: Sequence[IssuedKey]) -> VersionContent:
    """Return the rows that snapshots show of a file at a version."""
    if not shown.entities:
        return (version.version, [], shown.names)
    _, *shown_columns, bodies = zip(*shown.entities, strict=True)
    identities, numbers = [key.identity for key, _ in issued], [key.key for key, _ in issued]
    rows = zip(identities, numbers, *shown_columns, bodies, strict=True)
    return (version.version, list(rows), shown.names)


def _is_derivable(assignment: Assignment, *, is_merge: bool) -> bool:
    is_born = assignment.identity is None
    return is_born or (not is_merge and assignment.old is not None and assignment.evidence != KNOWN_FILE)


def _pairing(assigned: Assignments) -> CommitPairing:
    """Return the pairing by identities, which may differ from that of the code alone."""
    assignments = {(f, e): one for f, file in enumerate(assigned.by_file) for e, one in enumerate(file)}
    same = str(Evidence.SAME_IDENTITY), str(Confidence.HIGH)
    predecessors = {ref: Predecessor(one.old, *same) for ref, one in assignments.items() if one.old is not None}
    born = tuple(ref for ref, one in assignments.items() if one.identity is None)
    return CommitPairing(predecessors, tuple(assigned.deleted), born, {}, {})
