"""What is searched: the names of all keys and the texts of contents, by the groups of three letters in them (FTS5).

Names are added with their keys, and never removed, as keys are not. Texts come through `put_texts`, when they are
first searched. Neither table says where a group is, which takes much room; so what is found may be, and is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from birthmark.store.model import TextFile
from birthmark.store.sqlite.database import array
from birthmark.store.sqlite.numbers import NumberedTables

_LAST_NAMED = "last_searched_key"  # in `meta`: up to which key names are searched
_GROUP = 3  # letters
_MOST_GROUPS, _FEWEST_GROUPS = 16, 6  # of a name; of a name of six letters an exchange of two leaves none
_MOST_ROWS = 8_000  # that are counted for a name
_MOST_COUNTED = 1_000  # references to a name

_ADD_NAMES = """
    INSERT INTO searched_names (rowid, name)
    SELECT min(key), replace(replace(simple_name, '_', ''), '-', '') FROM keys WHERE key > ?1 AND (?1 = 0
        OR NOT EXISTS (SELECT 1 FROM keys AS known WHERE known.simple_name = keys.simple_name AND known.key <= ?1))
    GROUP BY simple_name"""
_GROUP_COUNTS = "SELECT term, doc FROM searched_name_groups WHERE term IN (SELECT value FROM json_each(?)) ORDER BY doc"
_LIKE = """
    SELECT simple_name FROM (
        SELECT searched_names.rowid AS first, count(*) AS n_shared FROM json_each(?1) AS wanted, searched_names
        WHERE searched_names MATCH '"' || replace(wanted.value, '"', '""') || '"'
        GROUP BY first ORDER BY n_shared DESC, first LIMIT ?2
    ) CROSS JOIN keys ON key = first ORDER BY n_shared DESC, first"""
_SHORT = "SELECT DISTINCT simple_name FROM keys WHERE length(simple_name) BETWEEN ? AND ? ORDER BY 1"
_COUNTS = """
    SELECT value, (SELECT count(*) FROM (
        SELECT 1 FROM edges CROSS JOIN files USING (version) WHERE edges.name = value AND snapshot = ?2 LIMIT ?3))
    FROM json_each(?1)"""

_FILES = """
    SELECT path, version, extraction FROM files JOIN versions USING (version)
    JOIN paths ON paths.path_id = files.path_id
    WHERE snapshot = ?1"""
_MISSING = "NOT EXISTS (SELECT 1 FROM searched_texts_docsize WHERE id = extraction)"  # where FTS5 has all numbers
_WITH = f"{_FILES} AND (extraction IN (SELECT rowid FROM searched_texts WHERE searched_texts MATCH ?2) OR {_MISSING})"
_DROP_UNUSED = """
    DELETE FROM searched_texts WHERE rowid IN (
        SELECT id FROM searched_texts_docsize EXCEPT SELECT extraction FROM files JOIN versions USING (version))"""


class SearchTables(NumberedTables):
    """Finds names and files by what they contain."""

    def _add_searched_names(self) -> None:
        """Those of the keys that were added since; needs the index of keys by name."""
        last = int(self._value("SELECT max(key) FROM keys") or 0)
        known = int(self._value("SELECT value FROM meta WHERE name = ?", _LAST_NAMED) or 0)
        if last > known:
            self.connection.execute(_ADD_NAMES, (known,))
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_LAST_NAMED, last))

    def names_like(self, text: str, limit: int) -> list[str]:
        groups = self._rare_groups(_groups_of(text))
        found = self._query(_LIKE, array(groups), limit) if groups else []
        if len(text) <= _FEWEST_GROUPS:
            found += self._query(_SHORT, max(len(text) - 1, 1), len(text) + 2)
        return list(dict.fromkeys(row[0] for row in found))

    def _rare_groups(self, groups: Sequence[str]) -> list[str]:
        """Those that say most. What every other name has is left out, for it takes long and says nothing."""
        rare: list[str] = []
        n_rows = 0
        for group, n_names in self._rows(_GROUP_COUNTS, [group.lower() for group in groups]):
            if rare and (len(rare) >= _MOST_GROUPS or n_rows + n_names > _MOST_ROWS):
                break
            rare.append(group)
            n_rows += n_names
        return rare

    def count_references(self, snapshot: int, names: Collection[str]) -> dict[str, int]:
        return dict(self._query(_COUNTS, array(names), snapshot, _MOST_COUNTED))

    def unsearched_texts(self, snapshot: int) -> set[int]:
        return {row[2] for row in self._query(f"{_FILES} AND {_MISSING}", snapshot)}

    def put_texts(self, texts: Iterable[tuple[int, str]]) -> None:
        self.connection.execute(_DROP_UNUSED)
        self.connection.executemany("INSERT OR REPLACE INTO searched_texts (rowid, text) VALUES (?, ?)", texts)

    def files_with(self, snapshot: int, words: Collection[str]) -> list[TextFile]:
        groups = [group for word in words for group in _groups_of(word)][:64]
        if not groups:
            return [TextFile(*row) for row in self._query(f"{_FILES} ORDER BY path", snapshot)]
        match = " AND ".join('"{}"'.format(group.replace('"', '""')) for group in groups)
        return [TextFile(*row) for row in self._query(f"{_WITH} ORDER BY path", snapshot, match)]


def _groups_of(text: str) -> list[str]:
    return list(dict.fromkeys(text[i : i + _GROUP] for i in range(len(text) - _GROUP + 1)))
