"""What is searched: the names of all keys and the texts of contents, by the trigrams in them (FTS5).

Names are added with their keys, and never removed, as keys are not. Texts come through `put_texts`, when they are
first searched. Neither table says where a trigram is, which would take much room: they find what may contain a text.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from birthmark.store.model import TextFile
from birthmark.store.sqlite.loading import LoadedTables
from birthmark.store.tables.snapshots import TEXT_FILES
from birthmark.store.trigrams import SHORT_NAME, choose_trigrams, searched_trigrams, trigrams_of

_LAST_NAMED = "last_searched_key"  # in `meta`: up to which key names are searched

_ADD_NAMES = """
    INSERT INTO searched_names (rowid, name)
    SELECT first * 256 + min(length(name), 255), name FROM (
        SELECT min(key) AS first, replace(replace(simple_name, '_', ''), '-', '') AS name FROM keys
        WHERE key > ?1 AND (?1 = 0 OR NOT EXISTS (
            SELECT 1 FROM keys AS known WHERE known.simple_name = keys.simple_name AND known.key <= ?1))
        GROUP BY simple_name)
    ORDER BY first"""  # In the order of numbers it takes a fifth of the time.
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
    ORDER BY 1"""  # `< 10` is what the index `short_names` has.
_MISSING = "NOT EXISTS (SELECT 1 FROM searched_texts_docsize WHERE id = extraction)"  # where FTS5 has all numbers
_WITH = f"""
    SELECT path, version, extraction FROM searched_texts
    CROSS JOIN versions ON extraction = searched_texts.rowid CROSS JOIN files USING (version)
    CROSS JOIN paths ON paths.path_id = files.path_id
    WHERE searched_texts MATCH ?2 AND snapshot = ?1
    UNION ALL {TEXT_FILES} AND {_MISSING}"""
_DROP_UNUSED = """
    DELETE FROM searched_texts WHERE rowid IN (
        SELECT id FROM searched_texts_docsize EXCEPT SELECT extraction FROM files JOIN versions USING (version))"""


class SearchTables(LoadedTables):
    """Finds names and files by what they contain."""

    def _add_searched_names(self) -> None:
        """Those of the keys that were added since; needs the index of keys by name."""
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

    def files_with(self, snapshot: int, words: Collection[str]) -> list[TextFile]:
        trigrams = searched_trigrams(words)
        if not trigrams:
            return [TextFile(*row) for row in self._query(f"{TEXT_FILES} ORDER BY path", snapshot)]
        match = " AND ".join('"{}"'.format(trigram.replace('"', '""')) for trigram in trigrams)
        return [TextFile(*row) for row in self._query(f"{_WITH} ORDER BY 1", snapshot, match)]
