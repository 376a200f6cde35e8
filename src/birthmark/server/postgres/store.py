"""The stores of a repository in PostgreSQL: its index, and its subscriptions, notes, scans and messages.

Many may read while one writes. All repositories of a database share the cache of extractions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from birthmark.model import Level
from birthmark.server.postgres.connect import Connection, give, take
from birthmark.server.postgres.database import SCHEMA, PostgresDatabase
from birthmark.server.postgres.search import PostgresSearch
from birthmark.server.postgres.staging import replace_rows
from birthmark.store.model import ContentKey, DocumentTable, StoreLocation
from birthmark.store.port import Value
from birthmark.store.tables.caches import AT_LEVEL, ENTITIES_ONLY, EXTRACTION, CacheTables
from birthmark.store.tables.copying import CopiedIndex
from birthmark.store.tables.ledger import LedgerTables
from birthmark.store.tables.merges import MergeTables
from birthmark.store.tables.snapshots import SnapshotTables
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES, SubscriptionTables

_MANY = 1_000  # new rows in a transaction, after which the planner's statistics may have to be made anew
_TEXT = "="  # before a node that is no identity
_CHECKS = {
    "versions without an extraction": (
        "SELECT count(*) FROM versions LEFT JOIN extractions USING (extraction) WHERE extractions.extraction IS NULL"
    ),
    "files without their version": (
        """SELECT count(*) FROM files LEFT JOIN versions USING (version)
           WHERE files.version IS NOT NULL AND versions.version IS NULL"""
    ),
    "identities without their first key": (
        "SELECT count(*) FROM identities LEFT JOIN keys USING (key) WHERE keys.key IS NULL"
    ),
    "keys without their identity": (
        "SELECT count(*) FROM keys LEFT JOIN identities USING (identity) WHERE identities.identity IS NULL"
    ),
}

# What another repository has extracted with more detail is kept.
_RANK = f"CASE WHEN {{0}}.nodes IS NOT NULL THEN 2 WHEN {{0}}.n_chunks <> {ENTITIES_ONLY} THEN 1 ELSE 0 END"
_NO_LESS = f" WHERE extractions.outline IS NULL OR {_RANK.format('excluded')} >= {_RANK.format('extractions')}"
_OURS = "extraction IN (SELECT extraction FROM versions)"


class PostgresCache(CacheTables, PostgresDatabase):
    """Extractions, by numbers that hold for all repositories."""

    @cached_property
    def _beside(self) -> Connection:
        """Put rows that are of use to all at once, and are not taken back with a transaction.

        Nor does it wait for one: others may put the same at the same time.
        """
        return take(self.location.url)

    def close(self) -> None:
        if "_beside" in self.__dict__:
            give(self.location.url, self._beside)
        super().close()

    def _put_extractions(self, rows: list[tuple[Value, ...]]) -> None:
        with self._errors(), self._beside.transaction():
            replace_rows(self._beside, "extractions", EXTRACTION, rows, EXTRACTION[:3], _NO_LESS)

    def _contents(self, content_ids: Collection[bytes]) -> list[bytes]:
        return list(content_ids)

    def incomplete_extractions(self, extractor: str, level: Level) -> dict[int, ContentKey]:
        rows = self._query(
            f"""SELECT extraction, content, language FROM extractions
                WHERE extractor = ? AND NOT ({AT_LEVEL[level]}) AND {_OURS}""",
            extractor,
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    def forget_outlines(self) -> None:
        """Those of this repository; others have packed theirs in the same way, or make them again."""
        statement = f"SELECT extraction FROM extractions WHERE outline IS NOT NULL AND {_OURS}"
        numbers = [row[0] for row in self._query(statement)]
        forget = "UPDATE birthmark.extractions SET outline = NULL, nodes = NULL WHERE extraction = ANY($1)"
        if numbers:
            with self._errors():
                self._beside.execute(forget, (numbers,))


class PostgresStore(CopiedIndex, SnapshotTables, LedgerTables, MergeTables, PostgresSearch, PostgresCache):
    """Opens an index; a writable one is made where there is none."""

    primary_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "files": ("snapshot", "path_id"),
        "snapshots": ("snapshot",),
        "networks": ("network",),
        "meta": ("name",),
        "runs": ("run",),
        "identities": ("identity",),
        "keys": ("key",),
        "merges": ("identity",),
        "versions": ("version",),
        "entities": ("version", "ordinal"),
    }
    _places = (
        "jsonb_array_elements(?::jsonb) AS place(value)",
        "(place.value ->> 0)::bigint",
        "(place.value ->> 1)::integer",
    )

    def __init__(self, location: StoreLocation, *, writable: bool = False) -> None:
        super().__init__(location, writable=writable)
        self._forget_transaction()

    @contextmanager
    def writing(self, *, is_last: bool = True) -> Iterator[None]:
        self._forget_transaction()
        try:
            with super().writing(is_last=is_last):
                yield
            if self._n_inserted > _MANY:
                self._refresh_statistics()
        finally:
            self._forget_transaction()

    def _refresh_statistics(self) -> None:
        """Update the statistics of tables that have doubled, on which query plans depend."""
        with self._errors():
            self.connection.execute("SELECT birthmark.refresh_statistics($1)", (self.number,))

    def _before_commit(self, *, is_last: bool) -> None:
        self._add_searched_names()

    def meta(self, name: str) -> Value:
        packed = self._value("SELECT value FROM meta WHERE name = ?", name)
        return msgspec.msgpack.decode(packed) if isinstance(packed, bytes) else None

    def set_meta(self, name: str, value: Value) -> None:
        self._replace("meta", [(name, msgspec.msgpack.encode(value))])

    def tidy(self) -> None:
        """The server sees to that."""

    def check_integrity(self) -> list[str]:
        """Return whether what belongs together is there; the server itself checks what it reads."""
        counts = {what: int(self._value(statement) or 0) for what, statement in _CHECKS.items()}
        return [f"{number:,} {what}" for what, number in counts.items() if number]

    # A column has values of one type: here text, in which paths and names begin otherwise than identities.

    def _node(self, node: int | str) -> Value:
        return _TEXT + node if isinstance(node, str) else str(node)

    def _unpack_node(self, node: Any) -> int | str:
        return node.removeprefix(_TEXT) if node.startswith(_TEXT) else int(node)


class PostgresSubscriptions(SubscriptionTables, PostgresDatabase):
    """Made where there are none; many processes may have them open at once."""

    primary_keys: ClassVar[Mapping[str, tuple[str, ...]]] = dict.fromkeys(map(str, DocumentTable), ("id",))
    tables = SUBSCRIPTION_TABLES
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
