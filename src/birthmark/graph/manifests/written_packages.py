"""Packages of which a manifest is a program that mostly states things: gemspecs and `Package.swift`; and `*.csproj`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname

from birthmark.graph.manifests.documents import MOST_CHARACTERS, read_xml
from birthmark.graph.manifests.package import Package, make_package
from birthmark.vocabulary import Ecosystem, ManifestFormat

_GEM_NAME = re.compile(r"""^[ \t]*\w+\.name[ \t]*=[ \t]*["']([^"'#]+)["']""", re.M)
_GEM_USED = re.compile(r"""^[ \t]*\w+\.add_(?:runtime_|development_)?dependency[\s(]+["']([^"'#]+)["']""", re.M)
_SWIFT_NAME = re.compile(r'\bPackage\s*\(\s*name\s*:\s*"([^"\\]+)"')
_SWIFT_URL = re.compile(r'\.package\s*\([^()]*?\burl\s*:\s*"([^"\\]+)"')
_SWIFT_ID = re.compile(r'\.package\s*\(\s*id\s*:\s*"([^"\\]+)"')
_SWIFT_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<!:)//[^\n]*", re.S)


def read_gem_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    for path, text in manifests.get(ManifestFormat.GEMSPEC, {}).items():
        text = text[:MOST_CHARACTERS]
        name = _GEM_NAME.search(text)
        if name is not None:
            yield make_package(Ecosystem.RUBYGEMS, name[1], dirname(path), path, _GEM_USED.findall(text))


def read_swift_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """What is depended on has the name of its repository, as the package manager has it."""
    for path, text in manifests.get(ManifestFormat.SWIFT_PACKAGE, {}).items():
        text = _SWIFT_COMMENT.sub(" ", text[:MOST_CHARACTERS])
        name = _SWIFT_NAME.search(text)
        if name is not None:
            names = [url.rstrip("/").rpartition("/")[2].removesuffix(".git") for url in _SWIFT_URL.findall(text)]
            used = [*names, *_SWIFT_ID.findall(text)]
            yield make_package(Ecosystem.SWIFT, name[1], dirname(path), path, used)


def read_nuget_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """A project has the name of its file, unless it says another one."""
    for path, text in manifests.get(ManifestFormat.NUGET, {}).items():
        project = read_xml(text)
        if project is None:
            continue
        said = (project.findtext(f"PropertyGroup/{tag}") for tag in ("PackageId", "AssemblyName"))
        stem = basename(path).rpartition(".")[0]
        name = next((one for one in said if one and "$" not in one), stem)
        used = [one.get("Include") or one.get("Update") or "" for one in project.iter("PackageReference")]
        yield make_package(Ecosystem.NUGET, name, dirname(path), path, [one for one in used if "$" not in one])
