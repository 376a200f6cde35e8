"""Repair the stores of a workspace, as the holder of its lock."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from birthmark.app.workspace.stores import has_subscriptions, location_of, reading
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.files import index_file, ledger_log, subscription_file
from birthmark.store.sqlite.repair import restore_ledger, restore_subscriptions, set_aside
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions


def repair_database(workspace: Workspace) -> tuple[list[str], Path | None]:
    """A damaged or missing index is made anew from the ledger's log. Returns what was done, and the damaged file."""
    location, damaged = location_of(workspace), None
    if location.url:
        return _check_server(workspace), None
    database, repaired = index_file(location), list[str]()
    if not database.exists():
        repaired.append("the database was missing")
    elif trouble := _find_damage(location):
        repaired.append(f"the database was damaged: {trouble}")
        damaged = set_aside(database)
    if repaired:
        with closing(SqliteStore(location, writable=True, with_log=False)) as store:
            n_rows = restore_ledger(store, ledger_log(location), damaged)
        repaired.append(f"{n_rows:,} rows of the ledger were restored")
    return repaired + _repair_log(location), damaged


def _check_server(workspace: Workspace) -> list[str]:
    """A database is repaired by those who run it, from a backup."""
    with reading(workspace) as store:
        if findings := store.check_integrity():
            advice = "restore the database from a backup, or delete the repository there and index it again"
            raise DamagedError(f"{store.repository}: {findings[0]}; {advice}")
    return []


def _repair_log(location: StoreLocation) -> list[str]:
    with closing(SqliteStore(location, writable=True)) as store:
        if store.log_is_whole():
            return []
        store.rewrite_log(ledger_log(location))
    return ["the ledger's log was written anew"]


def _find_damage(location: StoreLocation) -> str | None:
    try:
        with closing(SqliteStore(location)) as store:
            findings = store.check_integrity()
            if not findings and store.is_behind(ledger_log(location)):
                findings = ["it is older than its ledger"]
            return findings[0] if findings else None
    except DamagedError as error:
        return str(error.__cause__ or error)
    except BirthmarkError:
        return None  # Of an older version, say; opening it to write sees to that.


def repair_subscriptions(workspace: Workspace) -> list[str]:
    """What can be read of a damaged file is put into a new one; the old one is kept. Returns what was done."""
    location = location_of(workspace)
    if location.url:
        return []  # What is in a database is checked with the index.
    damage = _subscription_damage(location) if has_subscriptions(workspace) else None
    if damage is None:
        return []
    aside = set_aside(subscription_file(location))
    with closing(SqliteSubscriptions(location)) as store:
        n_rows = restore_subscriptions(store, aside)
    return [f"the subscriptions were damaged: {damage}", f"{n_rows:,} rows of them could be read; see {aside.name}"]


def _subscription_damage(location: StoreLocation) -> str | None:
    try:
        with closing(SqliteSubscriptions(location)) as store:
            return next(iter(store.check_integrity()), None)
    except DamagedError as error:
        return str(error.__cause__ or error)
