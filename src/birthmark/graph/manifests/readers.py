"""All manifests of a snapshot as one table for each group of languages, and the packages that they define.

Takes the texts of manifests by path, and the rules of a language, which name the files that it reads. `digest_of` is
for those who keep what they found by such tables: it changes with what the tables say, not with every edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from posixpath import basename, dirname

import msgspec
import xxhash

from birthmark.graph.manifests.crates import read_cargo_packages, read_crate_renames, read_crates
from birthmark.graph.manifests.declared_packages import (
    read_autoload,
    read_composer_packages,
    read_gem_packages,
    read_go_modules,
    read_go_packages,
    read_gradle_packages,
    read_maven_packages,
    read_nuget_packages,
    read_swift_packages,
)
from birthmark.graph.manifests.package import Package
from birthmark.graph.manifests.packages import read_compiler_paths, read_npm_packages, read_npm_renames, read_packages
from birthmark.graph.manifests.projects import read_projects, read_python_packages
from birthmark.graph.manifests.table import ModuleRule, ModuleTable
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import ManifestFormat

Manifests = Mapping[ManifestFormat, Mapping[str, str]]

_READERS: tuple[Callable[[Manifests], Iterable[ModuleRule]], ...] = (
    read_compiler_paths,
    read_packages,
    read_go_modules,
    read_crates,
    read_projects,
    read_autoload,
)

_PACKAGE_READERS: tuple[Callable[[Manifests], Iterable[Package]], ...] = (
    read_python_packages,
    read_npm_packages,
    read_go_packages,
    read_cargo_packages,
    read_maven_packages,
    read_gradle_packages,
    read_composer_packages,
    read_gem_packages,
    read_nuget_packages,
    read_swift_packages,
)


def renames_of(texts: Mapping[str, str]) -> dict[str, str]:
    """Dependencies that have another name in a repository than where they are defined, as sources write both."""
    manifests = _by_format(texts, _all_patterns())
    return {written: name for read in (read_crate_renames, read_npm_renames) for written, name in read(manifests)}


def packages_of(texts: Mapping[str, str]) -> tuple[Package, ...]:
    """The packages that the manifests of a repository define, in the order of their folders; all of a monorepo."""
    manifests = _by_format(texts, _all_patterns())
    found = [package for read in _PACKAGE_READERS for package in read(manifests)]
    return tuple(sorted(set(found), key=lambda one: (one.folder, one.manifest, one.name)))


def _all_patterns() -> dict[str, ManifestFormat]:
    patterns: dict[str, ManifestFormat] = {}
    for rules in load_registry().groups.values():
        patterns |= {**rules.manifests, **rules.packages}
    return patterns


def _by_format(
    texts: Mapping[str, str], patterns: Mapping[str, ManifestFormat]
) -> dict[ManifestFormat, dict[str, str]]:
    manifests: dict[ManifestFormat, dict[str, str]] = {}
    for path in sorted(texts):
        for pattern, format_ in patterns.items():
            if fnmatchcase(basename(path), pattern):
                manifests.setdefault(format_, {})[path] = texts[path]
    return manifests


def read_manifests(texts: Mapping[str, str], rules: ResolutionRules) -> ModuleTable:
    manifests = _by_format(texts, rules.manifests)
    folders = (dirname(path) for found in manifests.values() for path in found)
    return ModuleTable((rule for read in _READERS for rule in read(manifests)), folders)


def digest_of(texts: Mapping[str, str], groups: Iterable[ResolutionRules]) -> str:
    """Of all that manifests say to some groups of languages."""
    tables = [read_manifests(texts, rules) for rules in groups if rules.manifests] if texts else []
    encode = msgspec.msgpack.Encoder(order="deterministic").encode
    return xxhash.xxh64_hexdigest(
        b"".join(sorted(encode((sorted(one.folders), one.exact, one.patterns)) for one in tables if one.folders))
    )
