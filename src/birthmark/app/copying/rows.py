"""Copy the rows of a store into another one in batches, each a transaction, and compare both when all are there."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from birthmark.app.copying.places import Rename
from birthmark.app.indexing.index import Progress
from birthmark.decoding import msgpack_decoder
from birthmark.store.model import COPY
from birthmark.store.port import Store, StoreBase, SubscriptionStore

Row = Sequence[Any]
LISTINGS = "listings "  # before a worktree, in `meta`
_MOST_ROWS, _MOST_BYTES = 5_000, 8 << 20  # of a batch
_WITH_WORKTREE = {"runs": 1, "snapshots": 1, "networks": 1}  # the column that names it
_UNCOMPARED = "extractions"  # They are shared: what versions have of them is compared with the versions.


class CopyRecord(msgspec.Struct, frozen=True):
    """How far a copy is: of what, in which state, and how many rows of each table were put."""

    source: str
    state: bytes
    done: dict[str, int]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(CopyRecord).decode


def read_record(store: Store) -> CopyRecord | None:
    packed = store.meta(COPY)
    return _decode(packed) if isinstance(packed, bytes) else None


def state_of(store: Store) -> bytes:
    """Another one where something was written meanwhile."""
    counts = [store.count_rows(table) for table in store.copied_tables if table != "meta"]
    rows = [list(store.rows_of(table)) for table in ("snapshots", "networks")]
    return hashlib.sha256(_encode([counts, rows, store.ledger_end()])).digest()


def copy_rows(source: Store, target: Store, record: CopyRecord, rename: Rename, progress: Progress) -> dict[str, int]:
    """Goes on where the record says; returns how many rows each table has."""
    done = dict(record.done)
    for table in source.copied_tables:
        total = source.count_rows(table)
        for batch in batches(source.rows_of(table, done.get(table, 0))):
            with target.writing(is_last=False):
                target.put_rows(table, [*renamed(table, batch, rename)])
                done[table] = done.get(table, 0) + len(batch)
                target.set_meta(COPY, _encode(CopyRecord(record.source, record.state, done)))
            progress(f"copying {table.replace('_', ' ')}", done[table], total)
    return done


def copy_documents(source: SubscriptionStore, target: SubscriptionStore) -> dict[str, int]:
    """Subscriptions and what belongs to them, in one transaction, unless they are there already."""
    counts = {table: source.count_rows(table) for table in source.copied_tables}
    if not any(target.count_rows(table) for table in target.copied_tables):
        with target.writing():
            for table in source.copied_tables:
                for batch in batches(source.rows_of(table)):
                    target.put_rows(table, batch)
    return counts


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    n_bytes = 0
    for row in rows:
        batch.append(row)
        n_bytes += sum(len(value) for value in row if isinstance(value, bytes))
        if len(batch) >= _MOST_ROWS or n_bytes >= _MOST_BYTES:
            yield batch
            batch, n_bytes = [], 0
    if batch:
        yield batch


def renamed(table: str, rows: Iterable[Row], rename: Rename) -> Iterable[Row]:
    """Rows with the names that worktrees have in the target."""
    if table == "meta":
        return ((_rename_setting(name, rename), value) for name, value in rows)
    if (place := _WITH_WORKTREE.get(table)) is not None:
        return ((*row[:place], rename(row[place]), *row[place + 1 :]) for row in rows)
    return rows


def _rename_setting(name: str, rename: Rename) -> str:
    return LISTINGS + rename(name.removeprefix(LISTINGS)) if name.startswith(LISTINGS) else name


def find_difference(source: StoreBase, target: StoreBase, rename: Rename, progress: Progress) -> str | None:
    """The first table in which two stores do not have the same rows, in whatever order."""
    tables = [table for table in source.copied_tables if table != _UNCOMPARED]
    for number, table in enumerate(tables):
        progress("comparing", number, len(tables))
        if digest(renamed(table, source.rows_of(table), rename)) != digest(target.rows_of(table)):
            return table
    return None


def digest(rows: Iterable[Row], encode: Callable[[Any], bytes] = _encode) -> tuple[int, int]:
    """How many, and the sum of their hashes."""
    count = total = 0
    for row in rows:
        count += 1
        total += int.from_bytes(hashlib.blake2b(encode(tuple(row)), digest_size=16).digest(), "big")
    return count, total % (1 << 128)
