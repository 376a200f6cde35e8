"""Subscriptions, notes, scans and messages in a file of their own beside the index."""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.connect import subscription_migrations
from birthmark.store.sqlite.database import SqliteDatabase
from birthmark.store.sqlite.files import subscription_file
from birthmark.store.tables.copying import CopiedSubscriptions
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES, SubscriptionTables


class SqliteSubscriptions(CopiedSubscriptions, SubscriptionTables, SqliteDatabase):
    """Made where there is none; many processes may have it open at once."""

    promise = "saves all that can be read"
    tables = SUBSCRIPTION_TABLES

    def __init__(self, location: StoreLocation) -> None:
        super().__init__(location, subscription_file(location), writable=True)
        with self._errors():
            self._migrate(subscription_migrations())

    def import_rows(self, table: str, rows: Sequence[Sequence[Value]]) -> int:
        """Add rows of another file that are not known yet; returns how many were given."""
        with self.writing():
            self._add(table, rows)
        return len(rows)
