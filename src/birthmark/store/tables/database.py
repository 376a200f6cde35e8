"""A database as the tables use it; `sqlite/database.py` and `postgres/database.py` are the implementations.

NumberedTables allots numbers: each table's go on from its last; paths have theirs behind the port. Within a transaction
ranges are allotted from memory, so that a bulk load asks the database once a table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from birthmark.store.port import Value
from birthmark.store.tables.schema import TABLES, having

Rows = dict[str, list[Sequence[Value]]]  # by table


class Database(ABC):
    """Statements have `?` or `?1` where values go; a collection of values is one of them, see `array`."""

    @abstractmethod
    def writing(self, *, is_last: bool = True) -> AbstractContextManager[None]: ...

    @abstractmethod
    def _query(self, statement: str, *values: Value) -> list[Any]: ...

    @abstractmethod
    def _each(self, statement: str, *values: Value) -> Iterator[Any]:
        """The rows one by one; other statements may run meanwhile."""

    @abstractmethod
    def _execute(self, statement: str, *values: Value) -> int:
        """Returns how many rows were changed."""

    @abstractmethod
    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Add rows; none of them may be there."""

    @abstractmethod
    def _replace(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Put rows in the place of those that have the same key."""

    @abstractmethod
    def _add(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Add the rows that are not there."""

    @abstractmethod
    def _array(self, values: Collection[Value]) -> Any:
        """Several values as one: what `json_each(?)` reads."""

    def _rows(self, statement: str, values: Collection[Value]) -> list[Any]:
        """Of a statement that takes an array of values."""
        return self._query(statement, self._array(values)) if values else []

    def _value(self, statement: str, *values: Value) -> Value:
        rows = self._query(statement, *values)
        return rows[0][0] if rows else None

    def _delete(self, table: str, column: str, values: Collection[Value], **having: Value) -> None:
        """Delete the rows that have one of some values and, in other columns, these."""
        if values:
            others = "".join(f"{name} = ? AND " for name in having)
            statement = f"DELETE FROM {table} WHERE {others}{column} IN (SELECT value FROM json_each(?))"
            self._execute(statement, *having.values(), self._array(values))


class NumberedTables(Database):
    """The numbers that a transaction has allotted are forgotten with it."""

    def _forget_transaction(self) -> None:
        self._last: dict[str, int] = {}
        self._path_ids: dict[str, int] = {}

    def _allot(self, table: str, count: int) -> range:
        if table not in self._last:
            self._last[table] = int(self._value(f"SELECT max({TABLES[table].split()[0]}) FROM {table}") or 0)
        first = self._last[table] + 1
        self._last[table] += count
        return range(first, first + count)

    def _number_paths(self, paths: Collection[str]) -> dict[str, int]:
        """The numbers of paths; new ones get theirs."""
        known = self._path_ids
        if missing := {path: None for path in paths if path not in known}:
            known.update(self._rows(having("SELECT path, path_id FROM paths", "path"), missing))
            new = [path for path in missing if path not in known]
            rows = list(zip(self._allot("paths", len(new)), new, strict=True))
            self._insert("paths", rows)
            known.update((path, number) for number, path in rows)
        return known
