"""Let the snapshot of a worktree stand where a replay has ended.

Takes the state of a commit; writes the snapshot that an index run would have left there, so that the next run finds
every entity as history knows it, and tells only of what was not committed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from birthmark.extraction.model import Blob
from birthmark.extraction.provisional_names import entity_path
from birthmark.identity.keys import place_of
from birthmark.ledger.assign_identities import NewFile
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.issue_keys import IssuedKey
from birthmark.ledger.outline_cache import OutlineCache
from birthmark.ledger.record import version_content
from birthmark.ledger.replay_commit import ReplayState
from birthmark.ledger.update import find_base
from birthmark.store.model import LedgerKey, SnapshotFile, Version, VersionContent
from birthmark.store.port import Store

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
        shelf = OutlineCache(tools.extractor)
        _complete(store, shelf, [held for path, held in state.files.items() if at.is_shown(path)], tools)
        run = store.begin_run(at.worktree, at.branch or None, at.commit, tools.now())
        base = find_base(store, at.worktree)
        shown = store.shown_versions()
        snapshot = store.snapshot_for(run, base.extractor if base is not None else tools.setup, None)
        versions = [
            version for path, version in state.files.items() if at.is_shown(path) and version.extraction in shelf
        ]
        _show(store, shelf, [version for version in versions if version.version not in shown])
        _replace_files(store, snapshot, shelf, versions)


def _complete(store: Store, shelf: OutlineCache, versions: list[Version], tools: IndexTools) -> None:
    incomplete = store.incomplete_extractions(tools.extractor.version, tools.level)
    blobs = [
        Blob(*incomplete[number], tools.extractor.source_of(number), version.path)
        for version in versions
        if (number := version.extraction) in incomplete and number in shelf
    ]
    for _ in tools.extractor.fill_cache(blobs, tools.level):
        pass


def _replace_files(store: Store, snapshot: int, shelf: OutlineCache, versions: list[Version]) -> None:
    gone = store.files(snapshot).keys() - {version.path for version in versions}
    store.change_files(snapshot, [_file(version, shelf) for version in versions], gone)


def _file(version: Version, shelf: OutlineCache) -> SnapshotFile:
    language = shelf.outline(version.extraction).language
    return SnapshotFile(version.path, None, _UNSEEN, _UNSEEN, _UNSEEN, 0, None, b"", language, version.version, None)


def _show(store: Store, shelf: OutlineCache, versions: list[Version]) -> None:
    """Entities and references of versions that no snapshot has shown yet."""
    found = store.keys_of({identity for version in versions for identity in version.identities})
    keys = {(key.identity, key.semantic_path): key for key in found}
    store.show_versions([_content(version, shelf, keys) for version in versions])


def _content(version: Version, shelf: OutlineCache, keys: dict[tuple[int, str], LedgerKey]) -> VersionContent:
    file = NewFile(version.path, shelf.outline(version.extraction), shelf.source_of(version.extraction))
    paths = (entity_path(entity, place_of(version.path)) for entity in file.outline.entities)
    issued = [IssuedKey(keys[identity, path]) for identity, path in zip(version.identities, paths, strict=True)]
    return version_content(version, file, issued)
