"""The stores that the contract of the port is checked on: a factory for each implementation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from postgres_server import forget_extractions, shared_database

from birthmark.server.postgres.store import PostgresStore, PostgresSubscriptions
from birthmark.store.model import StoreLocation
from birthmark.store.port import Store, SubscriptionStore
from birthmark.store.sqlite.store import SqliteStore
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions


class Stores(Protocol):
    """The stores of one repository, empty at first; every call opens them once more."""

    def index(self, *, writable: bool = True) -> Store: ...
    def subscriptions(self) -> SubscriptionStore: ...


class SqliteStores:
    """Both stores in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.location = StoreLocation(folder)

    def index(self, *, writable: bool = True) -> Store:
        return SqliteStore(self.location, writable=writable)

    def subscriptions(self) -> SubscriptionStore:
        return SqliteSubscriptions(self.location)


class PostgresStores:
    """Both stores in a database that all tests of a process share, as a repository of their own.

    What they share, the cache of extractions, is emptied before.
    """

    def __init__(self, folder: Path) -> None:
        self.location = StoreLocation(folder, shared_database(), str(folder))
        forget_extractions()

    def index(self, *, writable: bool = True) -> Store:
        return PostgresStore(self.location, writable=writable)

    def subscriptions(self) -> SubscriptionStore:
        return PostgresSubscriptions(self.location)


FACTORIES: dict[str, Callable[[Path], Stores]] = {"sqlite": SqliteStores, "postgres": PostgresStores}
