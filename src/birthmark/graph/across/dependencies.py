"""Which package a file belongs to, and which folders of a repository depend on a package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from posixpath import join

from birthmark.graph.manifests.package import Package
from birthmark.vocabulary import Ecosystem


def packages_around(packages: Iterable[Package], path: str) -> list[Package]:
    """Those that a file is part of: in each ecosystem, the ones of the innermost manifest above it."""
    around = [one for one in packages if path.startswith(join(one.folder, ""))]
    deepest: dict[Ecosystem, int] = {}
    for one in around:
        deepest[one.ecosystem] = max(deepest.get(one.ecosystem, 0), len(one.folder))
    return [one for one in around if len(one.folder) == deepest[one.ecosystem]]


def depending_folders(packages: Sequence[Package], package: Package) -> frozenset[str] | None:
    """Where a package may be imported; None, for everywhere, in a repository without manifests of that kind."""
    own = [one for one in packages if one.ecosystem is package.ecosystem]
    return frozenset(one.folder for one in own if package.name in one.dependencies) if own else None
