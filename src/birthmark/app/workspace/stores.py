"""Open the stores of a workspace: with `store_repair.py` all that depends on what is behind the store's port."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from birthmark.app.workspace.workspace import Workspace, make_home
from birthmark.errors import BirthmarkError
from birthmark.store.lock import writer_lock
from birthmark.store.model import StoreLocation
from birthmark.store.port import Store, SubscriptionStore
from birthmark.store.sqlite.files import index_file, ledger_log, subscription_file
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions


def location_of(workspace: Workspace) -> StoreLocation:
    return StoreLocation(workspace.home)


# The index


def has_index(workspace: Workspace) -> bool:
    return index_file(location_of(workspace)).exists()


def index_identity(workspace: Workspace) -> tuple[int, int] | None:
    """Another one where the file of the index was replaced; None where there is none."""
    try:
        status = index_file(location_of(workspace)).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


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
    import tempfile  # which imports what all other uses of a store do without

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
