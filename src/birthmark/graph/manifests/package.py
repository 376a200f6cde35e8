"""A package as a manifest defines it, and how registries compare names."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
