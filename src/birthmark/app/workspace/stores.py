"""Open the stores of a workspace: with `app/indexing/checking.py` all that depends on what is behind the store's port.

A store is in a folder or, by a URL, in a database, which the server part opens.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from birthmark.app.server_part import StoredRepository, databases
from birthmark.app.workspace.workspace import Workspace, find_location, index_folder, make_home, name_repository
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.file_lock import writer_lock
from birthmark.store.model import StoreLocation
from birthmark.store.port import Directory, Store, SubscriptionStore
from birthmark.store.sqlite.log import index_file, ledger_log, subscription_file, subscription_log

_UNREADABLE = (msgspec.DecodeError, zlib.error)  # raised by what unpacks stored values


def location_of(workspace: Workspace) -> StoreLocation:
    return find_location(workspace.home)


def _record_of(location: StoreLocation) -> StoredRepository:
    return databases().find_repository(location)


# The index


def has_index(workspace: Workspace) -> bool:
    return has_index_at(location_of(workspace))


def has_index_at(location: StoreLocation) -> bool:
    return _record_of(location).has_index if location.url else index_file(location).exists()


def index_identity(workspace: Workspace) -> tuple[int | str | None, ...] | None:
    """Return the identity of the index file, which differs after a replacement; None if there is no index."""
    return identity_at(location_of(workspace))


def identity_at(location: StoreLocation) -> tuple[int | str | None, ...] | None:
    if location.url:
        found = _record_of(location)
        return (location.url, found.repository) if found.has_index else None
    try:
        status = index_file(location).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def open_index(workspace: Workspace) -> Store | None:
    """The index for reading, if there is one; the caller closes it."""
    return open_at(location_of(workspace)) if has_index(workspace) else None


def open_at(location: StoreLocation, *, writable: bool = False) -> Store:
    if not location.url:
        from birthmark.store.sqlite.store import SqliteStore  # Much is asked without an index.

        return SqliteStore(location, writable=writable)
    return databases().open_index(location, writable=writable)


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
    where = f" in {location_of(workspace)}" if location_of(workspace).url else ""
    return BirthmarkError(f"{workspace.root}: there is no index{where}; {advice}")


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
    with closing(open_at(location_of(workspace), writable=True)) as store, failing_as_damaged(store):
        yield store


@contextmanager
def failing_as_damaged(store: Store) -> Iterator[None]:
    """Report a failure over a damaged index as that damage: rows may hold anything then, and lead anywhere."""
    try:
        yield
    except BirthmarkError:
        raise
    except Exception as error:
        if isinstance(error, _UNREADABLE) or _is_damaged(store):
            raise DamagedError(f"{store.repository}: is damaged; run `birthmark doctor`") from error
        raise


def _is_damaged(store: Store) -> bool:
    from birthmark.queries.validate import check_snapshot

    try:
        return bool(store.check_integrity()) or any(check_snapshot(store, one.snapshot) for one in store.snapshots())
    except Exception:
        return True


@contextmanager
def locked(workspace: Workspace, wait_seconds: float) -> Iterator[None]:
    """One writer at a time."""
    with locked_at(location_of(workspace), wait_seconds):
        yield


@contextmanager
def locked_at(location: StoreLocation, wait_seconds: float) -> Iterator[None]:
    if location.url:
        with databases().lock_repository(location, wait_seconds):
            yield
        return
    make_home(location.folder)
    with writer_lock(location.folder / "lock", wait_seconds):
        yield


def has_log(workspace: Workspace) -> bool:
    return has_log_at(location_of(workspace))


def has_log_at(location: StoreLocation) -> bool:
    return not location.url and ledger_log(location).path.exists() and ledger_log(location).size() > 0


def repository_name(workspace: Workspace) -> str:
    """Return the name of a repository in a store of several."""
    return location_of(workspace).repository or name_repository(workspace.home)


def describe_store(workspace: Workspace) -> str:
    location = location_of(workspace)
    return str(location) if location.url or index_folder() is not None else location.folder.name


def stored_bytes(workspace: Workspace) -> int:
    """Return the size of the stores on disk; for a database, of all of it."""
    location, total = location_of(workspace), 0
    if location.url:
        return databases().database_bytes(location)
    for entry in os.scandir(location.folder):  # It has no folders; files of the database may come and go.
        with suppress(FileNotFoundError):
            total += entry.stat(follow_symlinks=False).st_size
    return total


@contextmanager
def temporary_index() -> Iterator[Store]:
    """An empty index that is deleted afterwards."""
    import tempfile  # which imports what all other uses of a store do without

    from birthmark.store.sqlite.store import SqliteStore

    with (
        tempfile.TemporaryDirectory(prefix="birthmark-") as folder,
        closing(SqliteStore(StoreLocation(Path(folder)), writable=True, with_log=False)) as store,
    ):
        yield store


# Other repositories of a database


def open_directory(workspace: Workspace, visible: Collection[str] | None) -> Directory | None:
    """Return the visible repositories of the database with the index; None if the index is in a folder."""
    location = location_of(workspace)
    if not location.url:
        return None
    return databases().open_directory(location.url, visible)


def open_other_index(workspace: Workspace, repository: str) -> Store:
    """The index of another repository of that database, for reading; the caller closes it."""
    return open_at(location_of(workspace)._replace(repository=repository))


# Subscriptions


def has_subscriptions(workspace: Workspace) -> bool:
    return has_subscriptions_at(location_of(workspace))


def has_subscriptions_at(location: StoreLocation) -> bool:
    if location.url:
        return _record_of(location).has_subscriptions
    return subscription_file(location).exists() or subscription_log(location).path.exists()


@contextmanager
def subscription_store(workspace: Workspace) -> Iterator[SubscriptionStore]:
    """Open the store of personal subscriptions, scans and messages; create it if necessary."""
    with closing(subscriptions_at(location_of(workspace))) as store:
        try:
            yield store
        except _UNREADABLE as error:
            raise DamagedError(f"{store.repository}: has damaged rows; run `birthmark doctor`") from error


def has_common_documents(workspace: Workspace) -> bool:
    return has_subscriptions_at(location_of(workspace)._replace(repository=""))


@contextmanager
def common_documents(workspace: Workspace) -> Iterator[SubscriptionStore]:
    """Open the documents of all repositories of a database, or of the only repository."""
    location = location_of(workspace)
    if not location.url:
        with subscription_store(workspace) as store:
            yield store
        return
    with closing(subscriptions_at(location._replace(repository=""))) as store:
        yield store


def subscriptions_at(location: StoreLocation) -> SubscriptionStore:
    if location.url:
        return databases().open_subscriptions(location)
    from birthmark.store.sqlite.subscriptions import SqliteSubscriptions

    make_home(location.folder)
    return SqliteSubscriptions(location)
