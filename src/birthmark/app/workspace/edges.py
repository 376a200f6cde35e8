"""The network of a worktree: opened, and brought up to date before it is asked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from threading import Lock
from typing import overload

from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.graph.network import EdgeList, Network
from birthmark.graph.resolve import Resolver
from birthmark.languages.registry import load_registry
from birthmark.ledger.gc_pause import collection_paused
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.stored_network import (
    Progress,
    StoredNetwork,
    find_outdated,
    maker_of,
    network_in_memory,
    resolve_changes,
)
from birthmark.store.model import Snapshot
from birthmark.store.port import Store

FEW = 50  # files to resolve, for which definitions are read one by one
_WAIT_SECONDS = 2.0  # for another writer

_resolving = Lock()

# What shows the progress of a resolution.
resolving_progress: ContextVar[Callable[[], AbstractContextManager[Progress]]] = ContextVar(
    "resolving_progress", default=lambda: nullcontext(lambda stage, done, total: None)
)


@overload
def open_network(workspace: Workspace, store: Store, snapshot: Snapshot) -> Network: ...
@overload
def open_network(workspace: Workspace, store: Store, snapshot: Snapshot, most: int) -> Network | None: ...
def open_network(workspace: Workspace, store: Store, snapshot: Snapshot, most: int | None = None) -> Network | None:
    """Files that changed are resolved again, and those whose edges depend on them; None if they are too many.

    Where that cannot be written, all is resolved for this question alone.
    """
    if most is not None:
        return _open_network(workspace, store, snapshot, most)
    with _resolving:  # What one thread of a server resolves need not be resolved by another one.
        return _open_network(workspace, store, snapshot, most)


def _open_network(workspace: Workspace, store: Store, snapshot: Snapshot, most: int | None) -> Network | None:
    graph = SnapshotGraph(store, snapshot.snapshot)
    outdated = find_outdated(store, snapshot, graph)
    if outdated:
        n_files = len(outdated.changed) + len(outdated.dependents)
        if most is not None and n_files > most:
            return None
        if n_files > FEW:
            graph.load()
        maker, resolver = maker_of(snapshot, graph), Resolver(graph, load_registry().resolution_of)
        with collection_paused(), resolving_progress.get()() as progress:
            change = resolve_changes(graph, resolver, outdated, progress)
        try:
            with writing(workspace, _WAIT_SECONDS) as writable, writable.writing():
                is_written = writable.change_network(snapshot.worktree, maker, outdated.generation, change)
        except BirthmarkError:
            is_written = False
        if not is_written:
            graph.load()
            return network_in_memory(graph, resolver)
    known = store.network(snapshot.worktree)
    return StoredNetwork(store, known.network) if known is not None else EdgeList(())  # There is no file at all.
