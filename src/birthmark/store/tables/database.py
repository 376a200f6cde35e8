"""The tables of an index, and a database as statements use it.

`store/sqlite/database.py` and `server/postgres/database.py` implement Database. Migrations create the tables.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from birthmark.store.port import Value

Rows = dict[str, list[Sequence[Value]]]  # by table
TABLES = {
    "meta": "name value",
    "extractions": (
        "extraction content language extractor outline source nodes n_entities n_nodes n_chunks n_edges notes"
    ),
    "paths": "path_id path",
    "runs": "run worktree branch revision at",
    "identities": "identity mark key run path_id start_line end_line",
    "keys": "key semantic_path birth identity",
    "events": "event identity run change path_id qualified_name start_line end_line content evidence confidence",
    "candidates": "old_identity new_identity run",
    "derivations": "source derivative run kind share source_share evidence confidence",
    "merges": "identity successor run",
    "versions": "version path_id extraction run identities",
    "commits": "run chain position first_parent other_parents",
    "removed_files": "path_id run is_read",
    "version_links": "version links",
    "snapshots": "snapshot worktree branch run extractor",
    "files": "snapshot path_id os_path size mtime_ns ctime_ns inode attribute content language version problem",
    "entities": ("version ordinal identity key kind name qualified_name content_hash start_line end_line body_hash"),
    "reference_names": "name version n_references n_calls packed",
    "networks": "network worktree maker generation",
    "resolved_files": "file network path version lookups provisions",
    "postings": "network used file packed",
    "candidate_sets": "network identity name",
    "packages": "package ecosystem name folder manifest",
    "dependencies": "package ecosystem name",
}
LEDGER = (
    *("paths", "runs", "identities", "keys", "events", "candidates", "derivations", "merges", "versions"),
    *("commits", "removed_files", "version_links"),
)
_EXTRACTION = (
    "extraction, content, language, extractor, NULL, NULL, NULL, n_entities, n_nodes, n_chunks, n_edges, notes"
)

_ALL = 9223372036854775807
_KEYS = {  # for the order of rows, unless it is the first column
    "candidates": "old_identity, new_identity",
    "derivations": "source, derivative, run",
    "removed_files": "path_id, run",
    "dependencies": "package, ecosystem, name",
    "files": "snapshot, path_id",
    "entities": "version, ordinal",
    "reference_names": "name, version",
    "postings": "network, file, used",
    "candidate_sets": "network, identity, name",
}


class Database(ABC):
    """Run statements, in which `?` or `?1` stand for values; `_array` makes one value of a collection.

    Numbers of each table continue from its last one. Within a transaction they are allotted from memory, so that a
    bulk load asks the database once a table. Paths are numbered too, behind the port.
    """

    tables: ClassVar[Mapping[str, str]]
    copied_tables: ClassVar[tuple[str, ...]]  # in the order in which they are put

    @abstractmethod
    def writing(self, *, is_last: bool = True) -> AbstractContextManager[None]: ...

    @abstractmethod
    def _query(self, statement: str, *values: Value) -> list[Any]: ...

    @abstractmethod
    def _each(self, statement: str, *values: Value) -> Iterator[Any]:
        """Yield the rows one by one; other statements may run meanwhile."""

    @abstractmethod
    def _execute(self, statement: str, *values: Value) -> int:
        """Return the number of changed rows."""

    @abstractmethod
    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Add rows that do not exist yet."""

    @abstractmethod
    def _replace(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Put rows, replacing those with the same key."""

    @abstractmethod
    def _add(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        """Add rows, skipping those that exist."""

    @abstractmethod
    def _array(self, values: Collection[Value]) -> Any:
        """Return several values as the one that `json_each(?)` reads."""

    def _rows(self, statement: str, values: Collection[Value]) -> list[Any]:
        """Run a statement whose only parameter is an array."""
        return self._query(statement, self._array(values)) if values else []

    def _value(self, statement: str, *values: Value) -> Value:
        rows = self._query(statement, *values)
        return rows[0][0] if rows else None

    def _delete(self, table: str, column: str, values: Collection[Value], **having: Value) -> None:
        """Delete the rows with one of some values in a column and the given values in others."""
        if values:
            others = "".join(f"{name} = ? AND " for name in having)
            statement = f"DELETE FROM {table} WHERE {others}{column} IN (SELECT value FROM json_each(?))"
            self._execute(statement, *having.values(), self._array(values))

    # Copies

    def rows_of(self, table: str, skip: int = 0) -> Iterator[Sequence[Any]]:
        columns, origin = self._selection(table)
        key = _KEYS.get(table, self.tables[table].split()[0])
        return self._each(f"SELECT {columns} {origin} ORDER BY {key} LIMIT {_ALL} OFFSET {skip}")

    def count_rows(self, table: str) -> int:
        return int(self._value(f"SELECT count(*) {self._selection(table)[1]}") or 0)

    def put_rows(self, table: str, rows: Sequence[Sequence[Any]]) -> None:
        self._insert(table, rows)

    def _selection(self, table: str) -> tuple[str, str]:
        return ", ".join(f'"{name}"' for name in self.tables[table].split()), f"FROM {table}"

    # Numbers

    def _forget_transaction(self) -> None:
        """Forget the numbers that were allotted."""
        self._last: dict[str, int] = {}
        self._path_ids: dict[str, int] = {}

    def _allot(self, table: str, count: int) -> range:
        if table not in self._last:
            self._last[table] = int(self._value(f"SELECT max({TABLES[table].split()[0]}) FROM {table}") or 0)
        first = self._last[table] + 1
        self._last[table] += count
        return range(first, first + count)

    def _number_paths(self, paths: Collection[str]) -> dict[str, int]:
        """Return the numbers of paths; new paths get one."""
        known = self._path_ids
        if missing := {path: None for path in paths if path not in known}:
            known.update(self._rows(having("SELECT path, path_id FROM paths", "path"), missing))
            new = [path for path in missing if path not in known]
            rows = list(zip(self._allot("paths", len(new)), new, strict=True))
            self._insert("paths", rows)
            known.update((path, number) for number, path in rows)
        return known


def select_ledger(table: str) -> str:
    """Select the rows of a table that belong to the ledger: extractions come without their results."""
    columns = _EXTRACTION if table == "extractions" else columns_of(table)
    return f"SELECT {columns} FROM {table}"


def columns_of(table: str) -> str:
    return ", ".join(f'"{name}"' for name in TABLES[table].split())


def having(statement: str, column: str) -> str:
    """Restrict a statement to the values of a JSON array, its only parameter."""
    return f"{statement} WHERE {column} IN (SELECT value FROM json_each(?))"
