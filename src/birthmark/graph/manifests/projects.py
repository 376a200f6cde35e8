"""Folders in which a `pyproject.toml` or `setup.cfg` has its packages, by the tool that builds them; and its name."""

from __future__ import annotations

import re
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
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import ModuleRule, below
from birthmark.vocabulary import Ecosystem, ManifestFormat

_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)")  # what its registry calls it
_INTERPRETER = re.compile("python3?")  # which is listed among dependencies
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


# The package itself


def read_python_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """Return packages; of two manifests in one folder, each fills in what the other leaves out."""
    found: dict[str, tuple[str, str, list[str]]] = {}
    readers = {ManifestFormat.PROJECT: _read_project, ManifestFormat.SETUP: _read_setup}
    for format_, read in readers.items():
        for path, text in manifests.get(format_, {}).items():
            name, requirements = read(text)
            known = found.get(dirname(path), (path, "", []))
            found[dirname(path)] = known[0], known[1] or name, known[2] + requirements
    for folder, (path, name, requirements) in found.items():
        if name:
            names = [match[1] for one in requirements if (match := _REQUIREMENT.match(one)) is not None]
            yield make_package(Ecosystem.PYPI, name, folder, path, names)


def _read_project(text: str) -> tuple[str, list[str]]:
    document = read_toml(text)
    project, poetry = inner_table(document, "project"), inner_table(document, "tool", "poetry")
    groups = [
        *inner_table(project, "optional-dependencies").values(),
        *inner_table(document, "dependency-groups").values(),
    ]
    written = [one for value in (project.get("dependencies"), *groups) for one in texts_of(value)]
    tables = [poetry, *map(table_of, inner_table(poetry, "group").values())]
    named = [
        name
        for table in tables
        for kind in _POETRY_KINDS
        for name in inner_table(table, kind)
        if not _INTERPRETER.fullmatch(name)
    ]
    return text_of(project.get("name")) or text_of(poetry.get("name")), written + named


def _read_setup(text: str) -> tuple[str, list[str]]:
    sections = read_ini(text)
    extras = inner_table(sections, "options.extras_require").values()
    required = (inner_table(sections, "options").get("install_requires"), *extras)
    lines = [line for value in required for line in text_of(value).splitlines()]
    return text_of(inner_table(sections, "metadata").get("name")), [line for line in lines if line.strip()]


_POETRY_KINDS = ("dependencies", "dev-dependencies")
