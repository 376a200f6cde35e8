"""Bring the index up to date with a tree of files.

Takes a store, the state of a worktree and IndexTools; gives a Summary. First every file that may have changed is read
and, unless its extraction is in the cache, extracted; then, in one transaction, identities are assigned and the
snapshot takes the new state. Killed before that transaction ends, the index is as it was, and no extraction is lost.
A first index, for which nothing is to be compared, is made in portions (`first_index.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from birthmark.comparison.pair_commit import pair_commit
from birthmark.extraction.codec import FORMAT
from birthmark.extraction.kept_texts import keep_texts
from birthmark.extraction.model import Blob, Outline, OutlinedFile
from birthmark.extraction.state import content_id_of
from birthmark.ledger.assign_identities import NO_IDENTITY, KnownIdentities, assign_identities
from birthmark.ledger.file_scan import (
    IndexTools,
    ScannedFile,
    UpdateTarget,
    WorktreeFiles,
    extract_missing,
    find_differences,
    snapshot_row,
)
from birthmark.ledger.first_index import make_first_index
from birthmark.ledger.gc_pause import collection_paused
from birthmark.ledger.issue_keys import KeyIssuer
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.matching.pairing_state import ContentIds
from birthmark.model import Level, Problem
from birthmark.store.model import Snapshot, SnapshotFile, Version
from birthmark.store.port import Store
from birthmark.vocabulary import Change


class Summary(NamedTuple):
    """What an update did."""

    n_files: int
    n_read: int
    n_extracted: int
    changes: dict[str, int]
    problems: list[Problem]


@collection_paused()
def update_index(store: Store, state: WorktreeFiles, target: UpdateTarget, tools: IndexTools) -> Summary:
    started = time.time_ns()
    adopt_format(store)
    base = find_base(store, target.worktree)
    is_sure = base is not None and base.worktree == target.worktree and base.extractor == tools.setup
    changed, rows = find_differences(state, _rows(store, base, target.scope), is_sure=is_sure)
    scanned = [ScannedFile(found) for found in changed]
    if base is None and not store.has_identities():
        n_extracted, changes = make_first_index(store, state, target, tools, scanned, started)
        return Summary(len(state.found), len(scanned), n_extracted, changes, _problems(target, scanned, {}))
    n_extracted = extract_missing(state, scanned, tools)
    keep_texts(store, [(file.content_id, file.manifest) for file in scanned if file.manifest is not None])
    tools.extractor.close()  # The workers' memory is not needed beside the outlines that are now loaded.
    return _Update(store, state, target, tools, base, rows, scanned, started).write(n_extracted)


def adopt_format(store: Store) -> None:
    """What another version of this program has packed is extracted again; the ledger and the sources stay."""
    if store.meta("format") != FORMAT:
        store.forget_outlines()
        store.set_meta("format", FORMAT)


def find_base(store: Store, worktree: str) -> Snapshot | None:
    """What the worktree held last; a new worktree starts from what another one held."""
    snapshots = store.snapshots()
    return next((found for found in snapshots if found.worktree == worktree), snapshots[0] if snapshots else None)


def _rows(store: Store, base: Snapshot | None, scope: frozenset[str] | None) -> Iterable[SnapshotFile]:
    if base is None:
        return ()
    return store.each_file(base.snapshot) if scope is None else store.files(base.snapshot, scope).values()


class _Update:
    """The transaction: from the scanned files to the new snapshot."""

    def __init__(
        self,
        store: Store,
        state: WorktreeFiles,
        target: UpdateTarget,
        tools: IndexTools,
        base: Snapshot | None,
        rows: dict[str, SnapshotFile],
        scanned: list[ScannedFile],
        started: int,
    ) -> None:
        self.store, self.target, self.tools, self.base, self.rows = store, target, tools, base, rows
        self.n_files = len(state.found)
        self.scanned, self.started = scanned, started
        wanted = {key for file in scanned if (key := file.key) is not None}
        self.extractions = tools.extractor.numbers(wanted, Level.OUTLINE)
        self.gone = [path for path in rows if path not in state.found]
        touched = [rows[file.found.path].version for file in scanned if file.found.path in rows]
        numbers = {number for number in (*touched, *(rows[path].version for path in self.gone)) if number is not None}
        self.old_versions = store.versions(numbers)

    def write(self, n_extracted: int) -> Summary:
        changed = [file for file in self.scanned if self._is_changed(file)]
        n_scanned = len(self.scanned)
        if not self.scanned and not self.gone and self.base and not self._is_elsewhere():
            return Summary(self.n_files, 0, 0, {}, self.problems())
        with self.store.writing():
            changes = self._assign(changed)
        return Summary(self.n_files, n_scanned, n_extracted, changes, self.problems())

    def _is_elsewhere(self) -> bool:
        """Nothing changed but the branch or the revision."""
        base = self.base
        assert base is not None
        return (base.worktree, base.branch, base.revision, base.extractor) != (
            self.target.worktree,
            self.target.branch,
            self.target.revision,
            self.tools.setup,
        )

    def _extraction_of(self, file: ScannedFile) -> int | None:
        key = file.key
        return None if key is None else self.extractions.get(key)

    def _is_changed(self, file: ScannedFile) -> bool:
        """Whether the entities at a path need identities; a file that could not be read keeps its last state."""
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
        old_files, old_identities = self._old_files(olds)
        new_files = [self._new_file(file.found.path, extraction) for file, extraction in news]
        earlier = [versions_before.get((file.found.path, extraction)) for file, extraction in news]
        inherited = [versions[0].identities if versions else () for versions in earlier]
        identities = KnownIdentities(old_identities, inherited, [()] * len(news))

        family_of = self.tools.family_of
        revivals = LedgerRevivalSource(store, snapshot, {version.version for version in olds})
        old_ids: ContentIds = {version.path: str(version.extraction) for version in olds}
        new_ids: ContentIds = {file.found.path: str(extraction) for file, extraction in news}
        pair = partial(pair_commit, old_files, new_files, family_of, ids=(old_ids, new_ids))
        assigned = assign_identities(pair, old_files, new_files, identities, revivals, family_of, restores=True)
        recorder = Recorder(store, run.run, KeyIssuer(store, self.tools.now()), family_of)
        extractions = [extraction for _, extraction in news]
        versions = recorder.record(old_files, old_identities, new_files, extractions, assigned)

        new_versions = {version.path: version.version for version in versions}
        store.change_files(snapshot, [self._file(file, new_versions) for file in self.scanned], self.gone)
        n_changed = sum(len(file.outline.entities) for file in new_files)
        recorder.changes[Change.UNCHANGED] = (
            n_changed - sum(recorder.changes.values()) + recorder.changes.get("deleted", 0)
        )
        return recorder.changes

    def _old_files(self, versions: list[Version]) -> tuple[list[OutlinedFile], list[Sequence[int]]]:
        """With their identities. Those whose outlines are of another format are extracted again from their sources."""
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
        return [file for file, _ in files], [identities for _, identities in files]

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
        """Which identity an entity has follows from its name and line, and from its order among namesakes there."""
        assert self.base is not None
        identities: dict[tuple[str, str, int], list[int]] = {}
        for row in reversed(self.store.entities_in(self.base.snapshot, [path])):
            identities.setdefault((row.kind, row.qualified_name, row.start_line), []).append(row.identity)
        named = (identities.get((e.kind, e.qualified_name, e.start_line)) for e in outline.entities)
        return [found.pop() if found else NO_IDENTITY for found in named]

    def _new_file(self, path: str, extraction: int) -> OutlinedFile:
        file = self.tools.extractor.file(path, extraction)
        assert file is not None, "what was just extracted is kept"
        return file

    def _file(self, file: ScannedFile, new_versions: dict[str, int]) -> SnapshotFile:
        found, old = file.found, self.rows.get(file.found.path)
        kept = old.version if old is not None and (file.problem or not self._is_changed(file)) else None
        return snapshot_row(file, old, new_versions.get(found.path, kept), self.started)

    def problems(self) -> list[Problem]:
        kept = {path: row.problem for path, row in self.rows.items() if row.problem and path not in self.gone}
        return _problems(self.target, self.scanned, kept)


def _problems(target: UpdateTarget, scanned: Sequence[ScannedFile], kept: Mapping[str, str | None]) -> list[Problem]:
    """Those of files that could not be listed, then those of files as they were found or, if they were not, kept."""
    found = {**kept, **{file.found.path: file.problem for file in scanned}}
    return [*target.problems, *(Problem(path, text) for path, text in sorted(found.items()) if text)]
