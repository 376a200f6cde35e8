"""The files of a snapshot, by how modules name them, and what its manifests say about them.

Takes all paths of a snapshot, and the texts of its manifests, which are read when a language first needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from posixpath import dirname, splitext
from typing import NamedTuple

from birthmark.graph.manifests.readers import read_manifests
from birthmark.graph.manifests.table import ModuleTable, nearness
from birthmark.languages.rules import ResolutionRules

PACKAGE_FILE = "__init__"  # what a folder of dotted files says of itself


class Module(NamedTuple):
    """A file, or a folder with all its files, or a namespace wherever it is; and the scope in it that is meant."""

    path: str | None
    folder: str | None = None
    scope: str = ""


Find = Callable[[ResolutionRules, str], Module | None]  # what is at a place


class ModulePaths:
    """Looks files up by the ends of their paths, or by manifests."""

    def __init__(self, paths: Collection[str], manifests: Callable[[], Mapping[str, str]] = dict) -> None:
        self.manifests = cache(manifests)
        self.tables: dict[ResolutionRules, ModuleTable] = {}
        self.tried: list[str] = []  # places that manifests name
        self.paths = paths if isinstance(paths, (set, frozenset, dict)) else frozenset(paths)
        self.by_name: dict[str, list[tuple[str, str, str]]] = {}  # last part of the name -> name, extension, path
        self.folders: dict[str, set[str]] = {}  # folder -> extensions of the files directly in it
        for path in sorted(self.paths):
            stem, extension = splitext(path)
            self.folders.setdefault(dirname(path), set()).add(extension)
            stem = stem.removesuffix(f"/{PACKAGE_FILE}")
            self.by_name.setdefault(stem.rpartition("/")[2], []).append((stem, extension, path))
        self.folders_by_name: dict[str, list[str]] = {}
        for folder in self.folders:
            self.folders_by_name.setdefault(folder.rpartition("/")[2], []).append(folder)

    def table(self, rules: ResolutionRules) -> ModuleTable:
        if rules not in self.tables:
            self.tables[rules] = read_manifests(self.manifests(), rules) if rules.manifests else ModuleTable()
        return self.tables[rules]

    def file_at(self, rules: ResolutionRules, path: str) -> Module | None:
        return Module(path) if path in self.paths else None

    def listed(self, rules: ResolutionRules, path: str, name: str, find: Find) -> Module | None:
        """By the manifests, the first place that there is."""
        for place in self.table(rules).places(path, name):
            self.tried.append(place)
            found = find(rules, place)
            if found is not None:
                return found
        return None

    def take_tried(self) -> list[str]:
        """The places where something was looked for, whether it was there or not, since this was last asked."""
        tried, self.tried = self.tried, []
        return tried

    def mapped_folder(self, rules: ResolutionRules, namespace: str) -> Module | None:
        """The folder that a manifest has for a namespace."""
        return self.listed(rules, "", namespace.replace(rules.separator, "/"), self._folder_at)

    def mapped_file(self, rules: ResolutionRules, namespace: str, name: str) -> Module | None:
        """The file for a type of a namespace."""
        return self.listed(rules, "", f"{namespace}/{name}".replace(rules.separator, "/"), self._type_file)

    def _folder_at(self, rules: ResolutionRules, folder: str) -> Module | None:
        return Module(None, folder) if folder in self.folders else None

    def _type_file(self, rules: ResolutionRules, base: str) -> Module | None:
        return self.first(f"{base}{extension}" for extension in rules.extensions)

    def place(self, module: Module | None) -> str | None:
        """The path of a module; a package that may be in several folders has none."""
        if module is None or module.path is not None or module.folder not in self.folders:
            return module and module.path
        return module.folder

    def first(self, candidates: Iterable[str]) -> Module | None:
        return next((Module(path) for path in candidates if path in self.paths), None)

    def suffixed(self, rules: ResolutionRules, path: str, name: str, extensions: Collection[str]) -> Module | None:
        """The file whose path ends like that, and begins where names of modules may begin; the nearest of several."""
        end = f"/{name}"
        found = [
            (-nearness(path, other), len(other), other)
            for stem, extension, other in self.by_name.get(name.rpartition("/")[2], ())
            if (stem == name or stem.endswith(end))
            and extension in extensions
            and self._starts_well(rules, path, other, stem[: -len(name)].rstrip("/"), name)
        ]
        return Module(min(found)[2]) if found else None

    def _starts_well(self, rules: ResolutionRules, path: str, other: str, root: str, name: str) -> bool:
        if f"{root}/{PACKAGE_FILE}.py" in self.paths:
            return False  # `json` is not `flask/json`, whose name starts at `flask`.
        if root.rpartition("/")[2] in rules.root_folders or path.startswith(f"{root}/"):
            return True
        return "/" in name or package_folder(other) is not None


def package_folder(path: str) -> str | None:
    return dirname(path) if path.rpartition("/")[2].startswith(f"{PACKAGE_FILE}.") else None
