"""Subscriptions, notes, scans and messages, independent of the index.

The index can be rebuilt from the repository; these cannot.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Mapping

from birthmark.store.model import KEPT_SCANS, DocumentTable, Message, ScanRecord
from birthmark.store.tables.database import Database
from birthmark.vocabulary import DeliveryState

SUBSCRIPTION_TABLES = {
    **dict.fromkeys(map(str, DocumentTable), "id document"),
    "contents": "content_id content",
    "scans": "scan at base target triggers document",
    "outbox": " ".join(Message._fields),
}
_SCAN = "SELECT scan, at, base, target, triggers, document FROM scans"
_MESSAGE = f"SELECT {', '.join(Message._fields)} FROM outbox"


class SubscriptionTables(Database):
    """Documents that people wrote, results of scans, and the outbox."""

    tables = SUBSCRIPTION_TABLES
    copied_tables = tuple(SUBSCRIPTION_TABLES)

    # Subscriptions and notes

    def documents(self, table: DocumentTable, ids: Collection[str] | None = None) -> list[bytes]:
        if ids is None:
            return [row[0] for row in self._query(f"SELECT document FROM {table} ORDER BY id")]
        wanted = f"SELECT document FROM {table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
        return [row[0] for row in self._rows(wanted, ids)]

    def put_documents(self, table: DocumentTable, documents: Mapping[str, bytes]) -> None:
        self._replace(table, documents.items())

    def delete_documents(self, table: DocumentTable, ids: Collection[str]) -> None:
        self._delete(table, "id", ids)

    def content(self, content_id: str) -> bytes | None:
        rows = self._query("SELECT content FROM contents WHERE content_id = ?", content_id)
        return zlib.decompress(rows[0][0]) if rows else None

    def has_contents(self) -> bool:
        return bool(self._query("SELECT 1 FROM contents LIMIT 1"))

    def keep_contents(self, contents: Mapping[str, bytes]) -> None:
        rows = [(content_id, zlib.compress(content)) for content_id, content in contents.items()]
        self._add("contents", rows)

    def drop_contents(self, used: Collection[str]) -> None:
        known = {row[0] for row in self._query("SELECT content_id FROM contents")}
        self._delete("contents", "content_id", known - set(used))

    # Scans

    def add_scan(self, at: str, base: str, target: str, triggers: int) -> int:
        """Return the number of a new scan, by which its messages name it; `set_scan` adds the result."""
        number = int(self._value("SELECT max(scan) FROM scans") or 0) + 1
        self._insert("scans", [(number, at, base, target, triggers, b"")])
        return number

    def set_scan(self, number: int, document: bytes) -> None:
        self._execute("UPDATE scans SET document = ? WHERE scan = ?", zlib.compress(document, 1), number)
        self._execute("UPDATE scans SET document = ? WHERE scan <= ?", b"", number - KEPT_SCANS)
        delete = "DELETE FROM outbox WHERE state = ? AND scan <= ?"
        self._execute(delete, DeliveryState.DELIVERED, number - KEPT_SCANS)

    def scan(self, number: int | None = None) -> ScanRecord | None:
        query = f"{_SCAN} ORDER BY scan DESC LIMIT 1" if number is None else f"{_SCAN} WHERE scan = ?"
        rows = self._query(query, *(() if number is None else (number,)))
        if not rows:
            return None
        row = ScanRecord(*rows[0])
        return row._replace(document=zlib.decompress(row.document) if row.document else b"")

    def scans(self, limit: int) -> list[ScanRecord]:
        newest = "SELECT scan, at, base, target, triggers FROM scans ORDER BY scan DESC LIMIT ?"
        return [ScanRecord._make((*row, b"")) for row in self._query(newest, limit)]

    # Messages

    def post(self, messages: Iterable[Message]) -> None:
        self._insert("outbox", messages)

    def messages(self, state: str | None = None) -> list[Message]:
        states = list(DeliveryState) if state is None else [state]
        wanted = f"{_MESSAGE} WHERE state IN (SELECT value FROM json_each(?)) ORDER BY created_at, message"
        return [Message(*row) for row in self._rows(wanted, states)]

    def due(self, now: float) -> list[Message]:
        rows = self._query(
            f"{_MESSAGE} WHERE state = ? AND next_at <= ? ORDER BY next_at, message", DeliveryState.PENDING, now
        )
        return [Message(*row) for row in rows]

    def claim(self, message: str, now: float, until: float) -> bool:
        update = "UPDATE outbox SET next_at = ? WHERE message = ? AND state = ? AND next_at <= ?"
        with self.writing():
            return self._execute(update, until, message, DeliveryState.PENDING, now) == 1

    def settle(self, message: Message) -> None:
        update = "UPDATE outbox SET state = ?, attempts = ?, next_at = ?, error = ? WHERE message = ? AND state != ?"
        state = message.state, message.attempts, message.next_at, message.error
        self._execute(update, *state, message.message, DeliveryState.DELIVERED)
