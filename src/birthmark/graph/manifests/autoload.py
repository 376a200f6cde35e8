"""Folders that a `composer.json` gives to namespaces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname

from birthmark.graph.manifests.documents import inner_table, place_in, read_json, texts_of
from birthmark.graph.manifests.table import ModuleRule, below
from birthmark.vocabulary import ManifestFormat

_KINDS = ("autoload", "autoload-dev")


def read_autoload(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    for path, text in manifests.get(ManifestFormat.AUTOLOAD, {}).items():
        manifest = read_json(text)
        for kind in _KINDS:
            for namespace, written in inner_table(manifest, kind, "psr-4").items():
                places = (place_in(dirname(path), folder) for folder in texts_of(written) or ["."])
                found = [place for place in places if place is not None]
                yield from below("", namespace.replace("\\", "/").strip("/"), *found)
