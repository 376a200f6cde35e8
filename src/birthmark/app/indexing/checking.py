"""Check and repair the stores of a workspace, as the holder of its lock."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec

from birthmark.app.indexing.index import index_worktree
from birthmark.app.indexing.replay import heal_replay
from birthmark.app.workspace.repository import THIRD_PARTY
from birthmark.app.workspace.session import Session
from birthmark.app.workspace.stores import (
    has_index,
    has_subscriptions,
    location_of,
    locked,
    no_index,
    reading,
    temporary_index,
    updating,
)
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.graph.resolve import Resolver
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.validate import check_snapshot, compare_edges, compare_snapshots
from birthmark.store.model import DocumentTable, StoreLocation
from birthmark.store.sqlite.log import index_file, ledger_log, subscription_file, subscription_log
from birthmark.store.sqlite.logged import set_aside
from birthmark.store.sqlite.repair import restore_ledger, restore_subscriptions
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions


class RepairReport(NamedTuple):
    """The repairs made, and the number of identities in the ledger."""

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
        fresh.set_meta(THIRD_PARTY, session.store.meta(THIRD_PARTY) or 0)
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
    repaired = _repair_lock(workspace)
    with locked(workspace, wait_seconds):
        repaired += _repair_subscriptions(workspace)
        of_database, damaged = _repair_database(workspace)
        with updating(workspace) as store:
            of_database += heal_replay(store, workspace)
            index_worktree(store, workspace)
            n_identities = store.count_identities()
            store.tidy()
    return RepairReport(repaired + of_database, n_identities, damaged)


def _repair_database(workspace: Workspace) -> tuple[list[str], Path | None]:
    """A damaged or missing index is made anew from the ledger's log. Returns what was done, and the damaged file."""
    location, damaged = location_of(workspace), None
    if location.url:
        return _check_server(workspace), None
    database, log = index_file(location), ledger_log(location)
    repaired = _replace_irregular(log.path)
    if not database.exists():
        repaired.append("the database was missing")
    elif trouble := _find_damage(location):
        repaired.append(f"the database was damaged: {trouble}")
        damaged = set_aside(database)
    else:
        return repaired + _mend(SqliteStore(location, writable=True)), None
    with closing(SqliteStore(location, writable=True, with_log=False)) as store:
        restored = restore_ledger(store, log, damaged)
    return repaired + restored.describe("the ledger"), damaged


def _repair_lock(workspace: Workspace) -> list[str]:
    """Rename a lock that cannot be taken; no process can hold it."""
    location = location_of(workspace)
    return [] if location.url else _replace_irregular(location.folder / "lock")


def _mend(store: SqliteStore | SqliteSubscriptions) -> list[str]:
    with closing(store):
        return store.mend_log()


def _replace_irregular(path: Path) -> list[str]:
    """A folder, a pipe or a device in the place of a file is renamed."""
    if not path.exists() or path.is_file():
        return []
    return [f"{path.name} was no regular file; it is kept as {set_aside(path).name}"]


def _check_server(workspace: Workspace) -> list[str]:
    """A database is repaired by those who run it, from a backup."""
    with reading(workspace) as store:
        if findings := store.check_integrity():
            advice = "restore the database from a backup, or delete the repository there and index it again"
            raise DamagedError(f"{store.repository}: {findings[0]}; {advice}")
    return []


def _find_damage(location: StoreLocation) -> str | None:
    """Say what is wrong with a database; a log that lost something can be written anew from it."""
    try:
        with closing(SqliteStore(location)) as store:
            findings = store.check_database()
            findings += [text for one in store.snapshots() for text in check_snapshot(store, one.snapshot)]
            return findings[0] if findings else None
    except DamagedError as error:
        return str(error.__cause__ or error)
    except BirthmarkError:
        return None  # For example of an older version, which is upgraded when it is opened for writing.
    except Exception as error:  # Whatever damaged rows lead to, while nothing but the database is read.
        return f"{type(error).__name__}: {error}"


def _repair_subscriptions(workspace: Workspace) -> list[str]:
    """A damaged file is made anew from its log; the old one is kept. Returns what was done."""
    location = location_of(workspace)
    if location.url or not has_subscriptions(workspace):
        return []  # Subscriptions in a database are checked with the index.
    database, log, aside = subscription_file(location), subscription_log(location), None
    repaired = _replace_irregular(log.path)
    if not database.exists():
        repaired.append("the subscriptions were missing")
    elif damage := _subscription_damage(location):
        aside = set_aside(database)
        repaired.append(f"the subscriptions were damaged: {damage}; see {aside.name}")
    else:
        return repaired + _mend(SqliteSubscriptions(location))
    with closing(SqliteSubscriptions(location, with_log=False)) as store:
        restored = restore_subscriptions(store, log, aside)
    return repaired + restored.describe("the subscriptions")


def _subscription_damage(location: StoreLocation) -> str | None:
    try:
        with closing(SqliteSubscriptions(location, with_log=False)) as store:
            store.log = subscription_log(location)
            for table in (DocumentTable.SUBSCRIPTIONS, DocumentTable.NOTES):
                for document in store.documents(table):
                    msgspec.json.decode(document)
            return next(iter(store.check_database()), None)
    except (DamagedError, msgspec.DecodeError) as error:
        return str(error.__cause__ or error)
