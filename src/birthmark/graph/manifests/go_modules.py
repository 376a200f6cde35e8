"""Modules that a `go.mod` names: their paths, the folder of vendored ones, and local replacements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname

from birthmark.graph.manifests.documents import MOST_CHARACTERS, place_in
from birthmark.graph.manifests.table import ANY, ModuleRule, below
from birthmark.vocabulary import ManifestFormat

_MODULE = re.compile(r'^[ \t]*module[ \t]+(?:\([ \t]*\n[ \t]*)?["`]?([^\s"`()]+)', re.M)
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
