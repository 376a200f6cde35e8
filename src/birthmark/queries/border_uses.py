"""How definitions of a repository come to others, by the packages that all of them say they have.

Takes the snapshot of the one that defines, with its packages, once; then the snapshots of those that may use it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from posixpath import basename
from typing import NamedTuple

from birthmark.comparison.file_roles import role_of
from birthmark.graph.across.dependencies import depending_folders, packages_around
from birthmark.graph.across.part import JoinedPart, Seen
from birthmark.graph.across.uses_across import JoinedRepositories
from birthmark.graph.edges import names_of
from birthmark.graph.manifests.package import Package
from birthmark.graph.names.containment import contains
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.vocabulary import FileRole


class Sought(NamedTuple):
    """A definition that may be used elsewhere; what is imported for that, which it may be in; what it is called."""

    target: Definition
    imported: Definition
    names: frozenset[str]


class ProvidedDefinitions:
    """The definitions of a repository as those see them that depend on its packages."""

    def __init__(self, graph: SnapshotGraph, packages: Sequence[Package]) -> None:
        self.graph, self.packages = graph, packages
        self._parts: dict[Package, JoinedPart] = {}

    def packages_of(self, target: Definition) -> list[Package]:
        """Those by which a definition is imported elsewhere; none for what is not provided, such as a test."""
        return self.packages_at(target.path, target.language)

    def packages_at(self, path: str, language: str) -> list[Package]:
        rules = load_registry().resolution_of(language)
        read = [one for one in self.packages if _is_read(one, {**rules.manifests, **rules.packages})]
        found = packages_around(read, path)
        return [one for one in found if _is_provided(one.folder, path)]

    def seek(self, target: Definition) -> Sought:
        around = (one for one in self.graph.inside(target.path) if one.parent is None and contains(one, target))
        return Sought(target, next(around, target), frozenset(names_of(self.graph, self._resolver, target)))

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self.graph, load_registry().resolution_of)

    def passage(self, package: Package) -> Passage:
        if package not in self._parts:
            self._parts[package] = provided_part(1, self.graph, package.folder)
        return Passage(package, (self._parts[package],))


def provided_part(number: int, graph: SnapshotGraph, folder: str, seen: Seen | None = None) -> JoinedPart:
    """What the package of a folder provides to others."""
    return JoinedPart(number, graph, folder, lambda path: _is_provided(folder, path), seen or {})


class Passage(NamedTuple):
    """A package by which definitions of a repository come to those that depend on it; perhaps another one's.

    The first part is the repository that defines them, each other one passes them on from the one before it.
    """

    package: Package
    parts: tuple[JoinedPart, ...]

    def join(self, graph: SnapshotGraph, packages: Sequence[Package]) -> JoinedRepositories | None:
        """A repository with the parts; None where it does not depend on the package."""
        folders = depending_folders(packages, self.package)
        if folders is not None and not folders:
            return None
        return JoinedRepositories(graph, self.parts, {self.parts[-1].number: folders}, load_registry().resolution_of)

    def go_on(
        self, graph: SnapshotGraph, packages: Sequence[Package], paths: Iterable[str], language: str
    ) -> list[Passage]:
        """By the packages of a repository to which files belong that pass something on."""
        provided = ProvidedDefinitions(graph, packages)
        found = dict.fromkeys(package for path in paths for package in provided.packages_at(path, language))
        number, seen = self.parts[-1].number, depending_folders(packages, self.package)
        return [
            Passage(one, (*self.parts, provided_part(number + 1, graph, one.folder, {number: seen}))) for one in found
        ]


def _is_read(package: Package, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(basename(package.manifest), pattern) for pattern in patterns)


def _is_provided(folder: str, path: str) -> bool:
    """Tests and documents beside the code of a package are not a part of it; a folder deep inside of it may be."""
    inside = path.removeprefix(folder).lstrip("/")
    first, slash, _ = inside.partition("/")
    return not slash or role_of(f"{first}/{basename(path)}") is FileRole.SOURCE
