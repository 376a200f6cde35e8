"""Open the stores of a workspace: the one module that depends on what is behind the store's port."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from birthmark.app.workspace.workspace import Workspace, make_home
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.store.lock import writer_lock
from birthmark.store.model import StoreLocation
from birthmark.store.port import Store, SubscriptionStore
from birthmark.store.sqlite.files import index_file, ledger_log, subscription_file
from birthmark.store.sqlite.repair import restore_ledger, restore_subscriptions, set_aside
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions


def location_of(workspace: Workspace) -> StoreLocation:
    return StoreLocation(workspace.home)


# The index


def has_index(workspace: Workspace) -> bool:
    return index_file(location_of(workspace)).exists()


def open_index(workspace: Workspace) -> Store | None:
    """The index for reading, if there is one; the caller closes it."""
    return SqliteStore(location_of(workspace)) if has_index(workspace) else None


@contextmanager
def reading(workspace: Workspace) -> Iterator[Store]:
    """The index, for queries."""
    store = open_index(workspace)
    if store is None:
        raise no_index(workspace)
    with closing(store):
        yield store


def no_index(workspace: Workspace) -> BirthmarkError:
    advice = "run `birthmark doctor`" if has_log(workspace) else "run `birthmark index` first"
    return BirthmarkError(f"{workspace.root}: there is no index; {advice}")


@contextmanager
def writing(workspace: Workspace, wait_seconds: float) -> Iterator[Store]:
    """The index, for updates; made if there is none."""
    with locked(workspace, wait_seconds):
        if not has_index(workspace) and has_log(workspace):
            database = index_file(location_of(workspace))
            raise BirthmarkError(f"{database} is missing, its ledger is not; run `birthmark doctor`")
        with updating(workspace) as store:
            yield store


@contextmanager
def updating(workspace: Workspace) -> Iterator[Store]:
    """The same for a holder of the lock."""
    with closing(SqliteStore(location_of(workspace), writable=True)) as store:
        yield store


@contextmanager
def locked(workspace: Workspace, wait_seconds: float) -> Iterator[None]:
    """One writer at a time."""
    make_home(workspace.home)
    with writer_lock(workspace.home / "lock", wait_seconds):
        yield


def has_log(workspace: Workspace) -> bool:
    return ledger_log(location_of(workspace)).size() > 0


@contextmanager
def temporary_index() -> Iterator[Store]:
    """An empty index that is deleted afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="birthmark-") as folder,
        closing(SqliteStore(StoreLocation(Path(folder)), writable=True, with_log=False)) as store,
    ):
        yield store


# Subscriptions


def has_subscriptions(workspace: Workspace) -> bool:
    return subscription_file(location_of(workspace)).exists()


@contextmanager
def subscription_store(workspace: Workspace) -> Iterator[SubscriptionStore]:
    """The store of one person's subscriptions, of scans and messages; made if there is none."""
    make_home(workspace.home)
    with closing(SqliteSubscriptions(location_of(workspace))) as store:
        yield store


# Repair, by the holder of the lock


def repair_database(workspace: Workspace) -> tuple[list[str], Path | None]:
    """A damaged or missing index is made anew from the ledger's log. Returns what was done, and the damaged file."""
    location, damaged = location_of(workspace), None
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
