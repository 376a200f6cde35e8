"""Make the snapshot of a worktree from the state in which a replay has ended.

Takes the state of a commit; writes the snapshot that an index run would have left there, so that the next run finds
every entity with its identity, and reports only what was not committed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from birthmark.extraction.codec import show_outline
from birthmark.extraction.kept_texts import keep_texts
from birthmark.extraction.model import Blob, Outline
from birthmark.extraction.placement import entity_path
from birthmark.extraction.state import content_id_of
from birthmark.identity.keys import place_of
from birthmark.ledger.file_scan import IndexTools
from birthmark.ledger.issue_keys import IssuedKey
from birthmark.ledger.record import version_content
from birthmark.ledger.replay_commit import ReplayState
from birthmark.ledger.update import find_base
from birthmark.store.model import ContentKey, LedgerKey, SnapshotFile, Version, VersionContent
from birthmark.store.port import Store

_PORTION = 500  # versions whose outlines are held together
_UNSEEN = -1  # a size and a time that no file has: the next run reads it


class SnapshotTarget(NamedTuple):
    """Which worktree is at which commit, and which of its files an index shows."""

    worktree: str
    branch: str
    commit: str
    is_shown: Callable[[str], bool]
    manifests: Mapping[str, str]  # texts by path


def take_snapshot(store: Store, target: SnapshotTarget, state: ReplayState, tools: IndexTools) -> None:
    """What a snapshot shows must have been extracted in full; a replay extracts entities only."""
    versions = [version for path, version in state.files.items() if target.is_shown(path)]
    with store.writing():
        run = store.begin_run(target.worktree, target.branch or None, target.commit, tools.now())
        base = find_base(store, target.worktree)
        shown = store.shown_versions()
        snapshot = store.snapshot_for(run, base.extractor if base is not None else tools.setup, None)
        incomplete = store.incomplete_extractions(tools.extractor.version, tools.level)
        files = [file for file in _keep_manifests(store, target) if file.path not in state.files]
        for start in range(0, len(versions), _PORTION):
            files += _show_versions(store, versions[start : start + _PORTION], shown, incomplete, tools)
        gone = {file.path for file in store.each_file(snapshot)} - {file.path for file in files}
        store.change_files(snapshot, files, gone)


def _show_versions(
    store: Store, versions: list[Version], shown: set[int], incomplete: dict[int, ContentKey], tools: IndexTools
) -> list[SnapshotFile]:
    """The files of versions whose outlines are kept; those that no snapshot shows yet are shown."""
    kept = [version for version in versions if tools.extractor.outline(version.extraction) is not None]
    _complete(kept, incomplete, tools)
    outlined = [(version, _outline(version, tools)) for version in kept]
    _show(store, [(version, outline) for version, outline in outlined if version.version not in shown])
    return [_file(version.path, b"", outline.language, version.version) for version, outline in outlined]


def _complete(versions: list[Version], incomplete: dict[int, ContentKey], tools: IndexTools) -> None:
    blobs = [
        Blob(*incomplete[number], tools.extractor.source_of(number), version.path)
        for version in versions
        if (number := version.extraction) in incomplete
    ]
    for _ in tools.extractor.fill_cache(blobs, tools.level):
        pass


def _outline(version: Version, tools: IndexTools) -> Outline:
    outline = tools.extractor.outline(version.extraction)
    assert outline is not None, "what was just extracted is kept"
    return outline


def _keep_manifests(store: Store, target: SnapshotTarget) -> list[SnapshotFile]:
    contents = {path: text.encode() for path, text in target.manifests.items() if target.is_shown(path)}
    ids = {path: content_id_of(content) for path, content in contents.items()}
    keep_texts(store, [(ids[path], content) for path, content in contents.items()])
    return [_file(path, content_id, None, None) for path, content_id in ids.items()]


def _file(path: str, content_id: bytes, language: str | None, version: int | None) -> SnapshotFile:
    return SnapshotFile(path, None, _UNSEEN, _UNSEEN, _UNSEEN, 0, None, content_id, language, version, None)


def _show(store: Store, outlined: list[tuple[Version, Outline]]) -> None:
    """Entities and references of versions that no snapshot has shown yet."""
    found = store.keys_of({identity for version, _ in outlined for identity in version.identities})
    found.sort(key=lambda key: -key.birth)  # The oldest birth counts, where two identities were merged.
    keys = {(key.identity, key.semantic_path): key for key in found}
    store.show_versions([_content(version, outline, keys) for version, outline in outlined])


def _content(version: Version, outline: Outline, keys: dict[tuple[int, str], LedgerKey]) -> VersionContent:
    paths = (entity_path(entity, place_of(version.path)) for entity in outline.entities)
    issued = [IssuedKey(keys[identity, path]) for identity, path in zip(version.identities, paths, strict=True)]
    return version_content(version, show_outline(outline), issued)
