"""Check and repair the stores of a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from birthmark.app.indexing.index import index_worktree
from birthmark.app.indexing.replay import heal_replay
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.store_repair import repair_database, repair_lock, repair_subscriptions
from birthmark.app.workspace.stores import (
    has_index,
    locked,
    no_index,
    temporary_index,
    updating,
)
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.graph.resolve import Resolver
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.validate import check_snapshot, compare_edges, compare_snapshots


class RepairReport(NamedTuple):
    """What was repaired, and how many identities the ledger holds."""

    repaired: list[str]
    n_identities: int
    damaged: Path | None = None


def check_index(session: Session, *, against_rebuild: bool, strict: bool) -> list[str]:
    view = session.view
    findings = session.store.check_integrity() + check_snapshot(session.store, view.number)
    if strict:
        findings += [f"{path}: has changed since it was indexed" for path in session.freshness.pending]
        findings += [f"{path}: {row.problem}" for path, row in session.store.files_with_problems(view.number).items()]
    return findings + (_compare_with_rebuild(session) if against_rebuild else [])


def _compare_with_rebuild(session: Session) -> list[str]:
    """Index the same files into an empty store, and compare."""
    if session.freshness.pending:
        raise BirthmarkError("files have changed since they were indexed; run `birthmark index`, then compare")
    with temporary_index() as fresh:
        index_worktree(fresh, session.workspace)
        other = fresh.snapshots()[0].snapshot
        ours, number = session.store, session.view.number
        return compare_snapshots(ours, number, fresh, other) + compare_edges(
            SnapshotGraph(ours, number),
            SnapshotGraph(fresh, other),
            lambda graph: Resolver(graph, load_registry().resolution_of),
        )


def repair_index(workspace: Workspace, wait_seconds: float) -> RepairReport:
    """A damaged or missing database is made anew from the ledger's log; then the files are indexed again."""
    if not (has_index(workspace) or workspace.home.is_dir()):
        raise no_index(workspace)
    repaired = repair_lock(workspace)
    with locked(workspace, wait_seconds):
        repaired += repair_subscriptions(workspace)
        of_database, damaged = repair_database(workspace)
        with updating(workspace) as store:
            of_database += heal_replay(store, workspace)
            index_worktree(store, workspace)
            n_identities = store.count_identities()
            store.tidy()
    return RepairReport(repaired + of_database, n_identities, damaged)
