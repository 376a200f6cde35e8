"""The index in SQLite: one file with many readers and one writer.

A write is one transaction; its additions to the ledger are appended to the log (`log.py`) before it is committed.

Names of keys and texts of contents are searched by trigrams (FTS5). Names are added with their keys and, like these,
never removed. Texts come through `put_texts` when they are first searched. The tables do not hold the positions of
trigrams, which would take much space: what they find is a candidate.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

from birthmark.errors import BirthmarkError
from birthmark.store.model import StoreLocation
from birthmark.store.port import Value
from birthmark.store.sqlite.database import index_script, migrations
from birthmark.store.sqlite.log import index_file, ledger_log
from birthmark.store.sqlite.logged import LoggedDatabase
from birthmark.store.tables.caches import EXTRACTION
from birthmark.store.tables.copying import CopiedIndex
from birthmark.store.tables.database import LEDGER, Rows, having, select_ledger
from birthmark.store.tables.ledger import LedgerTables
from birthmark.store.tables.merges import MergeTables
from birthmark.store.tables.snapshots import TEXT_FILES, SnapshotTables
from birthmark.store.trigrams import SHORT_NAME, choose_trigrams, searched_trigrams, trigrams_of

_PUT = f"""
    INSERT INTO extractions ({", ".join(EXTRACTION)}) VALUES ({", ".join("?" * len(EXTRACTION))})
    ON CONFLICT DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in EXTRACTION[3:])}"""

_LAST_NAMED = "last_searched_key"  # in `meta`: the last key whose name is searchable
_ADD_NAMES = """
    INSERT INTO searched_names (rowid, name)
    SELECT first * 256 + min(length(name), 255), name FROM (
        SELECT min(key) AS first, replace(replace(simple_name, '_', ''), '-', '') AS name FROM keys
        WHERE key > ?1 AND (?1 = 0 OR NOT EXISTS (
            SELECT 1 FROM keys AS known WHERE known.simple_name = keys.simple_name AND known.key <= ?1))
        GROUP BY simple_name)
    ORDER BY first"""  # Insertion in the order of row ids takes a fifth of the time.

_TRIGRAM_COUNTS = (
    "SELECT term, doc FROM searched_name_trigrams WHERE term IN (SELECT value FROM json_each(?)) ORDER BY doc, term"
)

_LIKE = """
    SELECT simple_name FROM (
        SELECT searched_names.rowid AS number, count(*) AS n_shared FROM json_each(?1) AS wanted, searched_names
        WHERE searched_names MATCH '"' || replace(wanted.value, '"', '""') || '"'
        GROUP BY number ORDER BY n_shared * 1.0 / ((number & 255) + ?2 - n_shared) DESC, number LIMIT ?3
    ) CROSS JOIN keys ON key = number >> 8"""

_SHORT = """
    WITH short AS MATERIALIZED (SELECT DISTINCT simple_name AS name FROM keys WHERE length(simple_name) < 10)
    SELECT name FROM short WHERE length(replace(name, '_', '')) BETWEEN ?2 - 1 AND ?2 + 1
        AND (lower(substr(ltrim(name, '_'), 1, 1)) = ?1 OR lower(substr(rtrim(name, '_'), -1)) = ?3)
    ORDER BY 1"""  # `< 10` is the condition of the index `short_names`.

_MISSING = "NOT EXISTS (SELECT 1 FROM searched_texts_docsize WHERE id = extraction)"  # FTS5 keeps all row ids there.
_WITH = f"""
    SELECT path, version, extraction FROM searched_texts
    CROSS JOIN versions ON extraction = searched_texts.rowid CROSS JOIN files USING (version)
    CROSS JOIN paths ON paths.path_id = files.path_id
    WHERE searched_texts MATCH ?2 AND snapshot = ?1
    UNION ALL {TEXT_FILES} AND {_MISSING}"""

_DROP_UNUSED = """
    DELETE FROM searched_texts WHERE rowid IN (
        SELECT id FROM searched_texts_docsize EXCEPT SELECT extraction FROM files JOIN versions USING (version))"""


class SqliteStore(LoggedDatabase, CopiedIndex, SnapshotTables, LedgerTables, MergeTables):
    """Open an index; a writable one is migrated, and its log reconciled unless it is left out."""

    logged_tables = ("extractions", *LEDGER)
    compared_tables = LEDGER
    _places = "json_each(?) AS place", "place.value ->> 0", "place.value ->> 1"

    def __init__(self, location: StoreLocation, *, writable: bool = False, with_log: bool = True) -> None:
        super().__init__(location, index_file(location), writable=writable)
        self._forget_transaction()
        self.log, self.mended = ledger_log(location) if with_log else None, []
        with self._errors():
            version = self._version(migrations())
            self._require_log(version)
            if version == 0 and not writable:
                raise BirthmarkError(f"{self.path}: there is no complete index; run `birthmark index`")
            if writable:
                self._migrate(migrations())
                is_interrupted = not self._has_indexes() and self.has_identities()
                if 0 < version < len(migrations()) or is_interrupted:
                    with super().writing():
                        self._build_indexes()
                        self._add_searched_names()
            elif version < len(migrations()):
                raise BirthmarkError(f"{self.path} was made by an older birthmark; run `birthmark index` to upgrade it")
        if writable and self.log is not None:
            self._reconcile(self.log)

    @contextmanager
    def writing(self, *, is_last: bool = True) -> Iterator[None]:
        self._forget_transaction()
        try:
            with super().writing(is_last=is_last):
                yield
            if self._is_log_stale:
                self._is_log_stale = False
                self._renew_log()
        finally:
            self._forget_transaction()

    def _before_commit(self, *, is_last: bool) -> None:
        if self._added:
            if is_last or self._has_indexes():
                self._build_indexes()
                self._add_searched_names()
            self._append_to_log(self._log_record())

    def _forget_transaction(self) -> None:
        super()._forget_transaction()
        self._added: Rows = {}

    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        if table in LEDGER:
            rows = list(rows)
            self._added.setdefault(table, []).extend(rows)
        super()._insert(table, rows)

    def _build_indexes(self) -> None:
        """Build the indexes that are left out while a first index is loaded."""
        self.connection.execute(index_script())

    def _has_indexes(self) -> bool:
        """Return False before the last transaction of a first index."""
        return bool(self._query("SELECT 1 FROM sqlite_schema WHERE name = 'identities_by_mark'"))

    def tidy(self) -> None:
        """Move recent writes from the WAL into the file, and refresh the planner's statistics."""
        with self._errors():
            self.connection.execute("PRAGMA optimize")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # The cache

    def _put_extractions(self, rows: list[tuple[Value, ...]]) -> None:
        with self._errors(), self.connection:  # Begin a transaction unless one is open.
            self.connection.executemany(_PUT, rows)

    def _contents(self, content_ids: Collection[bytes]) -> str:
        return json.dumps([content_id.hex() for content_id in content_ids])

    def forget_outlines(self) -> None:
        """Delete outlines packed by another version of this program, which cannot be unpacked; keep the sources."""
        self._execute("UPDATE extractions SET outline = NULL, nodes = NULL")

    # Search

    def _add_searched_names(self) -> None:
        """Make the names of new keys searchable, with the help of the index of keys by name."""
        last = int(self._value("SELECT max(key) FROM keys") or 0)
        known = int(self._value("SELECT value FROM meta WHERE name = ?", _LAST_NAMED) or 0)
        if last > known:
            self.connection.execute(_ADD_NAMES, (known,))
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_LAST_NAMED, last))

    def names_like(self, text: str, limit: int) -> list[str]:
        counts = self._rows(_TRIGRAM_COUNTS, [trigram.lower() for trigram in trigrams_of(text)])
        trigrams = choose_trigrams(counts)
        found = self._query(_LIKE, self._array(trigrams), len(text), limit) if trigrams else []
        if len(text) <= SHORT_NAME:
            found += self._query(_SHORT, text[:1].lower(), len(text), text[-1:].lower())
        return list(dict.fromkeys(row[0] for row in found))

    def unsearched_texts(self, snapshot: int) -> set[int]:
        return {row[2] for row in self._query(f"{TEXT_FILES} AND {_MISSING}", snapshot)}

    def put_texts(self, texts: Iterable[tuple[int, str]]) -> None:
        self.connection.execute(_DROP_UNUSED)
        self.connection.executemany("INSERT OR REPLACE INTO searched_texts (rowid, text) VALUES (?, ?)", texts)

    def files_with(self, snapshot: int, words: Collection[str]) -> list[tuple[str, int, int]]:
        trigrams = searched_trigrams(words)
        if not trigrams:
            return self._query(f"{TEXT_FILES} ORDER BY path", snapshot)
        match = " AND ".join('"{}"'.format(trigram.replace('"', '""')) for trigram in trigrams)
        return self._query(f"{_WITH} ORDER BY 1", snapshot, match)

    # The log

    def _log_record(self) -> Rows:
        """Return the added rows, with the extractions of the added versions."""
        used = {int(row[2] or 0) for row in self._added.get("versions", ())}
        return {"extractions": self._rows(having(select_ledger("extractions"), "extraction"), used), **self._added}

    def logged_rows(self) -> Iterator[Rows]:
        for table in self.logged_tables:
            yield {table: self._query(select_ledger(table))}

    def _has_logged_rows(self) -> bool:
        return self.has_identities()

    def import_rows(self, record: Rows) -> int:
        """Add the unknown ones among rows of a ledger; return the number of rows given."""
        with self.writing():
            for table, rows in record.items():
                self._add(table, rows)
        return sum(len(rows) for rows in record.values())
