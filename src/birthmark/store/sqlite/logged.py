"""A database with a log: additions of a transaction are in the log before it is committed.

The database keeps the number of its last transaction and the end of the log at that time. So the record of a failed
transaction is cut off the next time, a damaged log is rewritten, and a database older than its log is refused.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import ClassVar

from birthmark.errors import DamagedError
from birthmark.store.port import Value
from birthmark.store.sqlite.database import SqliteDatabase
from birthmark.store.sqlite.log import LogState, RowLog
from birthmark.store.tables.database import Rows

_END, _NUMBER, _STALE = "log_end", "log_number", "log_stale"


class LoggedDatabase(SqliteDatabase):
    """A database with a table `meta`; rows of `logged_tables` are in the log."""

    log: RowLog | None
    _is_log_stale = False  # because of the current transaction
    mended: list[str]  # sentences
    logged_tables: ClassVar[Collection[str]]
    compared_tables: ClassVar[Collection[str]]  # logged ones whose rows never change

    @abstractmethod
    def logged_rows(self) -> Iterator[Rows]:
        """Yield all rows that belong in the log, a table at a time."""

    @abstractmethod
    def _has_logged_rows(self) -> bool: ...

    def meta(self, name: str) -> Value:
        return self._value("SELECT value FROM meta WHERE name = ?", name)

    def set_meta(self, name: str, value: Value) -> None:
        with self._errors():
            self.connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (name, value))

    def _require_log(self, version: int) -> None:
        """Refuse an empty database with a log that is not empty."""
        if version == 0 and self.log is not None and self.log.size():
            raise DamagedError(f"{self.path}: is empty, its log is not; run `birthmark doctor`, which {self.promise}")

    def _log_number(self) -> int:
        """Return the last transaction; those of before they were numbered count as one."""
        number = self.meta(_NUMBER)
        return int(number) if number is not None else int(self.meta(_END) is not None)

    def _append_to_log(self, rows: Rows) -> None:
        """Log the additions of a transaction before it is committed."""
        if self.log is not None:
            number = self._log_number() + 1
            self._set_log_end(self.log.append(rows, number, int(self.meta(_END) or 0)), number)

    def _set_log_end(self, end: int, number: int) -> None:
        self.set_meta(_END, end)
        self.set_meta(_NUMBER, number)

    def _outdate_log(self) -> None:
        """Mark the log as outdated by changed rows; it is rewritten after the transaction."""
        self.set_meta(_STALE, 1)
        self._is_log_stale = True

    def _renew_log(self) -> None:
        if self.log is not None and self.meta(_STALE):
            with self.writing():
                self.rewrite_log(self.log)

    def _newest(self, state: LogState) -> int:
        """Return the newest transaction of a log; old formats have offsets instead of numbers."""
        if not state.is_old:
            return state.newest
        end = int(self.meta(_END) or 0)
        return 1 + sum(frame.start >= end for frame in state.frames)

    def _reconcile(self, log: RowLog, *, is_checked: bool = False) -> None:
        """Make the log agree with the database; unless `is_checked`, trust a log of the right size."""
        self._renew_log()
        if not is_checked and log.size() == int(self.meta(_END) or 0) and self.meta(_NUMBER) is not None:
            return
        with self.writing():  # Wait for other writers.
            state, number = log.read(), self._log_number()
            if self._newest(state) > number + 1:
                raise DamagedError(f"{self.path}: is older than its log; run `birthmark doctor`, which {self.promise}")
            if state.is_old or not _has_all(state, number):
                if number or self._has_logged_rows():
                    self._mend(log, state)
            else:
                end = max((frame.end for frame in state.frames if frame.number <= number), default=0)
                if state.size > end:
                    log.truncate(end)
                self._set_log_end(end, number)

    def _mend(self, log: RowLog, state: LogState) -> None:
        """Rewrite the log, keeping a damaged one aside."""
        if state.size and (not state.is_old or state.n_missing):
            aside = set_aside(log.path)
            trouble = state.describe() or "its last records are missing"
            self.mended.append(f"{log.path.name} was damaged: {trouble}; it was written anew, see {aside.name}")
        self.rewrite_log(log)

    def mend_log(self) -> list[str]:
        """Check the whole log and rewrite it if it is damaged; return all repairs since this was opened."""
        if self.log is not None:
            self._reconcile(self.log, is_checked=True)
        return self.mended

    def rewrite_log(self, log: RowLog, after: int = 0) -> None:
        """Rewrite the log from the database, as of a transaction later than `after`."""
        number = max(self._log_number(), after + 1)
        with self._errors():
            self._set_log_end(log.rewrite(self.logged_rows(), len(self.logged_tables), number), number)
            self.set_meta(_STALE, 0)

    def check_integrity(self) -> list[str]:
        return self.check_database() or self._check_log()

    def check_database(self) -> list[str]:
        """Describe damage of the database itself: it is inconsistent, or differs from a whole log."""
        findings = super().check_integrity()
        if findings or self.log is None or self.meta(_STALE):
            return findings
        state, number = self.log.read(), self._log_number()
        if self._newest(state) > number + 1:
            return [f"{self.path.name} is older than {self.log.path.name}"]
        if not state.frames or not (state.is_whole and (state.is_old or _has_all(state, number))):
            return []
        end = int(self.meta(_END) or 0)
        kept = [one for one in state.frames if (one.start < end if state.is_old else one.number <= number)]
        return self._compare_rows(self.log.records(state._replace(frames=kept)), self.log.path.name)

    def _check_log(self) -> list[str]:
        """Describe damage of the log."""
        state, number = self.log.read() if self.log is not None else LogState([], 0), self._log_number()
        if self.log is None or number == 0 or (state.is_whole if state.is_old else _has_all(state, number)):
            return []
        return [f"{self.log.path.name} is damaged: {state.describe() or 'its last records are missing'}"]

    def _compare_rows(self, records: Iterator[Rows], name: str) -> list[str]:
        logged, stored = Counter[str](), Counter[str]()
        for digests, found in ((logged, records), (stored, self.logged_rows())):
            for record in found:
                for table, rows in record.items():
                    digests[table] += sum(hash(tuple(row)) for row in rows)
        differing = [table for table in self.compared_tables if logged[table] != stored[table]]
        return [f"{table}: differs from {name}" for table in differing]


def _has_all(state: LogState, number: int) -> bool:
    """Return True if a log has all transactions up to one."""
    if number == 0:
        return not state.frames
    torn = state.n_skipped_bytes and state.end + state.n_skipped_bytes != state.size
    return state.is_whole and state.newest >= number and not torn


def set_aside(path: Path) -> Path:
    """Rename a damaged file to a free name; delete the files that SQLite keeps next to it."""
    numbered = (path.with_name(f"{path.name}.damaged-{number}") for number in range(1, 1_000_000))
    aside = next(name for name in numbered if not name.exists())
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    path.replace(aside)
    return aside
