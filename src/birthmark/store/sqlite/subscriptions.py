"""Subscriptions, notes, scans and messages in SQLite, beside the index and independent of it.

The index can be made anew from the repository; what is kept here cannot.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence

from birthmark.store.model import KEPT_SCANS, DocumentTable, Message, ScanRecord, StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.connect import subscription_migrations
from birthmark.store.sqlite.database import Database
from birthmark.store.sqlite.files import subscription_file
from birthmark.vocabulary import DeliveryState

TABLES = (*DocumentTable, "contents", "scans", "outbox")
_SCAN = "SELECT scan, at, base, target, triggers, document FROM scans"
_MESSAGE = f"SELECT {', '.join(Message._fields)} FROM outbox"


class SqliteSubscriptions(Database):
    """Made where there is none; many processes may have it open at once."""

    promise = "saves all that can be read"

    def __init__(self, location: StoreLocation) -> None:
        super().__init__(location, subscription_file(location), writable=True)
        with self._errors():
            self._migrate(subscription_migrations())

    def import_rows(self, table: str, rows: Sequence[Sequence[Value]]) -> int:
        """Add rows of another file that are not known yet; returns how many were given."""
        with self.writing():
            for row in rows:
                self.connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        return len(rows)

    # Subscriptions and notes

    def documents(self, table: DocumentTable) -> list[bytes]:
        return [row[0] for row in self._query(f"SELECT document FROM {table} ORDER BY id")]

    def put_documents(self, table: DocumentTable, documents: Mapping[str, bytes]) -> None:
        self.connection.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", documents.items())

    def delete_documents(self, table: DocumentTable, ids: Collection[str]) -> None:
        self.connection.executemany(f"DELETE FROM {table} WHERE id = ?", [(id_,) for id_ in ids])

    def content(self, content_id: str) -> bytes | None:
        rows = self._query("SELECT content FROM contents WHERE content_id = ?", content_id)
        return zlib.decompress(rows[0][0]) if rows else None

    def has_contents(self) -> bool:
        return bool(self._query("SELECT 1 FROM contents LIMIT 1"))

    def keep_contents(self, contents: Mapping[str, bytes]) -> None:
        rows = [(content_id, zlib.compress(content)) for content_id, content in contents.items()]
        self.connection.executemany("INSERT OR IGNORE INTO contents VALUES (?, ?)", rows)

    def drop_contents(self, used: Collection[str]) -> None:
        known = {row[0] for row in self._query("SELECT content_id FROM contents")}
        self.connection.executemany("DELETE FROM contents WHERE content_id = ?", [(id_,) for id_ in known - set(used)])

    # Scans

    def add_scan(self, at: str, base: str, target: str, triggers: int) -> int:
        """The number of a scan, by which its messages name it; what it found follows."""
        insert = "INSERT INTO scans (at, base, target, triggers, document) VALUES (?, ?, ?, ?, x'')"
        self.connection.execute(insert, (at, base, target, triggers))
        return self.connection.last_insert_rowid()

    def set_scan(self, number: int, document: bytes) -> None:
        self.connection.execute("UPDATE scans SET document = ? WHERE scan = ?", (zlib.compress(document, 1), number))
        self.connection.execute("UPDATE scans SET document = x'' WHERE scan <= ?", (number - KEPT_SCANS,))
        delete = "DELETE FROM outbox WHERE state = ? AND scan <= ?"
        self.connection.execute(delete, (DeliveryState.DELIVERED, number - KEPT_SCANS))

    def scan(self, number: int | None = None) -> ScanRecord | None:
        query = f"{_SCAN} ORDER BY scan DESC LIMIT 1" if number is None else f"{_SCAN} WHERE scan = ?"
        rows = self._query(query, *(() if number is None else (number,)))
        if not rows:
            return None
        row = ScanRecord(*rows[0])
        return row._replace(document=zlib.decompress(row.document) if row.document else b"")

    def scans(self, limit: int) -> list[ScanRecord]:
        columns = "scan, at, base, target, triggers, x''"
        return [
            ScanRecord(*row) for row in self._query(f"SELECT {columns} FROM scans ORDER BY scan DESC LIMIT ?", limit)
        ]

    # Messages

    def post(self, messages: Iterable[Message]) -> None:
        self.connection.executemany(f"INSERT INTO outbox VALUES ({', '.join('?' * len(Message._fields))})", messages)

    def messages(self, state: str | None = None) -> list[Message]:
        rows = self._query(f"{_MESSAGE} WHERE ?1 IS NULL OR state = ?1 ORDER BY created_at, message", state)
        return [Message(*row) for row in rows]

    def due(self, now: float) -> list[Message]:
        rows = self._query(
            f"{_MESSAGE} WHERE state = ? AND next_at <= ? ORDER BY next_at, message", DeliveryState.PENDING, now
        )
        return [Message(*row) for row in rows]

    def claim(self, message: str, now: float, until: float) -> bool:
        update = "UPDATE outbox SET next_at = ? WHERE message = ? AND state = ? AND next_at <= ?"
        with self.writing():
            self.connection.execute(update, (until, message, DeliveryState.PENDING, now))
            return self.connection.changes() == 1

    def settle(self, message: Message) -> None:
        update = "UPDATE outbox SET state = ?, attempts = ?, next_at = ?, error = ? WHERE message = ? AND state != ?"
        values = (
            message.state,
            message.attempts,
            message.next_at,
            message.error,
            message.message,
            DeliveryState.DELIVERED,
        )
        with self._errors():
            self.connection.execute(update, values)
