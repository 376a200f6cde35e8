"""Folders that a `composer.json` gives to namespaces, and the package that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname

from birthmark.graph.manifests.documents import inner_table, place_in, read_json, text_of, texts_of
from birthmark.graph.manifests.package import Package, make_package
from birthmark.graph.manifests.table import ModuleRule, below
from birthmark.vocabulary import Ecosystem, ManifestFormat

_KINDS = ("autoload", "autoload-dev")
_REQUIRED = ("require", "require-dev")


def read_autoload(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    for path, text in manifests.get(ManifestFormat.AUTOLOAD, {}).items():
        manifest = read_json(text)
        for kind in _KINDS:
            for namespace, written in inner_table(manifest, kind, "psr-4").items():
                places = (place_in(dirname(path), folder) for folder in texts_of(written) or ["."])
                found = [place for place in places if place is not None]
                yield from below("", namespace.replace("\\", "/").strip("/"), *found)


def read_composer_packages(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[Package]:
    """What has no vendor, such as `php` and `ext-json`, is no package."""
    for path, text in manifests.get(ManifestFormat.AUTOLOAD, {}).items():
        manifest = read_json(text)
        names = [name for kind in _REQUIRED for name in inner_table(manifest, kind) if "/" in name]
        if name := text_of(manifest.get("name")):
            yield make_package(Ecosystem.COMPOSER, name, dirname(path), path, names)
