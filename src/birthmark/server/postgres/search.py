"""The searched texts: the names of all keys and the texts of contents, by the trigrams in them (GIN over arrays).

A trigram is a number, made of it and of the repository, so that those of others are not looked through. Different ones
may share a number: what is found may contain a text.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from birthmark.server.postgres.database import PostgresDatabase
from birthmark.server.postgres.staging import copy_rows, replace_rows
from birthmark.store.port import Value
from birthmark.store.tables.database import TABLES
from birthmark.store.tables.snapshots import TEXT_FILES
from birthmark.store.trigrams import SHORT_NAME, choose_trigrams, searched_trigrams, trigrams_of

_NAMES = ("repository", "key", "name", "length", "trigrams")
_TEXTS = ("repository", "extraction", "trigrams")
_LONGEST = 255  # the length that longer names are taken to have
_PATH_OF_KEY = TABLES["keys"].split().index("semantic_path")

_KNOWN = "SELECT DISTINCT simple_name FROM keys WHERE simple_name IN (SELECT value FROM json_each(?)) AND key < ?"
_COUNTS = """
    SELECT trigram, (SELECT count(*) FROM searched_names WHERE trigrams @> ARRAY[trigram])
    FROM unnest(?::integer[]) AS trigram"""
_LIKE = """
    SELECT name FROM (
        SELECT name, key, length,
               cardinality(ARRAY(SELECT unnest(trigrams) INTERSECT SELECT unnest(?1::integer[]))) AS n
        FROM searched_names WHERE trigrams && ?1::integer[]
    ) AS found ORDER BY n * 1.0 / (length + ?2::integer - n) DESC, key LIMIT ?3"""
# About as short as a text, with its first or its last character: that, how long the text is, and the last one.
IS_SHORT = """char_length(name) < 10
      AND char_length(replace(name, '_', '')) BETWEEN {1} - 1 AND {1} + 1
      AND (lower(left(ltrim(name, '_'), 1)) = {0} OR lower(right(rtrim(name, '_'), 1)) = {2})"""
_SHORT = f"""
    SELECT DISTINCT name FROM searched_names WHERE {IS_SHORT.format("?1", "?2::integer", "?3")} ORDER BY 1"""
_MISSING = "NOT EXISTS (SELECT 1 FROM searched_texts AS put WHERE put.extraction = versions.extraction)"
_WITH = "extraction IN (SELECT extraction FROM searched_texts WHERE trigrams @> ?2::integer[])"
_UNUSED = "extraction NOT IN (SELECT extraction FROM files JOIN versions USING (version))"


class PostgresSearch(PostgresDatabase):
    """Finds names and files by what they contain."""

    def _forget_transaction(self) -> None:
        super()._forget_transaction()
        self._named: dict[str, int] = {}  # names of the keys that were added, by the first

    def _insert(self, table: str, rows: Iterable[Sequence[Value]]) -> None:
        if table == "keys":
            rows = list(rows)
            for row in rows:
                self._named.setdefault(str(row[_PATH_OF_KEY]).split(":")[2], int(row[0] or 0))
        super()._insert(table, rows)

    def _add_searched_names(self) -> None:
        if self._named:
            first = min(self._named.values())
            known = {row[0] for row in self._query(_KNOWN, self._array(list(self._named)), first)}
            rows = [self._name_row(key, name) for name, key in self._named.items() if name not in known]
            copy_rows(self.connection, "searched_names", _NAMES, self._escaped(rows))

    def _name_row(self, key: int, name: str) -> Sequence[Any]:
        compared = name.replace("_", "").replace("-", "")
        return (self.number, key, name, min(len(compared), _LONGEST), self._hashes(trigrams_of(compared)))

    def names_like(self, text: str, limit: int) -> list[str]:
        hashed = dict(zip(self._hashes(trigrams := trigrams_of(fold(text))), trigrams, strict=False))
        counts = [(hashed[number], n_names) for number, n_names in self._query(_COUNTS, list(hashed)) if n_names]
        chosen = self._hashes(choose_trigrams(sorted(counts, key=lambda found: (found[1], found[0]))))
        found = self._query(_LIKE, chosen, len(text), limit) if chosen else []
        if len(text) <= SHORT_NAME:
            found += self._query(_SHORT, text[:1].lower(), len(text), text[-1:].lower())
        return list(dict.fromkeys(row[0] for row in found))

    def unsearched_texts(self, snapshot: int) -> set[int]:
        return {row[2] for row in self._query(f"{TEXT_FILES} AND {_MISSING}", snapshot)}

    def put_texts(self, texts: Iterable[tuple[int, str]]) -> None:
        self._execute(f"DELETE FROM searched_texts WHERE {_UNUSED}")
        rows = [(self.number, extraction, self._hashes(trigrams_of(text))) for extraction, text in texts]
        with self._errors():
            replace_rows(self.connection, "searched_texts", _TEXTS, rows, _TEXTS[:2])

    def files_with(self, snapshot: int, words: Collection[str]) -> list[tuple[str, int, int]]:
        trigrams = self._hashes(searched_trigrams(words))
        if trigrams:
            rows = self._query(f"{TEXT_FILES} AND ({_MISSING} OR {_WITH}) ORDER BY path", snapshot, trigrams)
        else:
            rows = self._query(f"{TEXT_FILES} ORDER BY path", snapshot)
        return [(path, version, extraction) for path, version, extraction in rows]

    def _hashes(self, trigrams: Collection[str]) -> list[int]:
        return hash_trigrams(self.number, trigrams)


def hash_trigrams(repository: int, trigrams: Collection[str]) -> list[int]:
    """Numbers of four bytes, each once; upper and lower case are the same."""
    start = zlib.crc32(str(repository).encode())
    folded = dict.fromkeys(fold(trigram) for trigram in trigrams)
    return [zlib.crc32(trigram.encode("utf-8", "replace"), start) - (1 << 31) for trigram in folded]


def fold(text: str) -> str:
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)
