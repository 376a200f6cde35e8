"""Read the manifests of RubyGems, SwiftPM, NuGet, Go, Composer, Maven and Gradle.

Most of them are programs, so patterns read what is written down; computed names and versions are unknown. `go.mod` and
`composer.json` also give ModuleRules: vendored folders, local replacements and the folders of namespaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname
from xml.etree.ElementTree import Element

from birthmark.graph.manifests.documents import (
    MOST_CHARACTERS,
    inner_table,
    place_in,
    read_json,
    read_xml,
    text_of,
    texts_of,
)
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import ANY, ModuleRule, below, folders_above
from birthmark.vocabulary import Ecosystem, ManifestFormat

_GEM_NAME = re.compile(r"""^[ \t]*\w+\.name[ \t]*=[ \t]*["']([^"'#]+)["']""", re.M)
_GEM_USED = re.compile(r"""^[ \t]*\w+\.add_(?:runtime_|development_)?dependency[\s(]+["']([^"'#]+)["']""", re.M)
_SWIFT_NAME = re.compile(r'\bPackage\s*\(\s*name\s*:\s*"([^"\\]+)"')
_SWIFT_URL = re.compile(r'\.package\s*\([^()]*?\burl\s*:\s*"([^"\\]+)"')
_SWIFT_ID = re.compile(r'\.package\s*\(\s*id\s*:\s*"([^"\\]+)"')
_SWIFT_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<!:)//[^\n]*", re.S)
_GO_MODULE = re.compile(r'^[ \t]*module[ \t]+(?:\([ \t]*\n[ \t]*)?["`]?([^\s"`()]+)', re.M)
_GO_REQUIRED = re.compile(r'^[ \t]*(?:require[ \t]+)?["`]?([^\s"`()]+)["`]?[ \t]+v\d', re.M)
_GO_EXCLUDED = re.compile(r"^[ \t]*(?:exclude|replace|retract)\b[ \t]*(?:\([^()]*\)|[^\n]*)", re.M)
_GO_REPLACED = re.compile(
    r'^[ \t]*(?:replace[ \t]+)?["`]?([^\s"`]+)["`]?(?:[ \t]+v\S+)?[ \t]+=>[ \t]+["`]?(\.[^\s"`]*)', re.M
)
_AUTOLOADS = ("autoload", "autoload-dev")
_COMPOSER_REQUIRED = ("require", "require-dev")
_MAVEN_PROPERTY = re.compile(r"\$\{([^${}]+)\}")
_MOST_STEPS = 10  # from property to property
_LONGEST = 1_000  # characters of a group or an artifact; each dependency may have one that is made of properties
_GROUP = re.compile(r"""^[ \t]*group[ \t]*=?[ \t]*\(?["']([^"'$]+)["']""", re.M)
_PROJECT_NAME = re.compile(r"""rootProject\.name\s*=\s*["']([^"'$]+)["']""")
_CONFIGURATION = r"(?:\w*[iI]mplementation|\w*[aA]pi|\w*[cC]ompileOnly|\w*[rR]untimeOnly|kapt|ksp|annotationProcessor)"
_NOTATION = re.compile(rf"""\b{_CONFIGURATION}[\s(]+(?:platform\()?["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']""")
_GRADLE_NAMED = re.compile(
    rf"""\b{_CONFIGURATION}[\s(]+group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']"""
)
_GRADLE_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<![:\w])//[^\n]*", re.S)


def read_gem_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    for path, text in manifests.get(ManifestFormat.GEMSPEC, {}).items():
        text = text[:MOST_CHARACTERS]
        name = _GEM_NAME.search(text)
        if name is not None:
            yield make_package(Ecosystem.RUBYGEMS, name[1], dirname(path), path, _GEM_USED.findall(text))


def read_swift_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """Return packages; a dependency has the name of its repository, as in the package manager."""
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


def read_go_modules(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    for path, text in manifests.get(ManifestFormat.GO_MODULE, {}).items():
        folder, text = dirname(path), text[:MOST_CHARACTERS]
        module = _GO_MODULE.search(text)
        if module is not None:
            yield from below("", module[1], folder)
        for name, written in _GO_REPLACED.findall(text):
            place = place_in(folder, written)
            if place is not None:
                yield from below(folder, name, place)
        yield ModuleRule(folder, ANY, (f"{folder}/vendor/{ANY}".lstrip("/"),))


def read_go_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    for path, text in manifests.get(ManifestFormat.GO_MODULE, {}).items():
        text = text[:MOST_CHARACTERS]
        module = _GO_MODULE.search(text)
        if module is not None:
            required = _GO_REQUIRED.findall(_GO_EXCLUDED.sub("", text))
            yield make_package(Ecosystem.GO, module[1], dirname(path), path, required)


def read_autoload(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    for path, text in manifests.get(ManifestFormat.AUTOLOAD, {}).items():
        manifest = read_json(text)
        for kind in _AUTOLOADS:
            for namespace, written in inner_table(manifest, kind, "psr-4").items():
                places = (place_in(dirname(path), folder) for folder in texts_of(written) or ["."])
                found = [place for place in places if place is not None]
                yield from below("", namespace.replace("\\", "/").strip("/"), *found)


def read_composer_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """Return packages; names without a vendor, such as `php` and `ext-json`, are not packages."""
    for path, text in manifests.get(ManifestFormat.AUTOLOAD, {}).items():
        manifest = read_json(text)
        names = [name for kind in _COMPOSER_REQUIRED for name in inner_table(manifest, kind) if "/" in name]
        if name := text_of(manifest.get("name")):
            yield make_package(Ecosystem.COMPOSER, name, dirname(path), path, names)


def read_maven_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    for path, text in manifests.get(ManifestFormat.MAVEN, {}).items():
        project = read_xml(text)
        properties = _properties(project) if project is not None else {}
        name = _coordinates(project, properties) if project is not None else None
        if project is not None and name is not None:
            used = project.findall("dependencies/dependency")
            names = [found for one in used if (found := _coordinates(one, properties)) is not None]
            yield make_package(Ecosystem.MAVEN, name, dirname(path), path, names)


def _coordinates(element: Element, properties: Mapping[str, str]) -> str | None:
    """`group:artifact`; a project without a group is in that of its parent."""
    group = element.findtext("groupId") or element.findtext("parent/groupId")
    artifact = element.findtext("artifactId")
    if not group or not artifact:
        return None
    name = f"{_value(group, properties)}:{_value(artifact, properties)}"
    return None if "${" in name else name


def _value(text: str, properties: Mapping[str, str]) -> str:
    """A text with its properties replaced, as far as this file defines them."""
    for _ in range(_MOST_STEPS):
        found = _MAVEN_PROPERTY.search(text)
        value = properties.get(found[1]) if found is not None else None
        if found is None or value is None:
            break
        text = f"{text[: found.start()]}{value}{text[found.end() :]}"[:_LONGEST]
    return text.strip()


def _properties(project: Element) -> dict[str, str]:
    """The properties that a project defines, and those that it has by itself."""
    parent = project.findtext("parent/groupId")
    own = {
        "groupId": project.findtext("groupId") or parent,
        "artifactId": project.findtext("artifactId"),
        "parent.groupId": parent,
        "parent.artifactId": project.findtext("parent/artifactId"),
    }
    named = {prefix + name: value for name, value in own.items() for prefix in ("", "project.", "pom.")}
    written = {one.tag: one.text for one in project.findall("properties/*")}
    return {name: value for name, value in {**written, **named}.items() if value is not None}


def read_gradle_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    builds = {path: _plain(text) for path, text in manifests.get(ManifestFormat.GRADLE, {}).items()}
    settings = {dirname(path): _plain(text) for path, text in manifests.get(ManifestFormat.GRADLE_SETTINGS, {}).items()}
    groups = {dirname(path): found[1] for path, text in builds.items() if (found := _GROUP.search(text)) is not None}
    for path, text in builds.items():
        folder = dirname(path)
        group = next((groups[one] for one in (folder, *folders_above(folder)) if one in groups), None)
        own = _PROJECT_NAME.search(settings.get(folder, ""))
        artifact = own[1] if own is not None else basename(folder)
        if group is not None and artifact:
            named = [f"{one}:{name}" for one, name in _GRADLE_NAMED.findall(text)]
            yield make_package(Ecosystem.MAVEN, f"{group}:{artifact}", folder, path, [*_NOTATION.findall(text), *named])


def _plain(text: str) -> str:
    return _GRADLE_COMMENT.sub(" ", text) if len(text) <= MOST_CHARACTERS else ""
