"""What in a repository uses definitions of another one, by the packages that both say they have.

Takes the snapshot of the one that defines, with its packages, once; then the snapshots of those that may use it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fnmatch import fnmatchcase
from posixpath import basename

from birthmark.comparison.file_roles import role_of
from birthmark.graph.across.dependencies import depending_folders, packages_around
from birthmark.graph.across.part import JoinedPart
from birthmark.graph.across.uses_across import JoinedRepositories
from birthmark.graph.edges import Edge
from birthmark.graph.manifests.package import Package
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.vocabulary import EdgeKind, FileRole


class ProvidedDefinitions:
    """The definitions of a repository as those see them that depend on its packages."""

    def __init__(self, graph: SnapshotGraph, packages: Sequence[Package]) -> None:
        self.graph, self.packages = graph, packages
        self._parts: dict[Package, JoinedPart] = {}

    def packages_of(self, target: Definition) -> list[Package]:
        """Those by which a definition is imported elsewhere; none for what is not provided, such as a test."""
        rules = load_registry().resolution_of(target.language)
        read = [one for one in self.packages if _is_read(one, {**rules.manifests, **rules.packages})]
        found = packages_around(read, target.path)
        return [one for one in found if _is_provided(one.folder, target.path)]

    def part(self, package: Package) -> JoinedPart:
        if package not in self._parts:
            self._parts[package] = provided_part(1, self.graph, package.folder)
        return self._parts[package]


def provided_part(number: int, graph: SnapshotGraph, folder: str) -> JoinedPart:
    """What the package of a folder provides to others."""
    return JoinedPart(number, graph, folder, lambda path: _is_provided(folder, path))


class BorderUses:
    """Uses in one repository of what another one defines; what was read is kept for further definitions."""

    def __init__(self, graph: SnapshotGraph, packages: Sequence[Package], provided: ProvidedDefinitions) -> None:
        self.graph, self.packages, self.provided = graph, packages, provided
        self._joined: dict[Package, JoinedRepositories] = {}

    def of(self, target: Definition, kinds: Collection[EdgeKind], names: Collection[str] = ()) -> list[Edge]:
        """`names` are those that it has where it is defined."""
        return list(dict.fromkeys(self._each(target, kinds, names)))

    def _each(self, target: Definition, kinds: Collection[EdgeKind], names: Collection[str]) -> Iterator[Edge]:
        for package in self.provided.packages_of(target):
            folders = depending_folders(self.packages, package)
            if folders is None or folders:
                joined = self._join(package, folders)
                yield from joined.users(self.provided.part(package), target, kinds, names)

    def _join(self, package: Package, folders: frozenset[str] | None) -> JoinedRepositories:
        if package not in self._joined:
            part, rules_of = self.provided.part(package), load_registry().resolution_of
            self._joined[package] = JoinedRepositories(self.graph, [part], {part.number: folders}, rules_of)
        return self._joined[package]


def _is_read(package: Package, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(basename(package.manifest), pattern) for pattern in patterns)


def _is_provided(folder: str, path: str) -> bool:
    """Tests and documents beside the code of a package are not a part of it; a folder deep inside of it may be."""
    inside = path.removeprefix(folder).lstrip("/")
    first, slash, _ = inside.partition("/")
    return not slash or role_of(f"{first}/{basename(path)}") is FileRole.SOURCE
