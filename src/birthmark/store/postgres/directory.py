"""The repositories of a database: which depend on which, and which have the same code.

Policies of the database decide what is seen, and so do the names that who asks may see: of other repositories there is
nothing here. So no statement reads `birthmark.repositories`, but `visible`, which each is given.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from birthmark.graph.manifests.package import Package
from birthmark.store.postgres.connect import give, server_errors, take
from birthmark.vocabulary import Ecosystem

_VISIBLE = """
    WITH visible AS (SELECT repository, name FROM birthmark.repositories
                     WHERE has_index AND (${0}::text[] IS NULL OR name = ANY(${0}::text[])))"""
_NAMES = "SELECT name FROM visible ORDER BY name"
_PAIRS = "unnest($1::text[], $2::text[]) AS wanted(ecosystem, package_name)"
_DEPENDENTS = f"""
    SELECT name FROM visible WHERE repository IN (
        SELECT repository FROM birthmark.dependencies JOIN {_PAIRS}
        ON dependencies.ecosystem = wanted.ecosystem AND dependencies.name = wanted.package_name)
    UNION
    SELECT name FROM visible AS own
    WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS asked(ecosystem) WHERE NOT EXISTS (
        SELECT 1 FROM birthmark.packages WHERE packages.repository = own.repository
        AND packages.ecosystem = asked.ecosystem))
    AND EXISTS (SELECT 1 FROM birthmark.reference_names WHERE reference_names.repository = own.repository
        AND reference_names.name = ANY($3::text[]))
    ORDER BY 1"""
_PROVIDERS = f"""
    SELECT DISTINCT visible.name, packages.ecosystem, packages.name
    FROM {_PAIRS} JOIN birthmark.packages ON packages.ecosystem = wanted.ecosystem AND packages.name = package_name
    JOIN visible USING (repository) ORDER BY 1, 2, 3"""
_ALIKE = """
    SELECT name, identity FROM (
        SELECT repository, identity, 0 AS rank FROM birthmark.entities WHERE content_hash = $1
        UNION ALL
        SELECT own.repository, identity, 1 FROM visible AS own JOIN birthmark.entities AS entities
            ON entities.repository = own.repository AND entities.name = $2 AND entities.kind = $3
    ) AS found JOIN visible USING (repository)
    GROUP BY name, identity ORDER BY min(rank), name, identity LIMIT $4"""


class PostgresDirectory:
    """Reads a database by its URL; `visible` are the repositories that may be seen, None: all."""

    def __init__(self, url: str, visible: Collection[str] | None = None) -> None:
        self.url, self.visible = url, None if visible is None else list(visible)

    def repositories(self) -> list[str]:
        return [row[0] for row in self._query(_NAMES)]

    def dependents(self, packages: Collection[Package], names: Collection[str]) -> list[str]:
        ecosystems, package_names = [one.ecosystem.value for one in packages], [one.name for one in packages]
        return [row[0] for row in self._query(_DEPENDENTS, ecosystems, package_names, list(names))]

    def providers(self, packages: Collection[tuple[Ecosystem, str]]) -> list[tuple[str, Ecosystem, str]]:
        ecosystems, names = [one.value for one, _ in packages], [name for _, name in packages]
        return [(row[0], Ecosystem(row[1]), row[2]) for row in self._query(_PROVIDERS, ecosystems, names)]

    def alike(self, content: str, name: str, kind: str, limit: int) -> list[tuple[str, int]]:
        return [(row[0], row[1]) for row in self._query(_ALIKE, content, name, kind, limit)]

    def _query(self, statement: str, *values: Any) -> list[Any]:
        connection = take(self.url)
        try:
            with server_errors(self.url):
                visible = _VISIBLE.format(len(values) + 1)
                return connection.execute(visible + statement, (*values, self.visible)).fetchall()
        finally:
            give(self.url, connection)
