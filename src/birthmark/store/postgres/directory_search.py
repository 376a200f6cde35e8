"""Which repositories of a database may have what is searched for, asked once for all of them.

Trigrams are numbers that differ from repository to repository (`search.py`), so each is given its own.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from birthmark.store.model import SoughtNames
from birthmark.store.postgres.search import IS_SHORT, fold, hash_trigrams
from birthmark.store.postgres.visible_repositories import VisibleRepositories
from birthmark.store.trigrams import SHORT_NAME, searched_trigrams, trigrams_of

_UNDECIDED = """
    SELECT name FROM visible WHERE has_escapes OR NOT EXISTS (
        SELECT 1 FROM birthmark.meta AS known
        WHERE known.repository = visible.repository AND known.name = 'format' AND value = $1)"""
_NUMBERS = "SELECT repository FROM visible"
_WANTED = """,
    wanted AS (SELECT repository, visible.name AS owner, trigrams::integer[] AS trigrams
               FROM visible JOIN unnest($1::integer[], $2::text[]) AS given(repository, trigrams) USING (repository))"""
# Lower case is that of ASCII, and a name that is not spelled as in the source has a `%`: these are not looked at here.
_LIKE = f"""{_WANTED}
    SELECT found.name, array_agg(owner) FROM wanted CROSS JOIN LATERAL (
        SELECT name FROM birthmark.searched_names
        WHERE repository = wanted.repository AND trigrams && wanted.trigrams
        AND (length BETWEEN $3 AND $4 OR octet_length(name) <> char_length(name) OR strpos(name, '%') > 0 OR (
            SELECT count(*) FROM unnest($5::text[]) AS word
            WHERE strpos(lower(replace(replace(name, '_', ''), '-', '')), word) > 0) >= $6)
        UNION ALL
        SELECT name FROM birthmark.searched_names
        WHERE $7::boolean AND repository = wanted.repository AND {IS_SHORT.format("$8", "$9::integer", "$10")}
        UNION ALL
        SELECT DISTINCT simple_name FROM birthmark.keys
        WHERE repository = wanted.repository AND simple_name = ANY($11::text[])
    ) AS found GROUP BY found.name"""
# The limit has each repository looked up by its trigrams; else all texts would be read.
_WITH = f"""{_WANTED}
    SELECT owner FROM wanted CROSS JOIN LATERAL (
        SELECT 1 FROM birthmark.searched_texts
        WHERE searched_texts.repository = wanted.repository AND searched_texts.trigrams @> wanted.trigrams LIMIT 1
    ) AS found
    UNION
    SELECT visible.name FROM visible WHERE EXISTS (
        SELECT 1 FROM birthmark.files JOIN birthmark.versions USING (repository, version)
        WHERE files.repository = visible.repository AND NOT EXISTS (
            SELECT 1 FROM birthmark.searched_texts AS put
            WHERE put.repository = versions.repository AND put.extraction = versions.extraction))"""


class DirectorySearch(VisibleRepositories):
    """Finds repositories by the names and texts in them."""

    def undecided(self, format_: int) -> list[str]:
        return [row[0] for row in self._query(_UNDECIDED, msgspec.msgpack.encode(format_))]

    def names_like(self, sought: SoughtNames) -> dict[str, list[str]]:
        text, length = sought.text, len(sought.text)
        lengths = length - sought.n_slips, length + sought.n_slips
        words = list(sought.words), len(sought.words) - sought.n_missing
        short = length <= SHORT_NAME, text[:1].lower(), length, text[-1:].lower()
        trigrams = trigrams_of(fold(text))
        return dict(self._query(_LIKE, *self._wanted(trigrams), *lengths, *words, *short, list(sought.exact)))

    def with_words(self, words: Collection[str]) -> list[str]:
        return [row[0] for row in self._query(_WITH, *self._wanted(searched_trigrams(words)))]

    def _wanted(self, trigrams: Collection[str]) -> tuple[list[int], list[str]]:
        """The numbers of repositories, and their trigrams as PostgreSQL writes arrays."""
        numbers = [row[0] for row in self._query(_NUMBERS)]
        return numbers, [f"{{{','.join(map(str, hash_trigrams(number, trigrams)))}}}" for number in numbers]
