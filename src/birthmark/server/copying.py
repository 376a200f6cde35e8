"""`copy`: all that a store has of a repository, into another store that has nothing of it.

Takes two places, each a folder or a database under the name of the repository; gives how many rows there were. Rows are
written in batches, each a transaction, to a CopyTarget, which is put in its place when it is whole and was compared
with the source. An interrupted copy goes on, unless the source has changed: then it begins anew. A worktree is named in
a folder by the way to it from there, in a database for all machines, so a copy gives it the name by which commands look
for it in the other place. The code that depends on the kind of store is in `store/*/copying.py`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from birthmark.app.server_part import load_part
from birthmark.app.workspace.freshness import Progress
from birthmark.app.workspace.stores import (
    has_index_at,
    has_log_at,
    has_subscriptions_at,
    locked_at,
    open_at,
    subscriptions_at,
)
from birthmark.app.workspace.workspace import choose_store, find_location, find_workspace, make_home, name_worktree
from birthmark.decoding import msgpack_decoder
from birthmark.documents.index import CopyDocument
from birthmark.errors import BirthmarkError, StoreError
from birthmark.store.model import COPY, REPLAY, StoreLocation
from birthmark.store.port import Store, StoreBase, SubscriptionStore

AnyStore = TypeVar("AnyStore", bound=StoreBase)
Row = Sequence[Any]
_LISTINGS = "listings "  # before a worktree, in `meta`
_MOST_ROWS, _MOST_BYTES = 5_000, 8 << 20  # of a batch
_WITH_WORKTREE = {"runs": 1, "snapshots": 1, "networks": 1}  # the column that names it
_UNCOMPARED = "extractions"  # They are shared: what versions have of them is compared with the versions.
Rename = Callable[[str], str]


def copy_stores(
    source: CopyPlace, target: CopyPlace, wait_seconds: float, progress: Progress, *, restarts: bool = False
) -> CopyDocument:
    """Copy all rows; `restarts` drops what an interrupted copy has put there."""
    if not has_index_at(source.location):
        raise BirthmarkError(f"{source.location}: there is no index to copy")
    kind = _target_of(target.location)
    with locked_at(kind.locked_location(target.location), wait_seconds):
        if kind.is_whole(target.location):
            kind.finish_copy(target.location)
            return _report_finished(source.location, target.location)
        if not _is_free(target.location):
            raise BirthmarkError(f"{target.location}: has an index or subscriptions; copy to where there is nothing")
        if restarts:
            kind.discard_copy(target.location)
        report = _Copying(source, target, kind, progress).run()
        kind.finish_copy(target.location)
    return report


def _is_free(location: StoreLocation) -> bool:
    if has_index_at(location) or has_log_at(location):
        return False
    if not has_subscriptions_at(location):
        return True
    with closing(subscriptions_at(location)) as store:
        return not any(store.count_rows(table) for table in store.copied_tables)


def _report_finished(source: StoreLocation, target: StoreLocation) -> CopyDocument:
    """Report a copy whose last step alone was missing."""
    with closing(open_at(target)) as store:
        rows = {table: store.count_rows(table) for table in store.copied_tables}
    return CopyDocument(str(source), str(target), rows, sum(rows.values()))


class _Copying:
    """A copy of which nothing is usable yet."""

    def __init__(self, source: CopyPlace, target: CopyPlace, kind: CopyTarget, progress: Progress) -> None:
        self.source, self.target, self.kind, self.progress = source.location, target.location, kind, progress
        self.place = kind.unfinished_copy(target.location)
        self.rename: Rename = _worktree_names(source, target)

    def run(self) -> CopyDocument:
        """Returns what is there when it is the same as in the source."""
        with _reading(open_at(self.source)) as source:
            record = self._begin(source)
            with closing(self._open()) as target:
                rows = _copy_rows(source, target, record, self.rename, self.progress)
            with closing(self._open()) as target:  # What makes questions fast is made now that all is there.
                self._compare(source, target)
                target.tidy()
        rows |= self._copy_documents()
        return CopyDocument(str(self.source), str(self.target), rows, sum(record.done.values()))

    def _open(self) -> Store:
        if not self.place.url:
            make_home(self.place.folder)
        return open_at(self.place, writable=True)

    def _begin(self, source: Store) -> CopyRecord:
        fresh = CopyRecord(str(self.source), _state_of(source), {})
        with closing(self._open()) as target:
            known = _read_record(target)
        if known is None or (known.source == fresh.source and known.state == fresh.state):
            return known or fresh
        if known.source != fresh.source:
            advice = "finish that one, or drop it with --restart"
            raise BirthmarkError(f"{self.target}: has an interrupted copy of {known.source}; {advice}")
        self.kind.discard_copy(self.target)
        return fresh

    def _copy_documents(self) -> dict[str, int]:
        if not has_subscriptions_at(self.source):
            return {}
        with (
            _reading(subscriptions_at(self.source)) as source,
            closing(subscriptions_at(self.place)) as target,
        ):
            rows = _copy_documents(source, target)
            self._compare(source, target)
        return rows

    def _compare(self, source: StoreBase, target: StoreBase) -> None:
        with target.reading():
            table = _find_difference(source, target, self.rename, self.progress)
        if table is not None:
            self.kind.discard_copy(self.target)
            raise StoreError(f"{self.target}: {table} are not those of {self.source}; the copy was dropped, report it")


@contextmanager
def _reading(store: AnyStore) -> Iterator[AnyStore]:
    """Read the store at one point in time."""
    with closing(store), store.reading():
        yield store


class CopyRecord(msgspec.Struct, frozen=True):
    """The progress of a copy: its source, the state of that, and the rows put into each table."""

    source: str
    state: bytes
    done: dict[str, int]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(CopyRecord).decode


def _read_record(store: Store) -> CopyRecord | None:
    packed = store.meta(COPY)
    return _decode(packed) if isinstance(packed, bytes) else None


def _state_of(store: Store) -> bytes:
    """Another one where something was written meanwhile."""
    counts = [store.count_rows(table) for table in store.copied_tables if table != "meta"]
    rows = [list(store.rows_of(table)) for table in ("snapshots", "networks")]
    return hashlib.sha256(_encode([counts, rows, store.ledger_end()])).digest()


def _copy_rows(source: Store, target: Store, record: CopyRecord, rename: Rename, progress: Progress) -> dict[str, int]:
    """Goes on where the record says; returns how many rows each table has."""
    done = dict(record.done)
    for table in source.copied_tables:
        total = source.count_rows(table)
        for batch in batches(source.rows_of(table, done.get(table, 0))):
            with target.writing(is_last=False):
                target.put_rows(table, [*_renamed(table, batch, rename)])
                done[table] = done.get(table, 0) + len(batch)
                target.set_meta(COPY, _encode(CopyRecord(record.source, record.state, done)))
            progress(f"copying {table.replace('_', ' ')}", done[table], total)
    return done


def _copy_documents(source: SubscriptionStore, target: SubscriptionStore) -> dict[str, int]:
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


def _renamed(table: str, rows: Iterable[Row], rename: Rename) -> Iterable[Row]:
    """Rows with the names that worktrees have in the target."""
    if table == "meta":
        return ((_rename_setting(name, rename), value) for name, value in rows)
    if (place := _WITH_WORKTREE.get(table)) is not None:
        return ((*row[:place], rename(row[place]), *row[place + 1 :]) for row in rows)
    return rows


def _rename_setting(name: str, rename: Rename) -> str:
    return _LISTINGS + rename(name.removeprefix(_LISTINGS)) if name.startswith(_LISTINGS) else name


def _find_difference(source: StoreBase, target: StoreBase, rename: Rename, progress: Progress) -> str | None:
    """The first table in which two stores do not have the same rows, in whatever order."""
    tables = [table for table in source.copied_tables if table != _UNCOMPARED]
    for number, table in enumerate(tables):
        progress("comparing", number, len(tables))
        if _digest(_renamed(table, source.rows_of(table), rename)) != _digest(target.rows_of(table)):
            return table
    return None


def _digest(rows: Iterable[Row], encode: Callable[[Any], bytes] = _encode) -> tuple[int, int]:
    """Return the number of rows and the sum of their hashes."""
    count = total = 0
    for row in rows:
        count += 1
        total += int.from_bytes(hashlib.blake2b(encode(tuple(row)), digest_size=16).digest(), "big")
    return count, total % (1 << 128)


class CopyTarget(Protocol):
    """The operations of a storage backend that a copy needs."""

    def unfinished_copy(self, location: StoreLocation) -> StoreLocation: ...
    def locked_location(self, location: StoreLocation) -> StoreLocation: ...
    def is_whole(self, location: StoreLocation) -> bool: ...
    def finish_copy(self, location: StoreLocation) -> None: ...
    def discard_copy(self, location: StoreLocation) -> None: ...


def _target_of(location: StoreLocation) -> CopyTarget:
    if location.url:
        in_database: CopyTarget = load_part("postgres.copying")
        return in_database
    from birthmark.store.sqlite import copying as in_folder

    return in_folder


class CopyPlace(NamedTuple):
    """A store, and the root of the repository of its folder."""

    location: StoreLocation
    root: Path


def find_places(source: str, target: str, current: Path) -> tuple[CopyPlace, CopyPlace]:
    """Databases are asked for the repository of the folder that is named, or of the current one."""
    folder = next((Path(name) for name in (source, target) if not _is_url(name)), current)
    home = find_workspace(folder).home
    places = _place(source, home), _place(target, home)
    if places[0].location == places[1].location:
        raise BirthmarkError("both places are the same; name another one to copy to")
    return places


def _is_url(name: str) -> bool:
    return "://" in name


def _place(name: str, home: Path) -> CopyPlace:
    if _is_url(name):
        return CopyPlace(find_location(home, choose_store(name)), home.parent)
    own = find_workspace(Path(name)).home
    return CopyPlace(StoreLocation(own), own.parent)


def _worktree_names(source: CopyPlace, target: CopyPlace) -> Rename:
    """Return the names in the target of the worktrees of the source."""
    if bool(source.location.url) == bool(target.location.url):
        return lambda name: name
    return _shared_name(source.root) if target.location.url else _local_name(target.root)


def _shared_name(root: Path) -> Rename:
    """Commits that were replayed, and refs of repositories without a worktree, are no paths."""
    return lambda name: (
        name
        if name in {REPLAY, "HEAD"} or name.startswith("refs/")
        else name_worktree(Path(os.path.normpath(root / name)))
    )


def _local_name(root: Path) -> Rename:
    here = name_worktree(Path("/")).removesuffix("/")

    def rename(name: str) -> str:
        path = name.removeprefix(here)
        return Path(os.path.relpath(path, root)).as_posix() if path != name else name

    return rename
