"""The network of a worktree: brought up to date by whatever updates the index, and opened for questions.

A question resolves only what an index lacks: one made without edges or by another version of this program, or a
snapshot of an earlier moment. It writes what it resolved if it can, and holds it in memory otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from threading import Lock, active_count

import msgspec

from birthmark.app.workspace.freshness import Progress, ShowProgress, show_nothing
from birthmark.app.workspace.stores import index_identity, writing
from birthmark.app.workspace.workspace import Workspace
from birthmark.decoding import msgpack_decoder
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import Limits
from birthmark.extraction.pool import Pool, can_fork
from birthmark.graph.network import EdgeList, Network
from birthmark.ledger.update import collection_paused
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.stored_network import (
    ChangedNetwork,
    FileEdges,
    FileResolver,
    Outdated,
    StoredNetwork,
    change_of,
    edges_of,
    find_outdated,
    maker_of,
)
from birthmark.store.model import NetworkChange, Snapshot
from birthmark.store.port import Store

_FEW = 50  # files to resolve, for which definitions are read one by one
_AT_ONCE = 16  # files of a task
_LIMITS = Limits(seconds=600.0, memory_bytes=8 << 30)

_resolving = Lock()
_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(list[FileEdges]).decode
_decode_paths = msgpack_decoder(list[str]).decode


def update_network(store: Store, snapshot: Snapshot, progress: Progress, jobs: int | None = None) -> None:
    """Bring the network of a snapshot up to date, in a transaction."""
    graph = SnapshotGraph(store, snapshot.snapshot)
    outdated = find_outdated(store, snapshot, graph)
    if outdated:
        change = _resolve(graph, outdated, progress, jobs)
        store.change_network(snapshot.worktree, maker_of(snapshot, graph), outdated.generation, change)


def open_network(workspace: Workspace, store: Store, snapshot: Snapshot, show_progress: ShowProgress) -> Network:
    """Return all edges of a snapshot; what is missing is resolved, and written if that is possible."""
    return _open_network(workspace, store, snapshot, show_progress)


def open_other_network(store: Store, snapshot: Snapshot) -> Network:
    """Open the network of another repository without writing; new edges are held in memory."""
    return _open_network(None, store, snapshot, show_nothing)


def _open_network(
    workspace: Workspace | None, store: Store, snapshot: Snapshot, show_progress: ShowProgress
) -> Network:
    with _resolving:  # Threads of a server share what one of them resolves.
        graph, known = SnapshotGraph(store, snapshot.snapshot), store.network(snapshot.worktree)
        where = (workspace.home, index_identity(workspace)) if workspace is not None else store.repository
        outdated = _find_outdated((where, snapshot, known), store, snapshot, graph)
        stored: Network = StoredNetwork(store, known.network, graph) if known is not None else EdgeList(())
        if not outdated:
            return stored
        change = _resolve_once((where, snapshot, outdated.generation), graph, outdated, show_progress)
        maker = maker_of(snapshot, graph)
        is_written = workspace is not None and _write(workspace, snapshot, maker, outdated, change)
        now = store.network(snapshot.worktree)
        if is_written and now is not None and now != known:
            return StoredNetwork(store, now.network, graph)
        is_base = known is not None and known.maker == maker
        paths = [*outdated.changed, *outdated.dependents, *outdated.gone]
        return ChangedNetwork(stored if is_base else EdgeList(()), paths, edges_of(change))


_outdated: dict[object, Outdated] = {}  # the last one, for all who read the same index
_resolved: dict[object, NetworkChange] = {}  # likewise, for those who cannot write it


def _find_outdated(key: object, store: Store, snapshot: Snapshot, graph: SnapshotGraph) -> Outdated:
    found = _outdated.get(key)
    if found is None:
        found = find_outdated(store, snapshot, graph)
        _outdated.clear()
        _outdated[key] = found
    return found


def _resolve_once(key: object, graph: SnapshotGraph, outdated: Outdated, show_progress: ShowProgress) -> NetworkChange:
    if key not in _resolved:
        with show_progress() as progress:
            found = _resolve(graph, outdated, progress)
        _resolved.clear()
        _resolved[key] = found
    return _resolved[key]


@collection_paused()
def _resolve(graph: SnapshotGraph, outdated: Outdated, progress: Progress, jobs: int | None = None) -> NetworkChange:
    return change_of(_resolved_files(graph, [*outdated.changed, *outdated.dependents], progress, jobs), outdated.gone)


def _resolved_files(
    graph: SnapshotGraph, paths: Sequence[str], progress: Progress, jobs: int | None
) -> Iterator[FileEdges]:
    """Yield the edges of files; many are resolved by forks of this process, which share what it has read."""
    resolver = FileResolver(graph)
    n_jobs = min(jobs or os.cpu_count() or 1, len(paths) // _FEW)
    if len(paths) > _FEW:
        graph.load()
    if n_jobs < 2 or not can_fork() or active_count() > 1:
        for done, path in enumerate(paths):
            progress("resolving references", done, len(paths))
            yield resolver.resolve(path)
        return
    tasks = [_encode(paths[start : start + _AT_ONCE]) for start in range(0, len(paths), _AT_ONCE)]
    done = 0
    with Pool(lambda task: _encode([*map(resolver.resolve, _decode_paths(task))]), n_jobs, _LIMITS) as pool:
        for outcome in pool.run(tasks):
            progress("resolving references", done, len(paths))
            if outcome.result is None:
                raise BirthmarkError(f"references could not be resolved: {outcome.failure}")
            found = _decode(outcome.result)
            done += len(found)
            yield from found


def _write(workspace: Workspace, snapshot: Snapshot, maker: str, outdated: Outdated, change: NetworkChange) -> bool:
    try:
        with writing(workspace, 0) as writable, writable.writing():
            return writable.change_network(snapshot.worktree, maker, outdated.generation, change)
    except BirthmarkError:
        return False
