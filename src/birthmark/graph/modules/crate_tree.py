"""Modules of crates: files below a root, and the modules in them.

Takes the files of a snapshot. A crate is known by its manifest; without one, by the folder of its `lib.rs`.
"""

from __future__ import annotations

from posixpath import dirname, join, splitext

from birthmark.graph.manifests.crates import OWN_CRATE
from birthmark.graph.manifests.table import folders_above
from birthmark.graph.modules.module_paths import Module, ModulePaths
from birthmark.languages.rules import ResolutionRules

_CRATE_ROOTS = ("lib", "main")
_FOLDER_FILES = ("mod", *_CRATE_ROOTS)  # whose modules are beside them, not in a folder of their name


class CrateTree:
    """Goes up and down the modules of the crates of a snapshot."""

    def __init__(self, paths: ModulePaths, rules: ResolutionRules) -> None:
        self.paths, self.rules = paths, rules

    def find(self, path: str, module: str, scope: str) -> Module | None:
        head, *rest = parts = module.split("::")
        if head == "crate":
            return self._below(Module(self._root(path)), rest)
        if head not in ("self", "super"):
            listed = self.paths.listed(self.rules, path, head, self.paths.file_at)
            place = self.child(path, head) or listed or self._crate(head)
            place = place or self._beside_root(path, head)
            return place and self._below(place, rest)
        place = Module(path, None, scope)
        while place and parts and parts[0] in ("self", "super"):
            place = self._above(place) if parts.pop(0) == "super" else place
        return place and self._below(place, parts)

    def _above(self, place: Module) -> Module | None:
        if place.scope or place.path is None:
            return Module(place.path, None, place.scope.rpartition(".")[0])
        folder = dirname(self._folder(place.path))
        root = self._listed_root(join(folder, ""))
        if root is not None and dirname(root) == folder:
            return Module(root)
        return self.paths.first((*(join(folder, f"{name}.rs") for name in _FOLDER_FILES), f"{folder}.rs"))

    def _below(self, place: Module, parts: list[str]) -> Module:
        """Go down as long as there are files; what is left is a scope inside the last one."""
        for at, part in enumerate(parts):
            deeper = None if place.scope or place.path is None else self.child(place.path, part)
            if deeper is None:
                return place._replace(scope=".".join([*filter(None, [place.scope]), *parts[at:]]))
            place = deeper
        return place

    def child(self, path: str, name: str) -> Module | None:
        folder = join(self._folder(path), name)
        return self.paths.first((f"{folder}.rs", f"{folder}/mod.rs"))

    def _crate(self, name: str) -> Module | None:
        roots = (path for _, extension, path in self.paths.by_name.get("lib", ()) if extension == ".rs")
        return next((Module(path) for path in roots if _crate_name(path) == name), None)

    def _beside_root(self, path: str, name: str) -> Module | None:
        """The modules of a file that is its own crate are beside it."""
        is_root = _stem(path) not in _FOLDER_FILES and self._root(path) == path
        return self.paths.first([join(dirname(path), f"{name}.rs")]) if is_root and f"{name}.rs" != path else None

    def _root(self, path: str) -> str:
        """The nearest `lib.rs` or `main.rs` above; a file without one, such as a test, is its own crate."""
        listed = self._listed_root(path)
        if listed is not None and _stem(path) not in _CRATE_ROOTS:
            return listed
        for folder in folders_above(path):
            roots = [join(folder, f"{name}.rs") for name in _CRATE_ROOTS]
            found = self.paths.first(roots)
            if path in roots:
                break
            if found is not None and found.path is not None:
                return found.path
        return path

    def _listed_root(self, path: str) -> str | None:
        found = self.paths.listed(self.rules, path, OWN_CRATE, self.paths.file_at)
        return found and found.path

    def _folder(self, path: str) -> str:
        """In which the modules of a file are."""
        if _stem(path) in _FOLDER_FILES or self._listed_root(path) == path:
            return dirname(path)
        return splitext(path)[0]


def _stem(path: str) -> str:
    return splitext(path)[0].rpartition("/")[2]


def _crate_name(path: str) -> str:
    """`crates/my-crate/src/lib.rs` is the crate my_crate."""
    folder = dirname(path)
    folder = dirname(folder) if folder.endswith("src") else folder
    return folder.rpartition("/")[2].replace("-", "_")
