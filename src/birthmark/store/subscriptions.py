"""Subscriptions, scans and messages on disk, beside the index and independent of it.

The index can be made anew from the repository; what is kept here cannot. Documents are JSON and belong to the
callers.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.store.connect import connect, subscription_migrations, telling
from birthmark.vocabulary import DeliveryState

TABLES = ("subscriptions", "contents", "scans", "outbox")
_telling = partial(telling, promise="saves all that can be read")
_KEPT_SCANS = 200  # of which all is kept that they found
_SCAN = "SELECT scan, at, base, target, triggers, document FROM scans"
_MESSAGE = "SELECT message, scan, sink, body, state, attempts, next_at, error, created_at FROM outbox"


class ScanRow(NamedTuple):
    """A scan that was kept."""

    scan: int
    at: str
    base: str
    target: str
    triggers: int
    document: bytes


class Message(NamedTuple):
    """What is to be sent to a sink, and how far that has come."""

    message: str
    scan: int
    sink: str
    body: bytes
    state: str = DeliveryState.PENDING
    attempts: int = 0
    next_at: float = 0.0
    error: str | None = None
    created_at: str = ""


class SubscriptionStore:
    """Made where there is none; many processes may have it open at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with _telling(path):
            self.connection = connect(path, writable=True)
            self._migrate()

    def close(self) -> None:
        with _telling(self.path):
            self.connection.close()

    def _migrate(self) -> None:
        scripts = subscription_migrations()
        with self.writing():
            version = self._query("PRAGMA user_version")[0][0]
            if version > len(scripts):
                raise BirthmarkError(f"{self.path} was made by a newer birthmark; upgrade birthmark to use it")
            for number, script in enumerate(scripts[version:], version + 1):
                self.connection.execute(script)
                self.connection.execute(f"PRAGMA user_version = {number}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All between entering and leaving happens, or none of it."""
        with _telling(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def check_integrity(self) -> list[str]:
        """What SQLite finds wrong with the file."""
        lines = [str(row[0]) for row in self._query("PRAGMA integrity_check(10)")]
        return [] if lines == ["ok"] else lines

    def take_over(self, table: str, rows: Sequence[Sequence[object]]) -> int:
        """Add rows of another file that are not known yet; returns how many were given."""
        with self.writing():
            for row in rows:
                self.connection.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        return len(rows)

    # Subscriptions

    def subscriptions(self) -> list[bytes]:
        return [row[0] for row in self._query("SELECT document FROM subscriptions ORDER BY id")]

    def put(self, rows: Iterable[tuple[str, bytes]]) -> None:
        self.connection.executemany("INSERT OR REPLACE INTO subscriptions VALUES (?, ?)", list(rows))

    def delete(self, ids: Collection[str]) -> None:
        self.connection.executemany("DELETE FROM subscriptions WHERE id = ?", [(id_,) for id_ in ids])

    def content(self, content_id: str) -> bytes | None:
        rows = self._query("SELECT content FROM contents WHERE content_id = ?", content_id)
        return zlib.decompress(rows[0][0]) if rows else None

    def has_contents(self) -> bool:
        return bool(self._query("SELECT 1 FROM contents LIMIT 1"))

    def keep_contents(self, contents: Mapping[str, bytes]) -> None:
        rows = [(content_id, zlib.compress(content)) for content_id, content in contents.items()]
        self.connection.executemany("INSERT OR IGNORE INTO contents VALUES (?, ?)", rows)

    def drop_contents(self, used: Collection[str]) -> None:
        """Forget the contents that nobody has accepted any more."""
        known = {row[0] for row in self._query("SELECT content_id FROM contents")}
        self.connection.executemany("DELETE FROM contents WHERE content_id = ?", [(id_,) for id_ in known - set(used)])

    # Scans

    def add_scan(self, at: str, base: str, target: str, triggers: int) -> int:
        """The number of a scan, by which its letters name it; what it found follows."""
        insert = "INSERT INTO scans (at, base, target, triggers, document) VALUES (?, ?, ?, ?, x'')"
        self.connection.execute(insert, (at, base, target, triggers))
        return self.connection.last_insert_rowid()

    def set_scan(self, number: int, document: bytes) -> None:
        """Keep what a scan found; of those long ago only that they were is kept, and of messages what is open."""
        self.connection.execute("UPDATE scans SET document = ? WHERE scan = ?", (zlib.compress(document, 1), number))
        self.connection.execute("UPDATE scans SET document = x'' WHERE scan <= ?", (number - _KEPT_SCANS,))
        delete = "DELETE FROM outbox WHERE state = ? AND scan <= ?"
        self.connection.execute(delete, (DeliveryState.DELIVERED, number - _KEPT_SCANS))

    def scan(self, number: int | None = None) -> ScanRow | None:
        """One by its number, or the last, with what it found if that is still kept."""
        query = f"{_SCAN} ORDER BY scan DESC LIMIT 1" if number is None else f"{_SCAN} WHERE scan = ?"
        rows = self._query(query, *(() if number is None else (number,)))
        if not rows:
            return None
        row = ScanRow(*rows[0])
        return row._replace(document=zlib.decompress(row.document) if row.document else b"")

    def scans(self, limit: int) -> list[ScanRow]:
        """The newest first, without what they found."""
        columns = "scan, at, base, target, triggers, x''"
        return [ScanRow(*row) for row in self._query(f"SELECT {columns} FROM scans ORDER BY scan DESC LIMIT ?", limit)]

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
        """Take a message that is due, so that nobody else tries it before `until`; False if somebody was faster."""
        update = "UPDATE outbox SET next_at = ? WHERE message = ? AND state = ? AND next_at <= ?"
        with self.writing():
            self.connection.execute(update, (until, message, DeliveryState.PENDING, now))
            return self.connection.changes() == 1

    def settle(self, message: Message) -> None:
        """Keep how far a message has come. What was delivered stays so, though a slower sender failed meanwhile."""
        update = "UPDATE outbox SET state = ?, attempts = ?, next_at = ?, error = ? WHERE message = ? AND state != ?"
        values = (
            message.state,
            message.attempts,
            message.next_at,
            message.error,
            message.message,
            DeliveryState.DELIVERED,
        )
        with _telling(self.path):
            self.connection.execute(update, values)

    def _query(self, query: str, *values: str | int | float | None) -> list[Any]:
        with _telling(self.path):
            return self.connection.execute(query, values).fetchall()
