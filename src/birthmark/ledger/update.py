"""Bring the index up to date with a tree of files.

Takes a store, the state of a worktree and IndexTools; gives a Summary. First every file that may have changed is read
and, unless its extraction is in the cache, extracted; then, in one transaction, identities are assigned and the
snapshot takes the new state (`snapshot_update.py`). Killed before that transaction ends, the index is as it was, and no
extraction is lost. A first index, for which nothing is to be compared, is made in portions (`first_index.py`). The
packages that manifests define are kept with the index, so that other repositories find their dependencies.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from birthmark.extraction.codec import FORMAT
from birthmark.extraction.state import is_manifest
from birthmark.graph.manifests.package import Package
from birthmark.ledger.file_scan import (
    FoundFiles,
    IndexTools,
    ScannedFile,
    UpdateTarget,
    extract_missing,
    find_differences,
)
from birthmark.model import Problem
from birthmark.sources.third_party import LeftOut
from birthmark.store.model import Snapshot, SnapshotFile
from birthmark.store.port import Store

REPLAY_STATE, UNFINISHED, COMPLETE = "replay", "unfinished", "complete"  # a setting of the store, and its values
_META = "packages"
_READING = "1"  # raised when the same manifests give other packages
_LONGEST = 300  # characters of a name; registries allow fewer


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause garbage collection: few of the many objects of an update hold cycles."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


def collect_recent() -> None:
    """Free the few cycles made since the last time: a pairing has some, and holds all its files."""
    gc.collect(0)


class Summary(NamedTuple):
    """The result of an update."""

    n_files: int
    n_read: int
    n_extracted: int
    changes: dict[str, int]
    problems: list[Problem]
    left_out: Sequence[LeftOut] = ()


@collection_paused()
def update_index(store: Store, state: FoundFiles, target: UpdateTarget, tools: IndexTools) -> Summary:
    started = time.time_ns()
    adopt_format(store)
    base = find_base(store, target.worktree)
    is_sure = base is not None and base.worktree == target.worktree and base.extractor == tools.setup
    changed, rows = find_differences(state, _rows(store, base, target.scope), is_sure=is_sure)
    scanned = [ScannedFile(found) for found in changed]
    gone = [path for path in rows if path not in state.found]
    kept = {path: row.problem for path, row in rows.items() if row.problem and path in state.found}
    n_extracted, changes = 0, dict[str, int]()
    if any(map(is_manifest, (*(found.path for found in changed), *gone))):
        forget_packages(store)
    if base is None and not store.has_identities():
        from birthmark.ledger.first_index import make_first_index

        n_extracted, changes = make_first_index(store, state, target, tools, scanned, started)
    elif scanned or gone or base is None or _is_elsewhere(base, target, tools):
        from birthmark.extraction.kept_texts import keep_texts
        from birthmark.ledger.snapshot_update import SnapshotUpdate

        n_extracted = extract_missing(state, scanned, tools)
        keep_texts(store, [(file.content_id, file.manifest) for file in scanned if file.manifest is not None])
        tools.extractor.close()  # The workers' memory is not needed beside the outlines that are now loaded.
        changes = SnapshotUpdate(store, target, tools, base, rows, scanned, gone, started).write()
    keep_packages(store, target.worktree)
    return Summary(
        len(state.found), len(scanned), n_extracted, changes, _problems(target, scanned, kept), target.left_out
    )


def _is_elsewhere(base: Snapshot, target: UpdateTarget, tools: IndexTools) -> bool:
    """Return True if a snapshot is of another worktree, branch or revision, or was made otherwise."""
    return (base.worktree, base.branch, base.revision, base.extractor) != (
        target.worktree,
        target.branch,
        target.revision,
        tools.setup,
    )


def adopt_format(store: Store) -> None:
    """Forget outlines that another version of this program packed; the ledger and the sources stay."""
    if store.meta("format") != FORMAT:
        store.forget_outlines()
        store.set_meta("format", FORMAT)


def is_unfinished(store: Store) -> bool:
    """Return True if a replay was begun and has not ended."""
    return store.meta(REPLAY_STATE) == UNFINISHED


def find_base(store: Store, worktree: str) -> Snapshot | None:
    """Return the last snapshot of the worktree; a new worktree starts from that of another one."""
    snapshots = store.snapshots()
    return next((found for found in snapshots if found.worktree == worktree), snapshots[0] if snapshots else None)


def _rows(store: Store, base: Snapshot | None, scope: frozenset[str] | None) -> Iterable[SnapshotFile]:
    if base is None:
        return ()
    return store.each_file(base.snapshot) if scope is None else store.files(base.snapshot, scope).values()


def _problems(target: UpdateTarget, scanned: Sequence[ScannedFile], kept: Mapping[str, str | None]) -> list[Problem]:
    """Return problems of files that could not be listed, then those of scanned files, then kept ones."""
    found = {**kept, **{file.found.path: file.problem for file in scanned}}
    return [*target.problems, *(Problem(path, text) for path, text in sorted(found.items()) if text)]


def forget_packages(store: Store) -> None:
    """Forget packages before manifests change: if the update is interrupted, the next one reads them."""
    store.set_meta(_META, "")


def keep_packages(store: Store, worktree: str) -> None:
    """Store the packages of a worktree, unless nothing they are read from has changed."""
    if store.meta(_META) == _READING:
        return
    from birthmark.extraction.kept_texts import kept_manifests  # which most updates do without
    from birthmark.graph.manifests.readers import packages_of

    snapshot = store.snapshot(worktree)
    manifests = kept_manifests(store, store.files(snapshot.snapshot)) if snapshot is not None else {}
    store.put_packages(_storable(packages_of(manifests)))
    store.set_meta(_META, _READING)


def _storable(packages: Iterable[Package]) -> list[Package]:
    """Return packages without names that no registry has, and that not every database can hold."""
    sound = (one for one in packages if all(map(_is_sound, (one.name, one.folder, one.manifest))))
    return [one._replace(dependencies=tuple(filter(_is_sound, one.dependencies))) for one in sound]


def _is_sound(text: str) -> bool:
    return len(text) <= _LONGEST and "\0" not in text and not any("\ud800" <= one <= "\udfff" for one in text)
