"""Modules that a `go.mod` names: their paths, the folder of vendored ones, and local replacements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname

from birthmark.graph.manifests.documents import MOST_CHARACTERS, place_in
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import ANY, ModuleRule, below
from birthmark.vocabulary import Ecosystem, ManifestFormat

_MODULE = re.compile(r'^[ \t]*module[ \t]+(?:\([ \t]*\n[ \t]*)?["`]?([^\s"`()]+)', re.M)
_REQUIRED = re.compile(r'^[ \t]*(?:require[ \t]+)?["`]?([^\s"`()]+)["`]?[ \t]+v\d', re.M)
_EXCLUDED = re.compile(r"^[ \t]*(?:exclude|replace|retract)\b[ \t]*(?:\([^()]*\)|[^\n]*)", re.M)
_REPLACED = re.compile(
    r'^[ \t]*(?:replace[ \t]+)?["`]?([^\s"`]+)["`]?(?:[ \t]+v\S+)?[ \t]+=>[ \t]+["`]?(\.[^\s"`]*)', re.M
)


def read_go_modules(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    for path, text in manifests.get(ManifestFormat.GO_MODULE, {}).items():
        folder, text = dirname(path), text[:MOST_CHARACTERS]
        module = _MODULE.search(text)
        if module is not None:
            yield from below("", module[1], folder)
        for name, written in _REPLACED.findall(text):
            place = place_in(folder, written)
            if place is not None:
                yield from below(folder, name, place)
        yield ModuleRule(folder, ANY, (f"{folder}/vendor/{ANY}".lstrip("/"),))


def read_go_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    for path, text in manifests.get(ManifestFormat.GO_MODULE, {}).items():
        text = text[:MOST_CHARACTERS]
        module = _MODULE.search(text)
        if module is not None:
            required = _REQUIRED.findall(_EXCLUDED.sub("", text))
            yield make_package(Ecosystem.GO, module[1], dirname(path), path, required)
