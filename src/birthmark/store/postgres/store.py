"""The index of a repository in PostgreSQL: many may read while one writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import msgspec

from birthmark.store.model import StoreLocation, Use
from birthmark.store.port import Value
from birthmark.store.postgres.cache import PostgresCache
from birthmark.store.postgres.search import PostgresSearch
from birthmark.store.tables.commits import CommitTables
from birthmark.store.tables.copying import CopiedIndex
from birthmark.store.tables.ledger import LedgerTables
from birthmark.store.tables.merges import MergeTables
from birthmark.store.tables.packages import PackageTables
from birthmark.store.tables.snapshots import SnapshotTables

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


class PostgresStore(
    CopiedIndex, SnapshotTables, LedgerTables, MergeTables, CommitTables, PackageTables, PostgresSearch, PostgresCache
):
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
        """Of tables that have doubled, without which questions would be planned for tables as they were."""
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
        """Whether what belongs together is there; the server itself checks what it reads."""
        counts = {what: int(self._value(statement) or 0) for what, statement in _CHECKS.items()}
        return [f"{number:,} {what}" for what, number in counts.items() if number]

    # A column has values of one type: here text, in which paths and names begin otherwise than identities.

    def _node(self, node: int | str) -> Value:
        return _TEXT + node if isinstance(node, str) else str(node)

    def _node_order(self, column: str) -> str:
        is_text = f"starts_with({column}, '{_TEXT}')"
        return f"{is_text}, CASE WHEN {is_text} THEN 0 ELSE length({column}) END, {column}"

    def _use(self, row: Sequence[Any]) -> Use:
        used, user = (one if isinstance(one, int) else _unpack(one) for one in row[2:4])
        return Use(row[0], row[1], used, user, *row[4:])


def _unpack(node: str) -> int | str:
    return node.removeprefix(_TEXT) if node.startswith(_TEXT) else int(node)
