"""Which file of the repository an import means.

Takes all paths of a snapshot, and its manifests; gives for a module, as it is written in a file, the file or folder
that it is, or None for what is outside the repository. The rules of a language choose how in the table at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from posixpath import dirname, join, normpath, splitext

from birthmark.graph.manifests.table import folders_above
from birthmark.graph.modules.crate_tree import CrateTree
from birthmark.graph.modules.module_paths import PACKAGE_FILE, Module, ModulePaths, package_folder
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import ModuleLookup

__all__ = ["Module", "Modules"]

_PACKAGES = "node_modules"  # the folder of packages above a file of relative files


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
