"""The network of a worktree: opened, and brought up to date before it is asked."""

from __future__ import annotations

from functools import cached_property
from threading import Lock

from birthmark.app.workspace.freshness import Progress, ShowProgress, show_nothing
from birthmark.app.workspace.stores import index_identity, writing
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.graph.network import EdgeList, Network
from birthmark.graph.resolve import Resolver
from birthmark.languages.registry import load_registry
from birthmark.ledger.update import collection_paused
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.stored_network import (
    ChangedNetwork,
    Outdated,
    StoredNetwork,
    edges_of,
    find_outdated,
    maker_of,
    resolve_changes,
)
from birthmark.store.model import NetworkChange, Snapshot
from birthmark.store.port import Store

FEW = 50  # files to resolve, for which definitions are read one by one
_WAIT_SECONDS = 2.0  # for another writer

_resolving, _resolving_few = Lock(), Lock()


def open_network(workspace: Workspace, store: Store, snapshot: Snapshot, show_progress: ShowProgress) -> Network:
    """Resolve changed files again, and files whose edges depend on them.

    If the edges cannot be written, or a snapshot of an earlier moment is read, they are held in memory.
    """
    return _open_all(workspace, store, snapshot, show_progress)


def open_other_network(store: Store, snapshot: Snapshot) -> Network:
    """Open the network of another repository without writing; new edges are held in memory."""
    return _open_all(None, store, snapshot, show_nothing)


def _open_all(workspace: Workspace | None, store: Store, snapshot: Snapshot, show_progress: ShowProgress) -> Network:
    with _resolving:  # Threads of a server share what one of them resolves.
        network = _open_network(workspace, store, snapshot, None, show_progress, writes=workspace is not None)
    assert network is not None
    return network


def find_network(workspace: Workspace, store: Store, snapshot: Snapshot, *, writes: bool) -> Network | None:
    """Return the network if few files are to be resolved again."""
    with _resolving_few:
        return _open_network(workspace, store, snapshot, FEW, show_nothing, writes=writes)


def _open_network(
    workspace: Workspace | None,
    store: Store,
    snapshot: Snapshot,
    most: int | None,
    show_progress: ShowProgress,
    *,
    writes: bool,
) -> Network | None:
    graph, known = SnapshotGraph(store, snapshot.snapshot), store.network(snapshot.worktree)
    where = (workspace.home, index_identity(workspace)) if workspace is not None else store.repository
    outdated = _find_outdated((where, snapshot, known), store, snapshot, graph)
    n_files = len(outdated.changed) + len(outdated.dependents)
    if most is not None and n_files > most:
        return None
    stored: Network = StoredNetwork(store, known.network) if known is not None else EdgeList(())
    if not outdated:
        return stored
    maker = maker_of(snapshot, graph)
    resolved = _resolve((where, snapshot, maker, outdated.generation), graph, outdated, show_progress)
    is_written = writes and workspace is not None and _write(workspace, snapshot, maker, outdated, resolved.change)
    now = store.network(snapshot.worktree)
    if is_written and now is not None and now != known:
        return StoredNetwork(store, now.network)
    is_base = known is not None and known.maker == maker
    paths = [*outdated.changed, *outdated.dependents, *outdated.gone]
    return ChangedNetwork(stored if is_base else EdgeList(()), paths, resolved.edges)


_outdated: dict[object, Outdated] = {}  # the last one, for all who read the same index


def _find_outdated(key: object, store: Store, snapshot: Snapshot, graph: SnapshotGraph) -> Outdated:
    found = _outdated.get(key)
    if found is None:
        found = find_outdated(store, snapshot, graph)
        _outdated.clear()
        _outdated[key] = found
    return found


class ResolvedFiles:
    """The edges of resolved files, as a change to write and as a network."""

    def __init__(self, change: NetworkChange) -> None:
        self.change = change

    @cached_property
    def edges(self) -> Network:
        return edges_of(self.change)


_resolved: dict[object, ResolvedFiles] = {}  # the last few files, which others may ask for that read the same index


def _resolve(key: object, graph: SnapshotGraph, outdated: Outdated, show_progress: ShowProgress) -> ResolvedFiles:
    found = _resolved.get(key)
    if found is not None:
        return found
    with show_progress() as progress:
        found = ResolvedFiles(_resolve_files(graph, outdated, progress))
    if _are_few(outdated):
        _resolved.clear()
        _resolved[key] = found
    return found


@collection_paused()
def _resolve_files(graph: SnapshotGraph, outdated: Outdated, progress: Progress) -> NetworkChange:
    if not _are_few(outdated):
        graph.load()
    return resolve_changes(graph, Resolver(graph, load_registry().resolution_of), outdated, progress)


def _are_few(outdated: Outdated) -> bool:
    return len(outdated.changed) + len(outdated.dependents) <= FEW


def write_network(store: Store, snapshot: Snapshot, progress: Progress) -> None:
    """Bring the network of a snapshot up to date, for a holder of the lock."""
    graph = SnapshotGraph(store, snapshot.snapshot)
    outdated = find_outdated(store, snapshot, graph)
    if outdated:
        change = _resolve_files(graph, outdated, progress)
        with store.writing():
            store.change_network(snapshot.worktree, maker_of(snapshot, graph), outdated.generation, change)


def _write(workspace: Workspace, snapshot: Snapshot, maker: str, outdated: Outdated, change: NetworkChange) -> bool:
    try:
        with writing(workspace, _WAIT_SECONDS) as writable, writable.writing():
            return writable.change_network(snapshot.worktree, maker, outdated.generation, change)
    except BirthmarkError:
        return False
