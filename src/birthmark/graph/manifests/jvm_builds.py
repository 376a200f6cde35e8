"""Packages that a `pom.xml` or a Gradle build names, as far as they are written down and not computed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname
from xml.etree.ElementTree import Element

from birthmark.graph.manifests.documents import MOST_CHARACTERS, read_xml
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import folders_above
from birthmark.vocabulary import Ecosystem, ManifestFormat

_PROPERTY = re.compile(r"\$\{([^${}]+)\}")
_MOST_STEPS = 10  # from property to property
_LONGEST = 1_000  # characters of a group or an artifact; each dependency may have one that is made of properties
_GROUP = re.compile(r"""^[ \t]*group[ \t]*=?[ \t]*\(?["']([^"'$]+)["']""", re.M)
_PROJECT_NAME = re.compile(r"""rootProject\.name\s*=\s*["']([^"'$]+)["']""")
_CONFIGURATION = r"(?:\w*[iI]mplementation|\w*[aA]pi|\w*[cC]ompileOnly|\w*[rR]untimeOnly|kapt|ksp|annotationProcessor)"
_NOTATION = re.compile(rf"""\b{_CONFIGURATION}[\s(]+(?:platform\()?["']([\w.-]+:[\w.-]+)(?::[^"']*)?["']""")
_NAMED = re.compile(
    rf"""\b{_CONFIGURATION}[\s(]+group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["']"""
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|(?<![:\w])//[^\n]*", re.S)


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
        found = _PROPERTY.search(text)
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
            named = [f"{one}:{name}" for one, name in _NAMED.findall(text)]
            yield make_package(Ecosystem.MAVEN, f"{group}:{artifact}", folder, path, [*_NOTATION.findall(text), *named])


def _plain(text: str) -> str:
    return _COMMENT.sub(" ", text) if len(text) <= MOST_CHARACTERS else ""
