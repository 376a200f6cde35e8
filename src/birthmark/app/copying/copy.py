"""`copy`: all that a store has of a repository, into another store that has nothing of it.

Takes two places; gives how many rows there were. What is written is put in its place when it is whole and was compared
with the source. An interrupted copy goes on, unless the source has changed: then it begins anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple, TypeVar

from birthmark.app.copying.places import CopyPlace, Rename, worktree_names
from birthmark.app.copying.rows import CopyRecord, copy_documents, copy_rows, find_difference, read_record, state_of
from birthmark.app.copying.targets import CopyTarget, target_of
from birthmark.app.indexing.index import Progress
from birthmark.app.workspace.stores import (
    has_index_at,
    has_log_at,
    has_subscriptions_at,
    locked_at,
    open_at,
    subscriptions_at,
)
from birthmark.app.workspace.workspace import make_home
from birthmark.errors import BirthmarkError, StoreError
from birthmark.store.model import StoreLocation
from birthmark.store.port import Store, StoreBase

AnyStore = TypeVar("AnyStore", bound=StoreBase)


class CopyReport(NamedTuple):
    """What was copied: rows by table, and how many of them an interrupted copy had put there."""

    source: StoreLocation
    target: StoreLocation
    rows: dict[str, int]
    n_resumed: int


class CopyOptions(NamedTuple):
    """How long to wait for a writer, whether an interrupted copy is dropped, and where progress is shown."""

    wait_seconds: float
    is_restart: bool
    progress: Progress


def copy_stores(source: CopyPlace, target: CopyPlace, options: CopyOptions) -> CopyReport:
    if not has_index_at(source.location):
        raise BirthmarkError(f"{source.location}: there is no index to copy")
    kind = target_of(target.location)
    with locked_at(kind.locked_location(target.location), options.wait_seconds):
        if kind.is_whole(target.location):
            kind.finish_copy(target.location)
            return _report_finished(source.location, target.location)
        if not _is_free(target.location):
            raise BirthmarkError(f"{target.location}: has an index or subscriptions; copy to where there is nothing")
        if options.is_restart:
            kind.discard_copy(target.location)
        report = _Copying(source, target, kind, options.progress).run()
        kind.finish_copy(target.location)
    return report


def _is_free(location: StoreLocation) -> bool:
    if has_index_at(location) or has_log_at(location):
        return False
    if not has_subscriptions_at(location):
        return True
    with closing(subscriptions_at(location)) as store:
        return not any(store.count_rows(table) for table in store.copied_tables)


def _report_finished(source: StoreLocation, target: StoreLocation) -> CopyReport:
    """Of a copy of which nothing but its last step was left."""
    with closing(open_at(target)) as store:
        rows = {table: store.count_rows(table) for table in store.copied_tables}
    return CopyReport(source, target, rows, sum(rows.values()))


class _Copying:
    """A copy of which nothing is usable yet."""

    def __init__(self, source: CopyPlace, target: CopyPlace, kind: CopyTarget, progress: Progress) -> None:
        self.source, self.target, self.kind, self.progress = source.location, target.location, kind, progress
        self.place = kind.unfinished_copy(target.location)
        self.rename: Rename = worktree_names(source, target)

    def run(self) -> CopyReport:
        """Returns what is there when it is the same as in the source."""
        with _reading(open_at(self.source)) as source:
            record = self._begin(source)
            with closing(self._open()) as target:
                rows = copy_rows(source, target, record, self.rename, self.progress)
            with closing(self._open()) as target:  # What makes questions fast is made now that all is there.
                self._compare(source, target)
                target.tidy()
        return CopyReport(self.source, self.target, rows | self._copy_documents(), sum(record.done.values()))

    def _open(self) -> Store:
        if not self.place.url:
            make_home(self.place.folder)
        return open_at(self.place, writable=True)

    def _begin(self, source: Store) -> CopyRecord:
        fresh = CopyRecord(str(self.source), state_of(source), {})
        with closing(self._open()) as target:
            known = read_record(target)
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
            rows = copy_documents(source, target)
            self._compare(source, target)
        return rows

    def _compare(self, source: StoreBase, target: StoreBase) -> None:
        with target.reading():
            table = find_difference(source, target, self.rename, self.progress)
        if table is not None:
            self.kind.discard_copy(self.target)
            raise StoreError(f"{self.target}: {table} are not those of {self.source}; the copy was dropped, report it")


@contextmanager
def _reading(store: AnyStore) -> Iterator[AnyStore]:
    """Of one moment."""
    with closing(store), store.reading():
        yield store
