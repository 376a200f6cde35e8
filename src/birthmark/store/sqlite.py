"""The store in SQLite: one file that many may read while one writes.

A write is one transaction; what it adds to the ledger is appended to the log (`log.py`) before it is committed.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from birthmark.errors import BirthmarkError, DamagedError
from birthmark.store.connect import connect, index_script, migrations, telling
from birthmark.store.log import LedgerLog, Rows
from birthmark.store.port import (
    LEDGER,
    SKETCHED,
    TABLES,
    Event,
    FileRow,
    Identity,
    KeyRow,
    MentionRow,
    Present,
    Run,
    Snapshot,
    Value,
    Version,
)

_ENTITY_COLUMNS = ", ".join(Present._fields)
_EXTRACTION = (
    "extraction, content, language, extractor, NULL, NULL, NULL, n_entities, n_nodes, n_chunks, n_edges, notes"
)
_VERSION = "SELECT version, path, extraction, run, identities FROM versions JOIN paths USING (path_id)"
_EVENT = f"SELECT {', '.join(Event._fields)} FROM events JOIN paths USING (path_id)"
_IDENTITY = """SELECT identities.identity, mark, semantic_path || ':T' || birth, run, path, start_line, end_line
               FROM identities JOIN paths USING (path_id) JOIN keys USING (key)"""
_WITH_NODES, _IN_FULL = "nodes IS NOT NULL", f"outline IS NOT NULL AND n_chunks != {SKETCHED}"
_AMONG = "{} IN (SELECT value FROM json_each(?1))"
_SNAPSHOT = """SELECT snapshot, snapshots.worktree, snapshots.branch, run, extractor, revision, at
               FROM snapshots JOIN runs USING (run)"""


class SqliteStore:
    """Opens an index, and brings it to the newest version if it may write."""

    def __init__(self, path: Path, log: LedgerLog | None = None, *, writable: bool = False) -> None:
        self.path, self.log = path, log
        with telling(path):
            self.connection = connect(path, writable)
            version = int(self._value("PRAGMA user_version") or 0)
            if version > len(migrations()):
                raise BirthmarkError(f"{path} was made by a newer birthmark; upgrade birthmark to use it")
            if version == 0 and (not writable or (log is not None and log.size())):
                raise DamagedError(f"{path}: the index is empty; run `birthmark doctor`, which keeps every identity")
            if writable:
                self._migrate(version)
            elif version < len(migrations()):
                raise BirthmarkError(f"{path} was made by an older birthmark; run `birthmark index` to upgrade it")
        self._added: Rows = {}
        if writable and log is not None:
            self._reconcile(log)

    def close(self) -> None:
        with telling(self.path):
            self.connection.close()

    def _migrate(self, version: int) -> None:
        for number, script in enumerate(migrations()[version:], version + 1):
            with self.connection:
                self.connection.execute(script)
                self.connection.execute(f"PRAGMA user_version = {number}")

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        with telling(self.path):
            self._added = {}
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                if self._added:
                    self._build_indexes()
                    if self.log is not None:
                        self._remember_end(self.log.append(self._log_record()))
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def _build_indexes(self) -> None:
        """Those of a first index are built once it is loaded."""
        self.connection.execute(index_script())

    def _log_record(self) -> Rows:
        """What was added, with what its versions were extracted from."""
        used = {int(row[2] or 0) for row in self._added.get("versions", ())}
        rows = self._rows(_having(f"SELECT {_EXTRACTION} FROM extractions", "extraction"), used)
        return {"extractions": rows, **self._added}

    def _reconcile(self, log: LedgerLog) -> None:
        """Make the log say what the database says: cut off what was never committed, write what is missing."""
        if self.is_behind(log):
            raise DamagedError(
                f"{self.path}: is older than its ledger; run `birthmark doctor`, which keeps every identity"
            )
        end = self._log_end()
        if log.size() > end:
            log.truncate(end)
        elif log.size() < end:
            self._remember_end(log.rewrite(self.ledger()))

    def is_behind(self, log: LedgerLog) -> bool:
        """Whether the log knows of more than the one transaction that may have failed: this is an older copy, say."""
        return sum(1 for _ in log.records(self._log_end())) > 1

    def _log_end(self) -> int:
        return int(self.meta("log_end") or 0)

    def _remember_end(self, end: int) -> None:
        self.set_meta("log_end", end)

    def rewrite_log(self, log: LedgerLog | None = None) -> None:
        """Write the log anew from what the database holds."""
        log = log or self.log
        assert log is not None
        with telling(self.path):
            self._remember_end(log.rewrite(self.ledger()))

    def check_integrity(self) -> list[str]:
        """What SQLite finds wrong with the file."""
        lines = [str(row[0]) for row in self._query("PRAGMA integrity_check(10)")]
        return [] if lines == ["ok"] else lines

    def tidy(self) -> None:
        """Bring what was written lately into the file itself, and refresh what the planner knows."""
        with telling(self.path):
            self.connection.execute("PRAGMA optimize")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def meta(self, name: str) -> Value:
        return self._value("SELECT value FROM meta WHERE name = ?", name)

    def set_meta(self, name: str, value: Value) -> None:
        with telling(self.path):
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def forget_outlines(self) -> None:
        """What was packed by another version of this program cannot be unpacked; the sources stay."""
        with telling(self.path):
            self.connection.execute("UPDATE extractions SET outline = NULL, nodes = NULL")

    def take_over(self, record: Rows) -> int:
        """Add rows of a ledger that are not known yet; returns how many were given."""
        with self.writing():
            for table, rows in record.items():
                self.connection.executemany(_insert(table, "INSERT OR IGNORE"), rows)
        return sum(len(rows) for rows in record.values())

    def count(self, table: str) -> int:
        return int(self._value(f"SELECT count(*) FROM {table}") or 0)

    def ledger(self) -> Iterator[Rows]:
        """All that the ledger holds, a table at a time."""
        for table in ("extractions", *LEDGER):
            yield {table: self._query(f"SELECT {ledger_columns(table)} FROM {table}")}

    def insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        rows = list(rows)
        if table in LEDGER:
            self._added.setdefault(table, []).extend(rows)
        self.connection.executemany(_insert(table), rows)

    def keep_extractions(self, rows: Iterable[Sequence[Value]]) -> None:
        """Add to the cache. The number of an extraction is the store's to give; a forgotten one has it already."""
        columns = TABLES["extractions"].split()[1:]
        self.connection.executemany(
            f"INSERT INTO extractions ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
            f" ON CONFLICT DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in columns[3:])}",
            rows,
        )

    def put_files(self, rows: Iterable[FileRow]) -> None:
        self.connection.executemany(_insert("files", "INSERT OR REPLACE"), rows)

    def drop_files(self, snapshot: int, path_ids: Collection[int]) -> None:
        statement = "DELETE FROM files WHERE snapshot = ? AND path_id = ?"
        self.connection.executemany(statement, [(snapshot, path_id) for path_id in path_ids])

    def drop_idle_versions(self, versions: Collection[int]) -> None:
        """Entities and edges of versions that no snapshot holds any more leave the index."""
        used = {row[0] for row in self._rows(_having("SELECT version FROM files", "version"), versions)}
        idle = [(version,) for version in versions if version not in used]
        for table in ("entities", "edges"):
            self.connection.executemany(f"DELETE FROM {table} WHERE version = ?", idle)

    def use_snapshot(self, worktree: str, branch: str, run: int, extractor: str, base: int | None) -> int:
        """The snapshot of a worktree on a branch; it starts as what the worktree held last."""
        found = self._value("SELECT snapshot FROM snapshots WHERE worktree = ? AND branch = ?", worktree, branch)
        snapshot = found if isinstance(found, int) else self.last("snapshots") + 1
        replace = _insert("snapshots", "INSERT OR REPLACE")
        self.connection.execute(replace, (snapshot, worktree, branch, run, extractor))
        if base is not None and base != snapshot:
            self._copy_files(base, snapshot)
        return snapshot

    def _copy_files(self, base: int, snapshot: int) -> None:
        left = self._query("SELECT version FROM files WHERE snapshot = ? AND version IS NOT NULL", snapshot)
        self.connection.execute("DELETE FROM files WHERE snapshot = ?", (snapshot,))
        columns = ", ".join(TABLES["files"].split()[1:])
        self.connection.execute(
            f"INSERT INTO files SELECT ?, {columns} FROM files WHERE snapshot = ?",
            (snapshot, base),
        )
        self.drop_idle_versions([row[0] for row in left])

    def last(self, table: str) -> int:
        """The highest number given in a table."""
        number = self._value(f"SELECT max({TABLES[table].split()[0]}) FROM {table}")
        return number if isinstance(number, int) else 0

    def path_ids(self, paths: Collection[str]) -> dict[str, int]:
        """The numbers of paths; new ones get theirs."""
        statement = _having("SELECT path, path_id FROM paths", "path")
        known = dict(self._rows(statement, paths))
        new = [path for path in paths if path not in known]
        if new:
            first = self.last("paths") + 1
            added = {path: number for number, path in enumerate(dict.fromkeys(new), first)}
            self.insert("paths", [(number, path) for path, number in added.items()])
            known |= added
        return known

    # The cache

    def extractions(
        self,
        contents: Collection[tuple[bytes, str]],
        extractor: str,
        *,
        with_nodes: bool = False,
        or_sketched: bool = False,
    ) -> dict[tuple[bytes, str], int]:
        """The extractions that are kept, by content and language; with their nodes, or only sketched, where asked."""
        kept = "outline IS NOT NULL" if or_sketched else _WITH_NODES if with_nodes else _IN_FULL
        found = self._query(
            f"""SELECT content, language, extraction FROM extractions
                WHERE content IN (SELECT unhex(value) FROM json_each(?)) AND extractor = ? AND {kept}""",
            json.dumps([content.hex() for content, _ in contents]),
            extractor,
        )
        return {(content, language): extraction for content, language, extraction in found}

    def sketches(self, extractions: Collection[int]) -> dict[int, tuple[bytes, str]]:
        """Those of them that are mere sketches, with content and language."""
        statement = _having("SELECT extraction, content, language FROM extractions", "extraction")
        rows = self._rows(f"{statement} AND n_chunks = {SKETCHED}", extractions)
        return {row[0]: (row[1], row[2]) for row in rows}

    def forgotten(self, extractor: str) -> dict[int, tuple[bytes, str]]:
        """The extractions whose outlines are no longer kept, with content and language."""
        statement = "SELECT extraction, content, language FROM extractions WHERE outline IS NULL AND extractor = ?"
        return {row[0]: (row[1], row[2]) for row in self._query(statement, extractor)}

    def outlines(self, extractions: Collection[int]) -> Iterator[tuple[int, bytes]]:
        statement = _having("SELECT extraction, outline FROM extractions", "extraction")
        with telling(self.path):
            for extraction, outline in self.connection.execute(statement, (json.dumps(list(extractions)),)):
                if outline is not None:
                    yield extraction, outline

    def source(self, extraction: int) -> bytes | None:
        source = self._value("SELECT source FROM extractions WHERE extraction = ?", extraction)
        return source if isinstance(source, bytes) else None

    def nodes(self, extraction: int) -> bytes | None:
        nodes = self._value("SELECT nodes FROM extractions WHERE extraction = ?", extraction)
        return nodes if isinstance(nodes, bytes) else None

    # Snapshots

    def snapshot(self, worktree: str) -> Snapshot | None:
        return next((found for found in self.snapshots() if found.worktree == worktree), None)

    def snapshots(self) -> list[Snapshot]:
        """The newest first."""
        return [Snapshot(*row) for row in self._query(_SNAPSHOT + " ORDER BY run DESC")]

    def files(self, snapshot: int, paths: Collection[str] | None = None) -> dict[str, FileRow]:
        """The files of a snapshot, or those at some paths."""
        columns = ", ".join(FileRow._fields)
        statement = f"SELECT path, {columns} FROM files JOIN paths USING (path_id) WHERE snapshot = ?"
        if paths is None:
            rows = self._query(statement, snapshot)
        else:
            rows = self._query(statement + " AND path IN (SELECT value FROM json_each(?))", snapshot, _array(paths))
        return {row[0]: FileRow(*row[1:]) for row in rows}

    def present(self, snapshot: int, column: str, values: Collection[Value]) -> list[Present]:
        """Entities of a snapshot by path, identity, mark, semantic path, name or version."""
        statement = f"SELECT {_ENTITY_COLUMNS} FROM present WHERE {_in_snapshot(column)} ORDER BY path, ordinal"
        rows = self._query(statement, _array(values), snapshot)
        return [Present(*row) for row in rows]

    def all_present(self, snapshot: int) -> Iterator[Present]:
        statement = f"SELECT {_ENTITY_COLUMNS} FROM present WHERE snapshot = ? ORDER BY path, ordinal"
        with telling(self.path):
            for row in self.connection.execute(statement, (snapshot,)):
                yield Present(*row)

    def alive(self, snapshot: int, identities: Collection[int]) -> dict[int, int]:
        """Which of these identities a snapshot holds, and in which version."""
        held = f"SELECT identity, version FROM entities JOIN files USING (version) WHERE {_in_snapshot('identity')}"
        return dict(self._query(held, _array(identities), snapshot))

    def mentions(self, snapshot: int, column: str, values: Collection[Value]) -> list[MentionRow]:
        """References by path, name, alias or receiver."""
        condition = _in_snapshot(column) + (" AND alias IS NOT NULL" if column == "alias" else "")
        statement = f"SELECT {', '.join(MentionRow._fields)} FROM mentions WHERE {condition} ORDER BY path, ordinal"
        rows = self._query(statement, _array(values), snapshot)
        return [MentionRow(*row) for row in rows]

    def counts(self, snapshot: int) -> dict[str, int]:
        row = self._query(
            """SELECT count(*), total(n_entities), total(n_nodes), total(n_chunks), total(n_edges)
               FROM files JOIN versions USING (version) JOIN extractions USING (extraction) WHERE snapshot = ?""",
            snapshot,
        )[0]
        names = ("files", "entities", "nodes", "chunks", "edges")
        counts = {name: int(number) for name, number in zip(names, row, strict=True)}
        return counts | {"identities": int(self._value("SELECT count(*) FROM identities") or 0)}

    def notes(self, snapshot: int) -> list[tuple[str, bytes]]:
        """What is to be said of each file of a snapshot, by path."""
        return self._query(
            """SELECT path, notes FROM files JOIN versions USING (version) JOIN extractions USING (extraction)
               JOIN paths ON paths.path_id = files.path_id WHERE snapshot = ? ORDER BY path""",
            snapshot,
        )

    # The ledger

    def versions(self, numbers: Collection[int]) -> dict[int, Version]:
        return {row[0]: _version(row) for row in self._rows(_having(_VERSION, "version"), numbers)}

    def versions_of(self, path: str) -> list[Version]:
        """The newest first."""
        rows = self._query(_VERSION + " WHERE path = ? ORDER BY version DESC", path)
        return [_version(row) for row in rows]

    def versions_at(self, places: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Version]]:
        """The versions that a path had with an extraction, the newest first."""
        statement = _having(_VERSION, "extraction") + " ORDER BY version DESC"
        wanted, found = set(places), dict[tuple[str, int], list[Version]]()
        for row in self._rows(statement, {extraction for _, extraction in places}):
            version = _version(row)
            if (version.path, version.extraction) in wanted:
                found.setdefault((version.path, version.extraction), []).append(version)
        return found

    def keys(self, column: str, values: Collection[Value]) -> list[KeyRow]:
        statement = _having("SELECT key, semantic_path, birth, identity FROM keys", column)
        return [KeyRow(*row) for row in self._rows(statement, values)]

    def identities(self, column: str, values: Collection[Value]) -> list[Identity]:
        return [Identity(*row) for row in self._rows(_having(_IDENTITY, f"identities.{column}"), values)]

    def events(self, identities: Collection[int]) -> list[Event]:
        """In the order in which they happened."""
        statement = _having(_EVENT, "identity") + " ORDER BY event"
        return [Event(*row) for row in self._rows(statement, identities)]

    def deleted_with(self, contents: Collection[str]) -> list[Event]:
        statement = _having(_EVENT, "content") + " AND change = 'deleted' ORDER BY event"
        return [Event(*row) for row in self._rows(statement, contents)]

    def candidates(self, identity: int) -> tuple[list[int], list[int]]:
        """What an identity may have become, and what it may have been."""
        became = self._query("SELECT new_identity FROM candidates WHERE old_identity = ?", identity)
        was = self._query("SELECT old_identity FROM candidates WHERE new_identity = ?", identity)
        return [row[0] for row in became], [row[0] for row in was]

    def run(self, run: int) -> Run:
        return Run(*self._query("SELECT run, worktree, branch, revision, at FROM runs WHERE run = ?", run)[0])

    def replayed(self) -> dict[str, int]:
        """The commits that were replayed, and in which run each."""
        return dict(self._query("SELECT revision, run FROM runs WHERE worktree = ''"))

    def newest_versions(self, runs: Collection[int]) -> dict[str, Version]:
        """The last version that each path was given in some runs."""
        statement = _having("SELECT max(version) FROM versions", "run") + " GROUP BY path_id"
        found = self.versions([row[0] for row in self._rows(statement, runs)])
        return {version.path: version for version in found.values()}

    def deleted_from(self, path: str) -> list[Event]:
        """In the order in which they happened."""
        return [
            Event(*row) for row in self._query(_EVENT + " WHERE path = ? AND change = 'deleted' ORDER BY event", path)
        ]

    # Asking

    def _query(self, statement: str, *values: Value) -> list[Any]:
        with telling(self.path):
            return list(self.connection.execute(statement, values))

    def _rows(self, statement: str, values: Collection[Value]) -> list[Any]:
        return self._query(statement, _array(values)) if values else []

    def _value(self, statement: str, *values: Value) -> Value:
        rows = self._query(statement, *values)
        return rows[0][0] if rows else None


def ledger_columns(table: str) -> str:
    """What the ledger keeps of a table: of extractions that they were, not what came out."""
    return _EXTRACTION if table == "extractions" else ", ".join(TABLES[table].split())


def _insert(table: str, verb: str = "INSERT") -> str:
    columns = TABLES[table].split()
    return f"{verb} INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


def _having(statement: str, column: str) -> str:
    return f"{statement} WHERE {column} IN (SELECT value FROM json_each(?))"


def _in_snapshot(column: str) -> str:
    """Having one of these values, in a snapshot.

    By itself the planner takes a snapshot for a few files, and starts there. The plus and the cross join keep it from
    doing so, which is two hundred times as fast with 7,000 files.
    """
    if column == "path":
        held = f"paths CROSS JOIN files USING (path_id) WHERE {_AMONG.format('path')} AND snapshot = ?2"
        return f"version IN (SELECT version FROM {held}) AND +snapshot = ?2"
    return f"{_AMONG.format(column)} AND +snapshot = ?2"


def _array(values: Collection[Value]) -> str:
    return json.dumps(list(values))


def _version(row: Sequence[Any]) -> Version:
    version, path, extraction, run, identities = row
    return Version(version, path, extraction, run, msgspec.msgpack.decode(identities, type=tuple[int, ...]))
