"""The repositories of a database: their dependencies, equal code, and the ones that may have a searched text.

Each statement gets the names of the repositories that the viewer may see, as `visible`; policies of the database decide
that, too. So that nothing else is counted or named, no other statement reads `birthmark.repositories`. Trigrams are
numbers that differ from repository to repository (`search.py`), so a search gives each its own.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from birthmark.graph.manifests.package import Package
from birthmark.identity.fingerprints import Fingerprint
from birthmark.server.postgres.connect import lent
from birthmark.server.postgres.search import IS_SHORT, fold, hash_trigrams
from birthmark.store.model import SoughtNames
from birthmark.store.trigrams import SHORT_NAME, searched_trigrams, trigrams_of
from birthmark.vocabulary import Ecosystem

_NAMES = "SELECT name FROM visible ORDER BY name"
_PAIRS = "unnest($1::text[], $2::text[]) AS wanted(ecosystem, package_name)"
_REFERS = """EXISTS (SELECT 1 FROM birthmark.reference_names WHERE reference_names.repository = own.repository
        AND reference_names.name = ANY($3::text[]))"""

_DEPENDENTS = f"""
    SELECT name FROM visible AS own WHERE repository IN (
        SELECT repository FROM birthmark.dependencies JOIN {_PAIRS}
        ON dependencies.ecosystem = wanted.ecosystem AND dependencies.name = wanted.package_name)
    AND (NOT $4::boolean OR {_REFERS})
    UNION
    SELECT name FROM visible AS own
    WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS asked(ecosystem) WHERE NOT EXISTS (
        SELECT 1 FROM birthmark.packages WHERE packages.repository = own.repository
        AND packages.ecosystem = asked.ecosystem))
    AND {_REFERS}
    ORDER BY 1"""

_PROVIDERS = f"""
    SELECT DISTINCT visible.name, packages.ecosystem, packages.name
    FROM {_PAIRS} JOIN birthmark.packages ON packages.ecosystem = wanted.ecosystem AND packages.name = package_name
    JOIN visible USING (repository) ORDER BY 1, 2, 3"""

_ALIKE = """
    SELECT name, identity FROM (
        SELECT repository, identity, (content_hash != $1)::integer AS rank FROM birthmark.entities WHERE body_hash = $2
        UNION ALL
        SELECT own.repository, identity, 2 FROM visible AS own JOIN birthmark.entities AS entities
            ON entities.repository = own.repository AND entities.name = $3 AND entities.kind = $4
    ) AS found JOIN visible USING (repository)
    GROUP BY name, identity ORDER BY min(rank), name, identity LIMIT $5"""

_DELETED = """
    SELECT DISTINCT name, identity FROM visible JOIN birthmark.events AS events
    ON events.repository = visible.repository AND content = ANY($1::text[]) AND change = 'deleted'
    ORDER BY name, identity LIMIT $2"""

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

_VISIBLE = """
    WITH visible AS (SELECT repository, name, has_escapes FROM birthmark.repositories
                     WHERE has_index AND (${0}::text[] IS NULL OR name = ANY(${0}::text[])))"""


class PostgresDirectory:
    """The repositories of a database by its URL; `visible` are the names of those that may be seen, None: all."""

    def __init__(self, url: str, visible: Collection[str] | None = None) -> None:
        self.url, self.visible = url, None if visible is None else list(visible)

    def _query(self, statement: str, *values: Any) -> list[Any]:
        visible = _VISIBLE.format(len(values) + 1)
        with lent(self.url) as connection:
            return connection.execute(visible + statement, (*values, self.visible)).fetchall()

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

    def repositories(self) -> list[str]:
        return [row[0] for row in self._query(_NAMES)]

    def dependents(self, packages: Collection[Package], names: Collection[str], *, refer: bool = False) -> list[str]:
        ecosystems, package_names = [one.ecosystem.value for one in packages], [one.name for one in packages]
        return [row[0] for row in self._query(_DEPENDENTS, ecosystems, package_names, list(names), refer)]

    def providers(self, packages: Collection[tuple[Ecosystem, str]]) -> list[tuple[str, Ecosystem, str]]:
        ecosystems, names = [one.value for one, _ in packages], [name for _, name in packages]
        return [(row[0], Ecosystem(row[1]), row[2]) for row in self._query(_PROVIDERS, ecosystems, names)]

    def alike(self, fingerprint: Fingerprint, name: str, kind: str, limit: int) -> list[tuple[str, int]]:
        hashes = fingerprint.content, fingerprint.body
        return [(row[0], row[1]) for row in self._query(_ALIKE, *hashes, name, kind, limit)]

    def deleted(self, contents: Collection[str], limit: int) -> list[tuple[str, int]]:
        return [(row[0], row[1]) for row in self._query(_DELETED, list(contents), limit)]
