"""The packages that the manifests of a repository define, and what they depend on."""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.graph.manifests.package import Package
from birthmark.store.tables.database import Database
from birthmark.vocabulary import Ecosystem

_PACKAGES = "SELECT package, ecosystem, name, folder, manifest FROM packages ORDER BY package"
_DEPENDENCIES = "SELECT package, name FROM dependencies ORDER BY package, name"


class PackageTables(Database):
    """All of a repository at once."""

    def put_packages(self, packages: Iterable[Package]) -> None:
        numbered = list(enumerate(packages))
        with self.writing():
            for table in ("packages", "dependencies"):
                self._execute(f"DELETE FROM {table} WHERE package >= 0")
            self._insert("packages", [(number, *package[:4]) for number, package in numbered])
            used = [(number, one.ecosystem, name) for number, one in numbered for name in one.dependencies]
            self._insert("dependencies", used)

    def packages(self) -> list[Package]:
        names: dict[int, list[str]] = {}
        for package, name in self._query(_DEPENDENCIES):
            names.setdefault(package, []).append(name)
        return [
            Package(Ecosystem(ecosystem), name, folder, manifest, tuple(names.get(number, ())))
            for number, ecosystem, name, folder, manifest in self._query(_PACKAGES)
        ]
