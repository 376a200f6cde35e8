"""Find the file of the repository that an import means.

Takes all paths of a snapshot, and its manifests; gives for a module, as it is written in a file, its file or folder, or
None for a module outside the repository. The rules of a language choose the way in the table. A crate is known by its
manifest; without one, by the folder of its `lib.rs`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from posixpath import dirname, join, normpath, splitext

from birthmark.graph.manifests.crates import OWN_CRATE
from birthmark.graph.manifests.documents import place_in
from birthmark.graph.manifests.packages import sources_of
from birthmark.graph.manifests.table import folders_above
from birthmark.graph.modules.module_paths import PACKAGE_FILE, Module, ModulePaths, package_folder
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import ModuleLookup

__all__ = ["Module", "Modules"]

_PACKAGES = "node_modules"  # the folder of packages above a file of relative files
_SOURCE = "src/index"  # of a package
_CRATE_ROOTS = ("lib", "main")
_FOLDER_FILES = ("mod", *_CRATE_ROOTS)  # whose modules are beside them, not in a folder of their name


class Modules(ModulePaths):
    """Finds modules; what was found is kept."""

    def __init__(self, paths: Collection[str], manifests: Callable[[], Mapping[str, str]] = dict) -> None:
        super().__init__(paths, manifests)
        self.has_packages: bool | None = None
        # With the places that were tried.
        self.known: dict[tuple[ResolutionRules, str, str, str], tuple[Module | None, list[str]]] = {}

    def find(self, rules: ResolutionRules, path: str, module: str, scope: str = "") -> Module | None:
        """`scope` is the module inside the file in which the import is, where a file may hold modules."""
        key = (rules, path, module, scope)
        if key not in self.known:
            finder, before = _FINDERS.get(rules.modules), self.take_tried()
            found = finder(self, rules, path, module, scope) if finder else None
            self.known[key] = found, self.take_tried()
            self.tried = before
        found, tried = self.known[key]
        self.tried += tried
        return found

    def child(self, rules: ResolutionRules, module: Module, name: str) -> Module | None:
        """The module of that name inside a module."""
        if rules.modules is ModuleLookup.DOTTED_FILES:
            folder = module.folder if module.path is None else package_folder(module.path)
            return None if folder is None else self._dotted_file(rules, join(folder, name))
        if rules.modules is ModuleLookup.CRATE_TREE and module.path is not None and not module.scope:
            return CrateTree(self, rules).child(module.path, name)
        return None

    def dotted_files(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        names = module.lstrip(".")
        n_dots, name = len(module) - len(names), names.replace(".", "/")
        if not n_dots:
            found = self.suffixed(rules, path, name, rules.extensions)
            if found is None or dirname(found.path or "") != dirname(path):
                found = self.listed(rules, path, name, self._dotted_file) or found
            return found or self._dotted_folder(rules, name)
        folder = dirname(path)
        for _ in range(n_dots - 1):
            folder = dirname(folder)
        return self._dotted_file(rules, join(folder, name).rstrip("/"))

    def _dotted_file(self, rules: ResolutionRules, base: str) -> Module | None:
        inside, source, *stubs = f"{base}/{PACKAGE_FILE}".lstrip("/"), *rules.extensions
        files = [f"{inside}{source}", *(f"{base}{ending}" for ending in rules.extensions)]
        return self.first([*files, *(f"{inside}{stub}" for stub in stubs)]) or self._dotted_folder(rules, base)

    def _dotted_folder(self, rules: ResolutionRules, folder: str) -> Module | None:
        return Module(None, folder) if rules.extensions[0] in self.folders.get(folder, ()) else None

    def relative_files(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        if module.startswith("."):
            base = normpath(join(dirname(path), module)).removeprefix("./")
            # A folder may be a package, which says what is meant by the folder.
            return self._script(rules, base) or self.listed(rules, path, f"/{base}".removesuffix("."), self._script)
        is_library = module in rules.library_folders
        found = None if is_library else self.listed(rules, path, module, self._script)
        if found is None and module.startswith(("@/", "~/")):
            found = self.first(f"{root}{module[2:]}{end}" for root in ("src/", "app/", "") for end in _endings(rules))
        return found or self._package(rules, path, module)

    def _script(self, rules: ResolutionRules, base: str) -> Module | None:
        written, extension = splitext(base)
        bases = (base, written) if extension in rules.extensions else (base,)  # `./x.js` may be written as x.ts
        return self.first(f"{base}{ending}".removeprefix("./") for base in bases for ending in _endings(rules))

    def _package(self, rules: ResolutionRules, path: str, module: str) -> Module | None:
        """In the nearest folder of packages above, where those are part of the snapshot."""
        if self.has_packages is None:
            self.has_packages = any(f"{_PACKAGES}/" in folder for folder in self.folders)
        folders = folders_above(path) if self.has_packages else ()
        return self.first(join(folder, _PACKAGES, f"{module}{end}") for folder in folders for end in _endings(rules))

    def made_from(self, rules: ResolutionRules, path: str, built: Iterable[str]) -> Module | None:
        """The source of the built files that a file passes on; without one of their names, that of the package."""
        folder = dirname(path)
        written = [*(source for one in built for source in sources_of(one)), _SOURCE]
        places = [place for one in written if (place := place_in(folder, one)) is not None]
        self.tried += places
        found = (self._script(rules, place) for place in places)
        return next((one for one in found if one is not None and one.path != path), None)

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
        """A folder that a manifest names; without one, where the repository's own path ends is not known."""
        listed = self.listed(rules, path, module, self._source_folder)
        parts = module.split("/")
        if listed is not None or len(parts) == 1 or parts[0] in rules.library_folders or self.table(rules).covers(path):
            return listed
        folders = ("/".join(parts[first:]) for first in range(1, len(parts)))
        return next((found for folder in folders if (found := self._source_folder(rules, folder))), None)

    def _source_folder(self, rules: ResolutionRules, folder: str) -> Module | None:
        return None if self.folders.get(folder, set()).isdisjoint(rules.extensions) else Module(None, folder)

    def crate_tree(self, rules: ResolutionRules, path: str, module: str, scope: str) -> Module | None:
        return CrateTree(self, rules).find(path, module, scope)

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


def _endings(rules: ResolutionRules) -> tuple[str, ...]:
    return ("", *rules.extensions, *(f"/index{extension}" for extension in rules.extensions))


_FINDERS: dict[ModuleLookup, Callable[[Modules, ResolutionRules, str, str, str], Module | None]] = {
    ModuleLookup.DOTTED_FILES: Modules.dotted_files,
    ModuleLookup.RELATIVE_FILES: Modules.relative_files,
    ModuleLookup.PACKAGE_FOLDERS: Modules.package_folders,
    ModuleLookup.PATH_FOLDERS: Modules.path_folders,
    ModuleLookup.CRATE_TREE: Modules.crate_tree,
    ModuleLookup.INCLUDED_FILES: Modules.included_files,
    ModuleLookup.REQUIRED_FILES: Modules.required_files,
}


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
