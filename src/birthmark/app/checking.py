"""Check an index, and repair it, and what lies beside it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from birthmark.app.index import index_worktree
from birthmark.app.session import Session
from birthmark.app.subscription_repository import database_of, keeping
from birthmark.app.workspace import Workspace, make_home
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.graph.resolve import Resolver
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.validate import check_snapshot, compare_edges, compare_snapshots
from birthmark.store.lock import writer_lock
from birthmark.store.log import LedgerLog
from birthmark.store.repair import restore_ledger, restore_subscriptions
from birthmark.store.sqlite import SqliteStore
from birthmark.store.subscriptions import SubscriptionStore


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
        findings += [f"{path}: {row.problem}" for path, row in session.store.files(view.number).items() if row.problem]
    return findings + (_compare_with_rebuild(session) if against_rebuild else [])


def _compare_with_rebuild(session: Session) -> list[str]:
    """Index the same files into an empty store, and compare."""
    if session.freshness.pending:
        raise BirthmarkError("files have changed since they were indexed; run `birthmark index`, then compare")
    with tempfile.TemporaryDirectory(prefix="birthmark-") as folder:
        fresh = SqliteStore(Path(folder) / "index.db", writable=True)
        try:
            index_worktree(fresh, session.workspace)
            other = fresh.snapshots()[0].snapshot
            ours, number = session.store, session.view.number
            return compare_snapshots(ours, number, fresh, other) + compare_edges(
                SnapshotGraph(ours, number),
                SnapshotGraph(fresh, other),
                lambda graph: Resolver(graph, session.family_of),
            )
        finally:
            fresh.close()


def repair_index(workspace: Workspace, wait_seconds: float) -> RepairReport:
    """A damaged or missing database is made anew from the ledger's log; then the files are indexed again."""
    if not workspace.home.is_dir():
        raise BirthmarkError(f"{workspace.root}: there is no index; run `birthmark index` first")
    make_home(workspace.home)
    with writer_lock(workspace.home / "lock", wait_seconds):
        repaired = _repair_subscriptions(workspace)
        damaged = None
        if not workspace.database.exists():
            repaired.append("the database was missing")
        elif trouble := _find_trouble(workspace.database, workspace.log):
            repaired.append(f"the database was damaged: {trouble}")
            damaged = _set_aside(workspace.database)
        if damaged is not None or not workspace.database.exists():
            n_rows = _restore(workspace.database, workspace.log, damaged)
            repaired.append(f"{n_rows:,} rows of the ledger were restored")
        store = SqliteStore(workspace.database, workspace.log, writable=True)
        try:
            if not log_is_whole(store, workspace.log):
                store.rewrite_log()
                repaired.append("the ledger's log was written anew")
            index_worktree(store, workspace)
            n_identities = store.last("identities")
            store.tidy()
        finally:
            store.close()
    return RepairReport(repaired, n_identities, damaged)


def _find_trouble(database: Path, log: LedgerLog) -> str | None:
    try:
        store = SqliteStore(database)
    except DamagedError as error:
        return str(error.__cause__ or error)
    except BirthmarkError:
        return None  # Of an older version, say; opening it to write sees to that.
    try:
        findings = store.check_integrity()
        if not findings and store.is_behind(log):
            findings = ["it is older than its ledger"]
        return findings[0] if findings else None
    except DamagedError as error:
        return str(error.__cause__ or error)
    finally:
        store.close()


def _repair_subscriptions(workspace: Workspace) -> list[str]:
    """What can be read of a damaged file is put into a new one; the old one is kept."""
    database = database_of(workspace)
    trouble = _subscription_trouble(database) if database.exists() else None
    if trouble is None:
        return []
    aside = _set_aside(database)
    with keeping(workspace) as store:
        n_rows = restore_subscriptions(store, aside)
    return [f"the subscriptions were damaged: {trouble}", f"{n_rows:,} rows of them could be read; see {aside.name}"]


def _subscription_trouble(database: Path) -> str | None:
    try:
        store = SubscriptionStore(database)
        try:
            findings = store.check_integrity()
            return findings[0] if findings else None
        finally:
            store.close()
    except DamagedError as error:
        return str(error.__cause__ or error)


def _set_aside(database: Path) -> Path:
    aside = database.with_name(f"{database.stem}.damaged-{int(time.time())}.db")
    for suffix in ("-wal", "-shm"):
        database.with_name(database.name + suffix).unlink(missing_ok=True)
    database.replace(aside)
    return aside


def _restore(database: Path, log: LedgerLog, damaged: Path | None) -> int:
    store = SqliteStore(database, writable=True)
    try:
        return restore_ledger(store, log, damaged)
    finally:
        store.close()


def log_is_whole(store: SqliteStore, log: LedgerLog) -> bool:
    """Whether the log tells of every identity."""
    n_logged = sum(len(rows.get("identities", ())) for rows in log.records())
    return n_logged == store.count("identities")
