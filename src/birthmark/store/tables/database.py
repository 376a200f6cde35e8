"""A database as the tables use it; `sqlite/database.py` and `postgres/database.py` are the implementations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from birthmark.store.port import Value

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
