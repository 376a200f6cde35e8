"""The repositories of a database: which depend on which, and which have the same code.

Of repositories that who asks may not see there is nothing here: see `visible_repositories.py`.
"""

from __future__ import annotations

from collections.abc import Collection

from birthmark.graph.manifests.package import Package
from birthmark.identity.fingerprints import Fingerprint
from birthmark.store.postgres.directory_search import DirectorySearch
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


class PostgresDirectory(DirectorySearch):
    """What repositories are there, and what they have to do with one another."""

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
