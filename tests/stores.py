"""The stores that the contract of the port is checked on: a factory for each implementation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

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


FACTORIES: dict[str, Callable[[Path], Stores]] = {"sqlite": SqliteStores}
