"""Names that `tsconfig.json` or `jsconfig.json` map to paths: `baseUrl`, `paths`, `rootDirs`, with what it extends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import dirname
from typing import NamedTuple

from birthmark.graph.manifests.documents import Table, inner_table, place_in, read_json, text_of, texts_of
from birthmark.graph.manifests.packages import package_folders
from birthmark.graph.manifests.table import ANY, ModuleRule
from birthmark.vocabulary import ManifestFormat

_MOST_EXTENDED = 20
_MOST_ROOTS = 100  # that are merged, each with each
_OWN_FOLDER = "${configDir}"  # of the configuration that extends the one in which it is written


class _Paths(NamedTuple):
    base: str | None = None  # the folder of `baseUrl`
    paths: Table = {}  # noqa: RUF012 - never changed
    folder: str = ""  # of the configuration that has the paths


def read_compiler_paths(manifests: Mapping[ManifestFormat, Mapping[str, str]]) -> Iterator[ModuleRule]:
    texts = manifests.get(ManifestFormat.COMPILER_PATHS, {})
    configurations = {path: read_json(text) for path, text in texts.items()}
    extended = (written for one in configurations.values() for written in texts_of(one.get("extends")))
    folders = package_folders(manifests) if any(written[:1] != "." for written in extended) else {}
    for path in configurations:
        yield from _rules(dirname(path), _Extended(configurations, folders).paths(path))
        yield from _merged(dirname(path), inner_table(configurations[path], "compilerOptions"))


def _rules(folder: str, found: _Paths) -> Iterator[ModuleRule]:
    base = found.folder if found.base is None else found.base
    for name, targets in found.paths.items():
        written = (_place(folder, base, target) for target in texts_of(targets))
        places = [place for place in written if place is not None]
        if places and name.count(ANY) < 2:
            yield ModuleRule(folder, name, tuple(places))
    if found.base is not None:
        yield ModuleRule(folder, ANY, (f"{found.base}/{ANY}".lstrip("/"),))


def _merged(folder: str, options: Table) -> Iterator[ModuleRule]:
    """Folders that are one when the program runs: what is not beside a file may be in another of them."""
    written = (place_in(folder, root) for root in texts_of(options.get("rootDirs")))
    roots = [root for root in written if root][:_MOST_ROOTS]
    for root in roots:
        yield ModuleRule(folder, f"/{root}/{ANY}", tuple(f"{other}/{ANY}" for other in roots if other != root))


def _place(folder: str, base: str, written: str) -> str | None:
    is_own = written.startswith(_OWN_FOLDER)
    return place_in(folder, f".{written[len(_OWN_FOLDER) :]}") if is_own else place_in(base, written)


class _Extended:
    """A configuration with those that it extends; the last that has an option wins."""

    def __init__(self, configurations: Mapping[str, Table], packages: Mapping[str, str]) -> None:
        self.configurations, self.packages = configurations, packages
        self.seen: set[str] = set()

    def paths(self, path: str) -> _Paths:
        found = _Paths()
        if path in self.seen or len(self.seen) > _MOST_EXTENDED:
            return found
        self.seen.add(path)
        manifest, folder = self.configurations[path], dirname(path)
        for written in texts_of(manifest.get("extends")):
            extended = self._find(folder, written)
            inherited = self.paths(extended) if extended is not None else _Paths()
            found = inherited._replace(
                base=found.base if inherited.base is None else inherited.base,
                paths=inherited.paths or found.paths,
                folder=inherited.folder if inherited.paths else found.folder,
            )
        options = inner_table(manifest, "compilerOptions")
        if text_of(options.get("baseUrl")):
            found = found._replace(base=place_in(folder, options["baseUrl"]))
        own = inner_table(options, "paths")
        return found._replace(paths=own, folder=folder) if own else found

    def _find(self, folder: str, written: str) -> str | None:
        """A path, or one in a package of the repository."""
        name = next((name for name in self.packages if name and f"{written}/".startswith(f"{name}/")), None)
        if written.startswith("."):
            place = place_in(folder, written)
        else:
            place = None if name is None else place_in(self.packages[name], written[len(name) :].lstrip("/") or ".")
        endings = ("", ".json", "/tsconfig.json")
        places = (f"{place}{ending}".lstrip("/") for ending in endings if place is not None)
        return next((path for path in places if path in self.configurations), None)
