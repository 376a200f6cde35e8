"""Crates that a `Cargo.toml` names: their roots, and dependencies by path or under another name.

`crate` is a name too, in the folder of a root that is not called as is usual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname
from typing import NamedTuple

from birthmark.graph.manifests.documents import Table, inner_table, place_in, read_toml, table_of, text_of
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import ModuleRule, folders_above
from birthmark.vocabulary import Ecosystem, ManifestFormat

OWN_CRATE = "crate"
_USUAL_ROOT = "src/lib.rs"
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")


class _Crate(NamedTuple):
    folder: str
    package: str
    name: str
    root: str


def read_crates(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    documents = {dirname(path): read_toml(text) for path, text in manifests.get(ManifestFormat.CRATE, {}).items()}
    crates = [crate for folder, manifest in documents.items() if (crate := _crate(folder, manifest)) is not None]
    by_folder = {crate.folder: crate for crate in crates}
    by_package = {crate.package: crate for crate in crates}
    for crate in crates:
        yield ModuleRule("", crate.name, (crate.root,))
        if inner_table(documents[crate.folder], "lib").get("path"):
            yield ModuleRule(dirname(crate.root), OWN_CRATE, (crate.root,))
    for folder in documents:
        for name, entry, around in _dependencies(folder, documents):
            place = place_in(around, text_of(entry["path"])) if text_of(entry.get("path")) else None
            package = text_of(entry.get("package"))
            used = by_folder.get(place) if place is not None else by_package.get(package)
            if used is not None:
                # A dependency keeps the name of the crate, unless it is renamed.
                yield ModuleRule(folder, _identifier(name) if package else used.name, (used.root,))


def _crate(folder: str, manifest: Table) -> _Crate | None:
    package = text_of(inner_table(manifest, "package").get("name"))
    library = inner_table(manifest, "lib")
    root = place_in(folder, text_of(library.get("path")) or _USUAL_ROOT)
    if not package or root is None:
        return None
    return _Crate(folder, package, _identifier(text_of(library.get("name")) or package), root)


def _dependencies(folder: str, documents: Mapping[str, Table]) -> Iterator[tuple[str, Table, str]]:
    """With the folder in which each is written, which for those of a workspace is the workspace's."""
    manifest = documents[folder]
    tables = [manifest, *map(table_of, inner_table(manifest, "target").values())]
    for name, value in (
        item for table in tables for kind in _DEPENDENCIES for item in inner_table(table, kind).items()
    ):
        entry = table_of(value)
        if entry.get("workspace") is not True:
            yield name, entry, folder
            continue
        for around in (folder, *folders_above(folder)):
            shared = inner_table(documents.get(around), "workspace", "dependencies")
            if name in shared:
                yield name, table_of(shared[name]), around
                break


def _identifier(name: str) -> str:
    return name.replace("-", "_")


def read_crate_renames(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Return the names of dependencies in this manifest, with those that others use."""
    documents = {dirname(path): read_toml(text) for path, text in manifests.get(ManifestFormat.CRATE, {}).items()}
    for folder in documents:
        for name, entry, _ in _dependencies(folder, documents):
            if package := text_of(entry.get("package")):
                yield _identifier(name), _identifier(package)


def read_cargo_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """A dependency may have another name here than in its registry."""
    texts = manifests.get(ManifestFormat.CRATE, {})
    documents = {dirname(path): read_toml(text) for path, text in texts.items()}
    for path in texts:
        folder = dirname(path)
        if name := text_of(inner_table(documents[folder], "package").get("name")):
            used = _dependencies(folder, documents)
            names = [text_of(entry.get("package")) or called for called, entry, _ in used]
            yield make_package(Ecosystem.CARGO, name, folder, path, names)
