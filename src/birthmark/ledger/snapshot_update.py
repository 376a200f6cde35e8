"""Write the changes of a worktree into its snapshot: identities of entities, and events.

Takes the files that were scanned and extracted, and their rows in the snapshot; all in one transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.model import Blob, Outline, OutlinedFile
from birthmark.extraction.state import content_id_of
from birthmark.ledger.assign_identities import NO_IDENTITY, Assignments, IdentifiedFiles, assign_identities
from birthmark.ledger.file_scan import IndexTools, ScannedFile, UpdateTarget, snapshot_row
from birthmark.ledger.issue_keys import KeyIssuer
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.matching.pairing_state import ContentIds
from birthmark.model import Level
from birthmark.store.model import Snapshot, SnapshotFile, Version
from birthmark.store.port import Store
from birthmark.vocabulary import Change


class SnapshotUpdate:
    """The transaction: from the scanned files to the new snapshot."""

    def __init__(
        self,
        store: Store,
        target: UpdateTarget,
        tools: IndexTools,
        base: Snapshot | None,
        rows: Mapping[str, SnapshotFile],
        scanned: Sequence[ScannedFile],
        gone: Sequence[str],
        started: int,
    ) -> None:
        self.store, self.target, self.tools, self.base, self.rows = store, target, tools, base, rows
        self.scanned, self.gone, self.started = scanned, gone, started
        wanted = {key for file in scanned if (key := file.key) is not None}
        self.extractions = tools.extractor.numbers(wanted, Level.OUTLINE)
        touched = [rows[file.found.path].version for file in scanned if file.found.path in rows]
        numbers = {number for number in (*touched, *(rows[path].version for path in gone)) if number is not None}
        self.old_versions = store.versions(numbers)

    def write(self) -> dict[str, int]:
        """Write the changes and return the number of entities by change."""
        changed = [file for file in self.scanned if self._is_changed(file)]
        with self.store.writing():
            changes = self._assign(changed)
            self.tools.finish()
            return changes

    def _extraction_of(self, file: ScannedFile) -> int | None:
        key = file.key
        return None if key is None else self.extractions.get(key)

    def _is_changed(self, file: ScannedFile) -> bool:
        """Return True if a path needs new identities; a file that could not be read keeps its last state."""
        if file.problem:
            return False
        old = self._old_version(file.found.path)
        return (old.extraction if old else None) != self._extraction_of(file)

    def _old_version(self, path: str) -> Version | None:
        row = self.rows.get(path)
        return self.old_versions.get(row.version) if row is not None and row.version is not None else None

    def _assign(self, changed: list[ScannedFile]) -> dict[str, int]:
        store = self.store
        run = store.begin_run(self.target.worktree, self.target.branch or None, self.target.revision, self.tools.now())
        base = self.base.snapshot if self.base else None
        snapshot = store.snapshot_for(run, self.tools.setup, base)
        old_paths = [*(file.found.path for file in changed), *self.gone]
        olds = [version for version in map(self._old_version, old_paths) if version is not None]
        news = [(file, extraction) for file in changed if (extraction := self._extraction_of(file)) is not None]
        versions_before = store.versions_at([(file.found.path, extraction) for file, extraction in news])
        before = self._old_files(olds)
        new_files = [self.tools.extractor.kept_file(file.found.path, extraction) for file, extraction in news]
        earlier = [versions_before.get((file.found.path, extraction)) for file, extraction in news]
        inherited = [versions[0].identities if versions else () for versions in earlier]

        family_of = self.tools.family_of
        revivals = LedgerRevivalSource(store, snapshot, {version.version for version in olds})
        old_ids: ContentIds = {version.path: str(version.extraction) for version in olds}
        new_ids: ContentIds = {file.found.path: str(extraction) for file, extraction in news}
        pair = partial(pair_commit, before.files, new_files, family_of, ids=(old_ids, new_ids))
        assigned = assign_identities(pair, before, new_files, revivals, family_of, inherited=inherited, restores=True)
        recorder = Recorder(store, run.run, KeyIssuer(store, self.tools.now()), family_of)
        if self.base is None:
            recorder.living = self._living(assigned)
        extractions = [extraction for _, extraction in news]
        versions = recorder.record(before, new_files, extractions, assigned)

        new_versions = {version.path: version.version for version in versions}
        store.change_files(snapshot, [self._file(file, new_versions) for file in self.scanned], self.gone)
        n_changed = sum(len(file.outline.entities) for file in new_files)
        recorder.changes[Change.UNCHANGED] = (
            n_changed - sum(recorder.changes.values()) + recorder.changes.get("deleted", 0)
        )
        return recorder.changes

    def _living(self, assigned: Assignments) -> set[int]:
        """Return identities that were not deleted: the ledger was restored without a snapshot."""
        found = {one.identity for file in assigned.by_file for one in file if one.identity is not None}
        last = {event.identity: event.change for event in self.store.events_of(found)}
        return {identity for identity in found if last.get(identity) != Change.DELETED}

    def _old_files(self, versions: list[Version]) -> IdentifiedFiles:
        """Return files with their identities; outlines of another format are extracted again from their sources."""
        extractor = self.tools.extractor
        kept = {version.version: extractor.file(version.path, version.extraction) for version in versions}
        lost = self._extract_again([version for version in versions if kept[version.version] is None])
        files: list[tuple[OutlinedFile, Sequence[int]]] = []
        for version in versions:
            if (file := kept[version.version]) is not None:
                files.append((file, version.identities))
            elif (outline := lost.get(version.version)) is not None:
                file = OutlinedFile(version.path, outline, extractor.source_of(version.extraction))
                files.append((file, self._identities_by_name(version.path, outline)))
        return IdentifiedFiles([file for file, _ in files], [identities for _, identities in files])

    def _extract_again(self, versions: list[Version]) -> dict[int, Outline]:
        languages = {row.version: row.language for row in self.rows.values()}
        blobs = {}
        for version in versions:
            language, load = languages.get(version.version), self.tools.extractor.source_of(version.extraction)
            if language is not None:
                blobs[version.version] = Blob(content_id_of(load()), language, load, version.path)
        outlines = {blob.key: outline for blob, outline in self.tools.extractor.outlines(set(blobs.values()))}
        found = {number: outlines[blob.key] for number, blob in blobs.items()}
        return {number: outline for number, outline in found.items() if isinstance(outline, Outline)}

    def _identities_by_name(self, path: str, outline: Outline) -> list[int]:
        """Return identities by name and line, and by order among namesakes there."""
        assert self.base is not None
        identities: dict[tuple[str, str, int], list[int]] = {}
        for row in reversed(self.store.entities_in(self.base.snapshot, [path])):
            identities.setdefault((row.kind, row.qualified_name, row.start_line), []).append(row.identity)
        named = (identities.get((e.kind, e.qualified_name, e.start_line)) for e in outline.entities)
        return [found.pop() if found else NO_IDENTITY for found in named]

    def _file(self, file: ScannedFile, new_versions: dict[str, int]) -> SnapshotFile:
        found, old = file.found, self.rows.get(file.found.path)
        kept = old.version if old is not None and (file.problem or not self._is_changed(file)) else None
        return snapshot_row(file, old, new_versions.get(found.path, kept), self.started)
