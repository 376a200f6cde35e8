"""A package as a manifest defines it: its name in a registry, the files in it, and the folders that depend on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from posixpath import join
from typing import NamedTuple

from birthmark.vocabulary import Ecosystem

_SEPARATORS = re.compile(r"[-_.]+")


class Package(NamedTuple):
    """A package of a repository. Names are written as its registry compares them."""

    ecosystem: Ecosystem
    name: str
    folder: str  # of its manifest; the root of the repository has no name
    manifest: str  # its path
    dependencies: tuple[str, ...] = ()  # names in the same ecosystem, sorted


def make_package(
    ecosystem: Ecosystem, name: str, folder: str, manifest: str, dependencies: Iterable[str] = ()
) -> Package:
    own = normal_name(ecosystem, name)
    names = {normal_name(ecosystem, one) for one in dependencies if one.strip()} - {own}
    return Package(ecosystem, own, folder, manifest, tuple(sorted(names)))


def normal_name(ecosystem: Ecosystem, name: str) -> str:
    """A name as its registry compares it: `Zope.Interface` is `zope-interface` on PyPI."""
    name = name.strip()
    if ecosystem is Ecosystem.PYPI:
        return _SEPARATORS.sub("-", name).lower()
    if ecosystem is Ecosystem.CARGO:
        return name.replace("_", "-")
    return name.lower() if ecosystem in _WITHOUT_CASE else name


_WITHOUT_CASE = frozenset({Ecosystem.COMPOSER, Ecosystem.NUGET, Ecosystem.SWIFT})


def packages_around(packages: Iterable[Package], path: str) -> list[Package]:
    """Those that a file is part of: in each ecosystem, the ones of the innermost manifest above it."""
    around = [one for one in packages if path.startswith(join(one.folder, ""))]
    deepest: dict[Ecosystem, int] = {}
    for one in around:
        deepest[one.ecosystem] = max(deepest.get(one.ecosystem, 0), len(one.folder))
    return [one for one in around if len(one.folder) == deepest[one.ecosystem]]


def depending_folders(packages: Sequence[Package], package: Package) -> frozenset[str] | None:
    """Return the folders in which a package may be imported; None for everywhere, without manifests of that kind."""
    own = [one for one in packages if one.ecosystem is package.ecosystem]
    return frozenset(one.folder for one in own if package.name in one.dependencies) if own else None
