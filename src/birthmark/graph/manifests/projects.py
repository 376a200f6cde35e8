"""Folders in which a `pyproject.toml` or `setup.cfg` has its packages, by the tool that builds them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from posixpath import basename, dirname
from typing import Any

from birthmark.graph.manifests.documents import (
    Table,
    inner_table,
    place_in,
    read_ini,
    read_toml,
    table_of,
    text_of,
    texts_of,
)
from birthmark.graph.manifests.table import ModuleRule, below
from birthmark.vocabulary import ManifestFormat

_Packages = Iterator[tuple[str, str]]  # the name of a package, and its path; no name for a folder of packages


def read_projects(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    for path, text in manifests.get(ManifestFormat.PROJECT, {}).items():
        tools = inner_table(read_toml(text), "tool")
        for tool, read in _TOOLS.items():
            yield from _rules(dirname(path), read(table_of(tools.get(tool))))
    for path, text in manifests.get(ManifestFormat.SETUP, {}).items():
        yield from _rules(dirname(path), _setup(read_ini(text)))


def _rules(folder: str, packages: _Packages) -> Iterator[ModuleRule]:
    """A package has its name everywhere; a folder of packages counts for what is beside and below it."""
    for name, written in packages:
        place = place_in(folder, written)
        if place is not None:
            yield from below("" if name else folder, name.replace(".", "/"), place)


def _setuptools(tool: Table) -> _Packages:
    for name, folder in inner_table(tool, "package-dir").items():
        yield name, text_of(folder)
    yield from _roots(inner_table(tool, "packages", "find").get("where"))


def _setup(sections: Table) -> _Packages:
    for line in text_of(inner_table(sections, "options").get("package_dir")).splitlines():
        name, equals, folder = line.partition("=")
        if equals:
            yield name.strip(), folder.strip()
    yield from _roots(text_of(inner_table(sections, "options.packages.find").get("where")).split())


def _poetry(tool: Table) -> _Packages:
    listed = tool.get("packages")
    for entry in map(table_of, listed if isinstance(listed, list) else ()):
        name = text_of(entry.get("include")).partition("/")[0]
        if name and "*" not in name:
            yield name, f"{text_of(entry.get('from')) or '.'}/{name}"


def _hatch(tool: Table) -> _Packages:
    for target in (inner_table(tool, "build"), *map(table_of, inner_table(tool, "build", "targets").values())):
        yield from ((basename(path.rstrip("/")), path) for path in texts_of(target.get("packages")))
        sources: Any = target.get("sources")
        yield from _roots(sources if isinstance(sources, list) else [*table_of(sources)])


def _pytest(tool: Table) -> _Packages:
    paths = inner_table(tool, "ini_options").get("pythonpath")
    return _roots([part for path in texts_of(paths) for part in path.split()])


def _roots(folders: object) -> _Packages:
    return (("", folder) for folder in texts_of(folders))


_TOOLS: dict[str, Callable[[Table], _Packages]] = {
    "setuptools": _setuptools,
    "poetry": _poetry,
    "hatch": _hatch,
    "pdm": lambda tool: _roots(inner_table(tool, "build").get("package-dir")),
    "uv": lambda tool: _roots(inner_table(tool, "build-backend").get("module-root")),
    "maturin": lambda tool: _roots(tool.get("python-source")),
    "pytest": _pytest,
}
