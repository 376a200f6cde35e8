"""Which file of the repository an import means.

Takes all paths of a snapshot; gives for a module, as it is written in a file, the file or folder that it is, or None
for what is outside the repository. The rules of a language choose how in the table at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from posixpath import dirname, join, normpath, splitext
from typing import NamedTuple

from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import ModuleLookup

_PACKAGE_FILE = "__init__"  # what a folder of dotted files says of itself
_PACKAGES = "node_modules"  # the folder of packages above a file of relative files
_CRATE_ROOTS = ("lib", "main")
_FOLDER_FILES = ("mod", *_CRATE_ROOTS)  # whose modules are beside them, not in a folder of their name


class Module(NamedTuple):
    """A file, or a folder with all its files, or a namespace wherever it is; and the scope in it that is meant."""

    path: str | None
    folder: str | None = None
    scope: str = ""


class Modules:
    """The paths of a snapshot, by how modules name them."""

    def __init__(self, paths: Collection[str]) -> None:
        self.paths = paths if isinstance(paths, (set, frozenset, dict)) else frozenset(paths)
        self.by_name: dict[str, list[tuple[str, str, str]]] = {}  # last part of the name -> name, extension, path
        self.folders: dict[str, set[str]] = {}  # folder -> extensions of the files directly in it
        self.has_packages: bool | None = None
        self.known: dict[tuple[ResolutionRules, str, str, str], Module | None] = {}
        for path in sorted(self.paths):
            stem, extension = splitext(path)
            self.folders.setdefault(dirname(path), set()).add(extension)
            stem = stem.removesuffix(f"/{_PACKAGE_FILE}")
            self.by_name.setdefault(stem.rpartition("/")[2], []).append((stem, extension, path))
        self.folders_by_name: dict[str, list[str]] = {}
        for folder in self.folders:
            self.folders_by_name.setdefault(folder.rpartition("/")[2], []).append(folder)

    def find(self, rules: ResolutionRules, path: str, module: str, scope: str = "") -> Module | None:
        """`scope` is the module inside the file in which the import is, where a file may hold modules."""
        key = (rules, path, module, scope)
        if key not in self.known:
            finder = _FINDERS.get(rules.modules)
            self.known[key] = finder(self, rules, path, module, scope) if finder else None
        return self.known[key]

    def child(self, rules: ResolutionRules, module: Module, name: str) -> Module | None:
        """The module of that name inside a module."""
        if rules.modules is ModuleLookup.DOTTED_FILES:
            folder = module.folder if module.path is None else package_folder(module.path)
            return None if folder is None else self._dotted_file(rules, join(folder, name))
        if rules.modules is ModuleLookup.CRATE_TREE and module.path is not None and not module.scope:
            return self._crate_child(module.path, name)
        return None

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
            (-_nearness(path, other), len(other), other)
            for stem, extension, other in self.by_name.get(name.rpartition("/")[2], ())
            if (stem == name or stem.endswith(end))
            and extension in extensions
            and self._starts_well(rules, path, other, stem[: -len(name)].rstrip("/"), name)
        ]
        return Module(min(found)[2]) if found else None

    def _starts_well(self, rules: ResolutionRules, path: str, other: str, root: str, name: str) -> bool:
        if f"{root}/{_PACKAGE_FILE}.py" in self.paths:
            return False  # `json` is not `flask/json`, whose name starts at `flask`.
        if root.rpartition("/")[2] in rules.root_folders or path.startswith(f"{root}/"):
            return True
        return "/" in name or package_folder(other) is not None

    def dotted_files(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        names = module.lstrip(".")
        n_dots, name = len(module) - len(names), names.replace(".", "/")
        if not n_dots:
            return self.suffixed(rules, path, name, rules.extensions) or self._dotted_folder(rules, name)
        folder = dirname(path)
        for _ in range(n_dots - 1):
            folder = dirname(folder)
        return self._dotted_file(rules, join(folder, name).rstrip("/"))

    def _dotted_file(self, rules: ResolutionRules, base: str) -> Module | None:
        inside, source, *stubs = f"{base}/{_PACKAGE_FILE}".lstrip("/"), *rules.extensions
        files = [f"{inside}{source}", *(f"{base}{ending}" for ending in rules.extensions)]
        return self.first([*files, *(f"{inside}{stub}" for stub in stubs)]) or self._dotted_folder(rules, base)

    def _dotted_folder(self, rules: ResolutionRules, folder: str) -> Module | None:
        return Module(None, folder) if rules.extensions[0] in self.folders.get(folder, ()) else None

    def relative_files(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        endings = ("", *rules.extensions, *(f"/index{extension}" for extension in rules.extensions))
        if module.startswith(("@/", "~/")):
            return self.first(f"{root}{module[2:]}{ending}" for root in ("src/", "app/", "") for ending in endings)
        if not module.startswith("."):
            return self._package(path, module, endings)
        base = normpath(join(dirname(path), module)).removeprefix("./")
        written, extension = splitext(base)
        bases = (base, written) if extension in rules.extensions else (base,)  # `./x.js` may be written as x.ts
        return self.first(f"{base}{ending}".removeprefix("./") for base in bases for ending in endings)

    def _package(self, path: str, module: str, endings: tuple[str, ...]) -> Module | None:
        """In the nearest folder of packages above, where those are part of the snapshot."""
        if self.has_packages is None:
            self.has_packages = any(f"{_PACKAGES}/" in folder for folder in self.folders)
        folder = path
        while self.has_packages and folder:
            folder = dirname(folder)
            found = self.first(join(folder, _PACKAGES, f"{module}{ending}") for ending in endings)
            if found is not None:
                return found
        return None

    def beside(self, rules: ResolutionRules, path: str, module: str) -> Module | None:
        """A file in the same folder that has the name of a package."""
        if module.partition("/")[0] in rules.library_folders:
            return None
        found = self.relative_files(rules, path, f"./{module}", "")
        return found if found is not None and found.path != path else None

    def package_folders(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        """A package, or a class whose members are imported."""
        name = module.replace(".", "/")
        folders = self.folders_by_name.get(name.rpartition("/")[2], ())
        if any(f"/{folder}".endswith(f"/{name}") for folder in folders):
            return Module(None, name)
        found = self.suffixed(rules, path, name, rules.extensions) if "/" in name else None
        return found and found._replace(scope=name.rpartition("/")[2])

    def path_folders(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        """A folder that is the end of the path; where the repository's own path ends is not known."""
        parts = module.split("/")
        if len(parts) == 1 or parts[0] in rules.library_folders:
            return None
        folders = ("/".join(parts[first:]) for first in range(1, len(parts)))
        return next((Module(None, folder) for folder in folders if self._has_any(folder, rules.extensions)), None)

    def _has_any(self, folder: str, extensions: Iterable[str]) -> bool:
        return not self.folders.get(folder, frozenset()).isdisjoint(extensions)

    def crate_tree(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        head, *rest = parts = module.split("::")
        if head == "crate":
            return self._below(Module(self._crate_root(path)), rest)
        if head not in ("self", "super"):
            place = self._crate_child(path, head) or self._crate(head) or self._beside_root(path, head)
            return place and self._below(place, rest)
        place = Module(path, None, scope)
        while place and parts and parts[0] in ("self", "super"):
            place = self._above(place) if parts.pop(0) == "super" else place
        return place and self._below(place, parts)

    def _above(self, place: Module) -> Module | None:
        if place.scope or place.path is None:
            return Module(place.path, None, place.scope.rpartition(".")[0])
        folder = dirname(_crate_folder(place.path))
        return self.first((*(join(folder, f"{root}.rs") for root in _FOLDER_FILES), f"{folder}.rs"))

    def _below(self, place: Module, parts: list[str]) -> Module:
        """Go down as long as there are files; what is left is a scope inside the last one."""
        for at, part in enumerate(parts):
            deeper = None if place.scope or place.path is None else self._crate_child(place.path, part)
            if deeper is None:
                return place._replace(scope=".".join([*filter(None, [place.scope]), *parts[at:]]))
            place = deeper
        return place

    def _crate_child(self, path: str, name: str) -> Module | None:
        folder = join(_crate_folder(path), name)
        return self.first((f"{folder}.rs", f"{folder}/mod.rs"))

    def _crate(self, name: str) -> Module | None:
        roots = (path for _, extension, path in self.by_name.get("lib", ()) if extension == ".rs")
        return next((Module(path) for path in roots if _crate_name(path) == name), None)

    def _beside_root(self, path: str, name: str) -> Module | None:
        """The modules of a file that is its own crate are beside it."""
        is_root = splitext(path)[0].rpartition("/")[2] not in _FOLDER_FILES and self._crate_root(path) == path
        return self.first([join(dirname(path), f"{name}.rs")]) if is_root and f"{name}.rs" != path else None

    def _crate_root(self, path: str) -> str:
        """The nearest `lib.rs` or `main.rs` above; a file without one, such as a test, is its own crate."""
        folder = dirname(path)
        while path not in (found := [join(folder, "lib.rs"), join(folder, "main.rs")]):
            root = self.first(found)
            if root is not None and root.path is not None:
                return root.path
            if not folder:
                break
            folder = dirname(folder)
        return path

    def included_files(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        near = self.first([normpath(join(dirname(path), module))])
        stem, extension = splitext(module)
        return near or (self.suffixed(rules, path, stem, (extension,)) if extension in rules.extensions else None)

    def required_files(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        for extension in rules.extensions:
            module = module.removesuffix(extension)
        base = normpath(join(dirname(path), module))
        near = self.first(f"{base}{extension}" for extension in rules.extensions)
        return near or self.suffixed(rules, path, normpath(module).lstrip("./"), rules.extensions)


def _nearness(path: str, other: str) -> int:
    """How many folders two paths share."""
    n_shared = 0
    for mine, its in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != its:
            break
        n_shared += 1
    return n_shared


def package_folder(path: str) -> str | None:
    return dirname(path) if path.rpartition("/")[2].startswith(f"{_PACKAGE_FILE}.") else None


def _crate_folder(path: str) -> str:
    stem = splitext(path)[0]
    return dirname(path) if stem.rpartition("/")[2] in _FOLDER_FILES else stem


def _crate_name(path: str) -> str:
    """`crates/my-crate/src/lib.rs` is the crate my_crate."""
    folder = dirname(path)
    folder = dirname(folder) if folder.endswith("src") else folder
    return folder.rpartition("/")[2].replace("-", "_")


_FINDERS: dict[ModuleLookup, Callable[[Modules, ResolutionRules, str, str, str], Module | None]] = {
    ModuleLookup.DOTTED_FILES: Modules.dotted_files,
    ModuleLookup.RELATIVE_FILES: Modules.relative_files,
    ModuleLookup.PACKAGE_FOLDERS: Modules.package_folders,
    ModuleLookup.PATH_FOLDERS: Modules.path_folders,
    ModuleLookup.CRATE_TREE: Modules.crate_tree,
    ModuleLookup.INCLUDED_FILES: Modules.included_files,
    ModuleLookup.REQUIRED_FILES: Modules.required_files,
}
