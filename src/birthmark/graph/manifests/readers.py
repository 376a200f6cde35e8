"""All manifests of a snapshot as one table for each group of languages.

Takes the texts of manifests by path, and the rules of a language, which name the files that it reads. `digest_of` is
for those who keep what they found by such tables: it changes with what the tables say, not with every edit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from posixpath import basename, dirname

import msgspec
import xxhash

from birthmark.graph.manifests.autoload import read_autoload
from birthmark.graph.manifests.compiler_paths import read_compiler_paths
from birthmark.graph.manifests.crates import read_crates
from birthmark.graph.manifests.go_modules import read_go_modules
from birthmark.graph.manifests.packages import read_packages
from birthmark.graph.manifests.projects import read_projects
from birthmark.graph.manifests.table import ModuleRule, ModuleTable
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


def read_manifests(texts: Mapping[str, str], rules: ResolutionRules) -> ModuleTable:
    manifests: dict[ManifestFormat, dict[str, str]] = {}
    for path in sorted(texts):
        for pattern, format_ in rules.manifests.items():
            if fnmatchcase(basename(path), pattern):
                manifests.setdefault(format_, {})[path] = texts[path]
    folders = (dirname(path) for found in manifests.values() for path in found)
    return ModuleTable((rule for read in _READERS for rule in read(manifests)), folders)


def digest_of(texts: Mapping[str, str], groups: Iterable[ResolutionRules]) -> str:
    """Of all that manifests say to some groups of languages."""
    tables = [read_manifests(texts, rules) for rules in groups if rules.manifests] if texts else []
    encode = msgspec.msgpack.Encoder(order="deterministic").encode
    return xxhash.xxh64_hexdigest(
        b"".join(sorted(encode((sorted(one.folders), one.exact, one.patterns)) for one in tables if one.folders))
    )
