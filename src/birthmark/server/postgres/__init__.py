"""The store in PostgreSQL: the indexes of many repositories in one database, in the schema `birthmark`.

This module is the `Databases` that the core asks for.
"""

from __future__ import annotations

from collections.abc import Collection

from birthmark.server.postgres.directory import PostgresDirectory
from birthmark.server.postgres.schema import database_bytes, delete_rows, find_repository, lock_repository
from birthmark.server.postgres.store import PostgresStore, PostgresSubscriptions
from birthmark.store.model import StoreLocation
from birthmark.store.port import Directory, Store, SubscriptionStore

__all__ = [
    "database_bytes",
    "delete_rows",
    "find_repository",
    "lock_repository",
    "open_directory",
    "open_index",
    "open_subscriptions",
]


def open_index(location: StoreLocation, *, writable: bool) -> Store:
    return PostgresStore(location, writable=writable)


def open_subscriptions(location: StoreLocation) -> SubscriptionStore:
    return PostgresSubscriptions(location)


def open_directory(url: str, visible: Collection[str] | None) -> Directory:
    return PostgresDirectory(url, visible)
