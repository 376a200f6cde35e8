"""Bring the index up to date with a tree of files.

Takes a store, a WorktreeFiles and IndexTools; gives a Summary. First every file that may have changed is read and,
unless its extraction is in the cache, extracted; then, in one transaction, it is settled who is who and the snapshot
takes the new state. Killed before that transaction ends, the index is as it was, and what was extracted is not lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from birthmark.extraction.outline import FORMAT, Outline, unpack_outline
from birthmark.ledger.assign_identities import NO_IDENTITY, NewFile, OldFile, assign_identities
from birthmark.ledger.file_scan import (
    ExtractionTask,
    IndexTools,
    ScannedFile,
    content_id_of,
    extract_missing,
    is_as_known,
    is_racy,
)
from birthmark.ledger.gc_pause import collection_paused
from birthmark.ledger.issue_keys import KeyIssuer
from birthmark.ledger.outline_cache import source_reader
from birthmark.ledger.record import Recorder
from birthmark.ledger.revival import LedgerRevivalSource
from birthmark.model import Problem
from birthmark.sources.discover import FoundFile
from birthmark.store.model import Snapshot, SnapshotFile, Version
from birthmark.store.port import Store
from birthmark.vocabulary import Change


class WorktreeFiles(NamedTuple):
    """What there is to be indexed."""

    worktree: str
    branch: str
    revision: str | None
    files: list[FoundFile]
    problems: list[Problem]
    scope: frozenset[str] | None = None  # the paths that were looked at; None: all


class Summary(NamedTuple):
    """What an update did."""

    n_files: int
    n_read: int
    n_extracted: int
    changes: dict[str, int]
    problems: list[Problem]


@collection_paused()
def update_index(store: Store, tree: WorktreeFiles, tools: IndexTools) -> Summary:
    started = time.time_ns()
    adopt_format(store)
    base = find_base(store, tree.worktree)
    known = store.files(base.snapshot, tree.scope) if base else {}
    is_sure = base is not None and base.worktree == tree.worktree and base.extractor == tools.setup
    looks = [ScannedFile(found) for found in tree.files if not (is_sure and is_as_known(found, known.get(found.path)))]
    n_extracted = extract_missing(store, looks, tools)
    return _Update(store, tree, tools, base, known, looks, started).write(n_extracted)


def adopt_format(store: Store) -> None:
    """What another version of this program has packed is extracted again; the ledger and the sources stay."""
    if store.meta("format") != FORMAT:
        store.forget_outlines()
        store.set_meta("format", FORMAT)


def find_base(store: Store, worktree: str) -> Snapshot | None:
    """What the worktree held last; a new worktree starts from what another one held."""
    snapshots = store.snapshots()
    return next((found for found in snapshots if found.worktree == worktree), snapshots[0] if snapshots else None)


class _Update:
    """The transaction: from what was looked at to the new snapshot."""

    def __init__(
        self,
        store: Store,
        tree: WorktreeFiles,
        tools: IndexTools,
        base: Snapshot | None,
        known: dict[str, SnapshotFile],
        looks: list[ScannedFile],
        started: int,
    ) -> None:
        self.store, self.tree, self.tools, self.base, self.known = store, tree, tools, base, known
        self.looks, self.started = looks, started
        wanted = {(look.content_id, look.language) for look in looks if look.language and not look.problem}
        self.extractions = store.extractions(wanted, tools.extractor) if wanted else {}
        there = {found.path for found in tree.files}
        self.gone = [path for path in known if path not in there]
        touched = [known[look.found.path].version for look in looks if look.found.path in known]
        numbers = {number for number in (*touched, *(known[path].version for path in self.gone)) if number is not None}
        self.old_versions = store.versions(numbers)

    def write(self, n_extracted: int) -> Summary:
        changed = [look for look in self.looks if self._is_changed(look)]
        n_looked = len(self.looks)
        if not self.looks and not self.gone and self.base and not self._is_elsewhere():
            return Summary(len(self.tree.files), 0, 0, {}, self.problems())
        with self.store.writing():
            changes = self._settle(changed)
        return Summary(len(self.tree.files), n_looked, n_extracted, changes, self.problems())

    def _is_elsewhere(self) -> bool:
        """Nothing changed but the branch or the revision."""
        base = self.base
        assert base is not None
        return (base.worktree, base.branch, base.revision, base.extractor) != (
            self.tree.worktree,
            self.tree.branch,
            self.tree.revision,
            self.tools.setup,
        )

    def _extraction_of(self, look: ScannedFile) -> int | None:
        return self.extractions.get((look.content_id, look.language)) if look.language and not look.problem else None

    def _is_changed(self, look: ScannedFile) -> bool:
        """Whether the entities at a path are to be settled anew; a file that could not be read keeps its last state."""
        if look.problem:
            return False
        old = self._old_version(look.found.path)
        return (old.extraction if old else None) != self._extraction_of(look)

    def _old_version(self, path: str) -> Version | None:
        row = self.known.get(path)
        return self.old_versions.get(row.version) if row is not None and row.version is not None else None

    def _settle(self, changed: list[ScannedFile]) -> dict[str, int]:
        store = self.store
        run = store.begin_run(self.tree.worktree, self.tree.branch or None, self.tree.revision, self.tools.now())
        snapshot = store.snapshot_for(run, self.tools.setup, self.base.snapshot if self.base else None)

        old_paths = [*(look.found.path for look in changed), *self.gone]
        olds = [version for version in map(self._old_version, old_paths) if version is not None]
        news = [(look, extraction) for look in changed if (extraction := self._extraction_of(look)) is not None]
        outlines = self._load([version.extraction for version in olds] + [extraction for _, extraction in news])
        forgotten = self._extract_again([version for version in olds if version.extraction not in outlines])
        known_before = store.versions_at([(look.found.path, extraction) for look, extraction in news])
        old_files = [
            forgotten.get(version.version) or self._old_file(version, outlines)
            for version in olds
            if version.version in forgotten or version.extraction in outlines
        ]
        new_files = []
        for look, extraction in news:
            before = known_before.get((look.found.path, extraction))
            new_files.append(
                self._new_file(look.found.path, extraction, outlines, before[0].identities if before else ())
            )

        recall = LedgerRevivalSource(store, snapshot, {version.version for version in olds})
        settlement = assign_identities(old_files, new_files, recall, self.tools.family_of)
        recorder = Recorder(store, run.run, KeyIssuer(store, self.tools.now()))
        versions = recorder.record(old_files, new_files, [extraction for _, extraction in news], settlement)

        new_versions = {version.path: version.version for version in versions}
        store.change_files(snapshot, [self._file(look, new_versions) for look in self.looks], self.gone)
        n_changed = sum(len(file.outline.entities) for file in new_files)
        recorder.changes[Change.UNCHANGED] = (
            n_changed - sum(recorder.changes.values()) + recorder.changes.get("deleted", 0)
        )
        return recorder.changes

    def _load(self, extractions: list[int]) -> dict[int, Outline]:
        return {number: unpack_outline(packed) for number, packed in self.store.outlines(set(extractions))}

    def _old_file(self, version: Version, outlines: dict[int, Outline]) -> OldFile:
        source = self._source_of(version.extraction)
        return OldFile(version.path, outlines[version.extraction], version.identities, source)

    def _extract_again(self, versions: list[Version]) -> dict[int, OldFile]:
        """Old files whose outlines are of another format, from their sources; who is who is told by name and line."""
        languages = {row.version: row.language for row in self.known.values()}
        tasks = {}
        for version in versions:
            language = languages.get(version.version)
            content = self._source_of(version.extraction)()
            if language is not None:
                tasks[content_id_of(content), language] = ExtractionTask(
                    content_id_of(content), language, content, version.path
                )
        outlines = {
            (task.content_id, task.language): unpack_outline(result.outline)
            for task, result in self.tools.extract(tasks.values())
            if not isinstance(result, Problem)
        }
        files = {}
        for version in versions:
            key = (content_id_of(self._source_of(version.extraction)()), languages.get(version.version) or "")
            if key in outlines:
                files[version.version] = self._renamed_file(version, outlines[key])
        return files

    def _renamed_file(self, version: Version, outline: Outline) -> OldFile:
        assert self.base is not None
        rows = self.store.entities_in(self.base.snapshot, [version.path])
        known = {(row.kind, row.qualified_name, row.start_line): row.identity for row in rows}
        identities = [known.get((e.kind, e.qualified_name, e.start_line), NO_IDENTITY) for e in outline.entities]
        return OldFile(version.path, outline, identities, self._source_of(version.extraction))

    def _new_file(self, path: str, extraction: int, outlines: dict[int, Outline], known: tuple[int, ...]) -> NewFile:
        return NewFile(path, outlines[extraction], self._source_of(extraction), known)

    def _source_of(self, extraction: int) -> Callable[[], bytes]:
        return source_reader(self.store, extraction)

    def _file(self, look: ScannedFile, new_versions: dict[str, int]) -> SnapshotFile:
        found, old = look.found, self.known.get(look.found.path)
        kept = old.version if old is not None and (look.problem or not self._is_changed(look)) else None
        version = new_versions.get(found.path, kept)
        return SnapshotFile(
            found.path,
            None if found.os_path == found.path else found.os_path.encode("utf-8", "surrogateescape"),
            found.size,
            -1 if is_racy(found, self.started) else found.mtime_ns,
            found.ctime_ns,
            found.inode,
            found.language,
            look.content_id or (old.content if old is not None else b""),
            look.language,
            version,
            look.problem,
        )

    def problems(self) -> list[Problem]:
        looked = {look.found.path: look.problem for look in self.looks}
        kept = {
            path: row.problem
            for path, row in self.known.items()
            if row.problem and path not in looked and path not in self.gone
        }
        return [
            *self.tree.problems,
            *(Problem(path, text) for path, text in sorted((looked | kept).items()) if text),
        ]
