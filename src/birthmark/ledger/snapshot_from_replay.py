"""Let the snapshot of a worktree stand where a replay has ended.

Takes the state of a commit; writes the snapshot that an index run would have left there, so that the next run finds
every entity as history knows it, and tells only of what was not committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import msgspec

from birthmark.extraction.provisional_names import entity_path
from birthmark.identity.keys import place_of
from birthmark.ledger.assign_identities import NewFile
from birthmark.ledger.file_scan import ExtractionTask, IndexTools
from birthmark.ledger.issue_keys import IssuedKey, KeyIssuer
from birthmark.ledger.outline_cache import OutlineCache
from birthmark.ledger.record import Recorder
from birthmark.ledger.replay_commit import ReplayState
from birthmark.ledger.update import find_base
from birthmark.model import Problem
from birthmark.store.port import FileRow, KeyRow, Store, Version

_UNSEEN = -1  # a size and a time that no file has: the next run will look at it


class Arrival(NamedTuple):
    """Which worktree stands at which commit, and which of its files an index shows."""

    worktree: str
    branch: str
    commit: str
    is_shown: Callable[[str], bool]


def arrive(store: Store, at: Arrival, state: ReplayState, tools: IndexTools) -> None:
    """What a snapshot shows must have been extracted in full; history was only sketched."""
    with store.writing():
        _complete(store, [held for path, held in state.files.items() if at.is_shown(path)], tools)
        run = store.last("runs") + 1
        store.insert("runs", [(run, at.worktree, at.branch or None, at.commit, tools.now())])
        base = find_base(store, at.worktree)
        extractor = base.extractor if base is not None else tools.setup
        held = _held_versions(store)
        snapshot = store.use_snapshot(at.worktree, at.branch, run, extractor, None)
        shelf = OutlineCache(store)
        versions = [
            version for path, version in state.files.items() if at.is_shown(path) and version.extraction in shelf
        ]
        _show(store, shelf, run, [version for version in versions if version.version not in held])
        _replace_files(store, snapshot, shelf, versions)


def _complete(store: Store, versions: list[Version], tools: IndexTools) -> None:
    sketches = store.sketches({version.extraction for version in versions})
    source_of = OutlineCache(store).source_of
    tasks = {
        version.extraction: ExtractionTask(*sketches[version.extraction], source_of(version.extraction)(), version.path)
        for version in versions
        if version.extraction in sketches
    }
    for task, result in tools.extract(tasks.values()):
        if not isinstance(result, Problem):
            row = (task.content_id, task.language, tools.extractor, *msgspec.structs.astuple(result))
            store.keep_extractions([row])


def _held_versions(store: Store) -> set[int | None]:
    return {row.version for shown in store.snapshots() for row in store.files(shown.snapshot).values()}


def _replace_files(store: Store, snapshot: int, shelf: OutlineCache, versions: list[Version]) -> None:
    before = store.files(snapshot)
    path_ids = shelf.path_ids([version.path for version in versions])
    store.drop_files(snapshot, [row.path_id for row in before.values()])
    store.put_files(_file_row(snapshot, path_ids[v.path], v, shelf) for v in versions)
    store.drop_idle_versions([row.version for row in before.values() if row.version is not None])


def _file_row(snapshot: int, path_id: int, version: Version, shelf: OutlineCache) -> FileRow:
    language = shelf.outline(version.extraction).language
    return FileRow(snapshot, path_id, None, _UNSEEN, _UNSEEN, _UNSEEN, 0, None, b"", language, version.version, None)


def _show(store: Store, shelf: OutlineCache, run: int, versions: list[Version]) -> None:
    """Entities and references of versions that no snapshot has shown yet."""
    recorder = Recorder(store, run, {}, KeyIssuer(store, 0))
    for version in versions:
        file = NewFile(version.path, shelf.outline(version.extraction), shelf.source_of(version.extraction))
        keys = _keys(store.keys("identity", set(version.identities)))
        paths = (entity_path(entity, place_of(version.path)) for entity in file.outline.entities)
        names = [
            IssuedKey(identity, keys[identity, path], None)
            for identity, path in zip(version.identities, paths, strict=True)
        ]
        recorder.present([file], [version.version], [names])


def _keys(rows: Iterable[KeyRow]) -> dict[tuple[int, str], int]:
    return {(row.identity, row.semantic_path): row.key for row in rows}
