"""Subscriptions, notes, scans and messages of a repository in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from birthmark.store.model import DocumentTable, StoreLocation
from birthmark.store.postgres.database import PostgresDatabase
from birthmark.store.postgres.translation import SCHEMA
from birthmark.store.tables.copying import CopiedSubscriptions
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES, SubscriptionTables


class PostgresSubscriptions(CopiedSubscriptions, SubscriptionTables, PostgresDatabase):
    """Made where there are none; many processes may have them open at once."""

    tables = SUBSCRIPTION_TABLES
    primary_keys: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(map(str, DocumentTable), ("id",))
    is_index = False

    def __init__(self, location: StoreLocation) -> None:
        super().__init__(location, writable=True)

    def document_stamps(self, table: DocumentTable) -> dict[str, str]:
        """By id, something that is another one after a document was written: the number of the transaction."""
        rows = f"SELECT id, xmin::text FROM {SCHEMA}.{table} WHERE repository = $1 ORDER BY id"
        with self._errors():
            return dict(self.connection.execute(rows, (self.number,)).fetchall())

    def check_integrity(self) -> list[str]:
        """The server itself checks what it reads."""
        return []
