"""Where the imports of a snapshot's files lead.

Takes the Symbols of a snapshot; gives for an import, or a name in a module, a Hit: definitions, a module, or the news
that it comes from elsewhere. Names that a module has from another one are followed to where they are defined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from posixpath import dirname
from typing import NamedTuple

import msgspec

from birthmark.graph.modules import Module, Modules
from birthmark.graph.references import Reference
from birthmark.graph.symbols import Definition, FileNames, Symbols, group_of
from birthmark.vocabulary import Resolution

_DEEPEST = 5  # how often a name is passed on
_MOST_WILDCARDS = 500
_NAMESPACED = frozenset({"c", "csharp", "php"})  # a module may be a namespace, wherever it is
_SOURCE_ROOTS = ("/java/", "/kotlin/", "/scala/")
_HEADERS = (".h", ".hpp", ".hh", ".hxx")


class Hit(NamedTuple):
    """What a name means: definitions or a module; neither if it comes from elsewhere."""

    resolution: Resolution
    targets: Sequence[Definition] = ()
    module: Module | None = None


EXTERNAL = Hit(Resolution.EXTERNAL)


class Imports:
    """Answers for one snapshot, and remembers its answers."""

    def __init__(self, symbols: Symbols, family_of: Callable[[str], str], modules: Modules | None = None) -> None:
        """`modules` are those of the snapshot, for who has them already."""
        self.symbols = symbols
        self.family_of = family_of
        self.modules = modules or Modules(symbols.paths())
        self.groups: dict[str, str] = {}
        self.files: dict[tuple[str, str], FileNames] = {}
        self.by_name: dict[tuple[str, str], list[Definition]] = {}
        self.wildcards: dict[tuple[str, str], tuple[Module, ...]] = {}
        self.known: dict[tuple[str, Module, str, int], Hit | None] = {}
        self.brought: dict[tuple[str, str, str, int], Hit | None] = {}

    def group(self, language: str) -> str:
        if language not in self.groups:
            self.groups[language] = group_of(self.family_of(language))
        return self.groups[language]

    def names(self, path: str, group: str) -> FileNames:
        key = (path, group)
        if key not in self.files:
            inside = self.symbols.inside(path)
            self.files[key] = FileNames(inside, self.symbols.imports(path), group)
        return self.files[key]

    def named(self, name: str, group: str) -> list[Definition]:
        key = (name, group)
        if key not in self.by_name:
            self.by_name[key] = [one for one in self.symbols.named(name) if self.group(one.language) == group]
        return self.by_name[key]

    def follow(self, path: str, group: str, reference: Reference, depth: int = _DEEPEST) -> Hit:
        """Where an import leads."""
        module = self.module(path, group, reference)
        if module is None:
            return EXTERNAL
        if reference.name in ("", "*"):
            return Hit(Resolution.IMPORT, (), module)
        if reference.name == "default" and group == "javascript":
            return self._default(group, module, reference.alias, depth)
        return self.lookup(group, module, reference.name, depth) or Hit(Resolution.IMPORT, (), module)

    def _default(self, group: str, module: Module, alias: str | None, depth: int) -> Hit:
        """What a script gives by default often has the same name there; if not, only the file is known."""
        names = self.names(module.path or "", group)
        members = names.member("", alias or "")
        passed_on = names.passed_on("default", "")
        if members or passed_on is None or depth == 0:
            return Hit(Resolution.IMPORT, members, module)
        return self.follow(module.path or "", group, msgspec.structs.replace(passed_on, alias=alias), depth - 1)

    def module(self, path: str, group: str, reference: Reference) -> Module | None:
        written = reference.receiver or ""
        scope = self.names(path, group).inner_module(reference.entity) if group == "rust" else ""
        return self.modules.find(group, path, written, scope) or self._namespace(group, written)

    def _namespace(self, group: str, written: str) -> Module | None:
        if group not in _NAMESPACED or not written:
            return None
        scope = written.replace("::", ".")
        named = (*self.named(scope, group), *self.named(scope.rpartition(".")[2], group))
        is_ours = any(definition.qualified_name == scope for definition in named)
        return Module(None, None, scope) if is_ours else None

    def lookup(self, group: str, module: Module, name: str, depth: int = _DEEPEST) -> Hit | None:
        """What a name means in a module."""
        key = (group, module, name, depth)
        if key not in self.known:
            self.known[key] = self._look_up(group, module, name, depth)
        return self.known[key]

    def _look_up(self, group: str, module: Module, name: str, depth: int) -> Hit | None:
        members = self.members(group, module, name)
        if members:
            return Hit(Resolution.IMPORT, members)
        child = self.modules.child(group, module, name)
        if child is not None:
            return Hit(Resolution.IMPORT, (), child)
        if module.path is None or depth == 0:
            return None
        passed_on = self.names(module.path, group).passed_on(name, module.scope)
        if passed_on is not None:
            return self.follow(module.path, group, passed_on, depth - 1)
        return self.from_wildcards(module.path, group, name, depth - 1)

    def members(self, group: str, module: Module, name: str) -> Sequence[Definition]:
        if module.path is not None:
            return self._in_file(group, module.path, module.scope, name)
        named = self.named(name, group)
        if module.folder is not None:
            folder = module.folder
            return [one for one in named if one.parent is None and is_in_folder(one.path, folder, group)]
        return [one for one in named if one.parent == module.scope or self._is_in_namespace(one, group, module.scope)]

    def _is_in_namespace(self, definition: Definition, group: str, namespace: str) -> bool:
        """PHP says at the top of a file in which namespace all of it is."""
        is_top = group == "php" and definition.parent is None
        return is_top and self.names(definition.path, group).namespace == namespace

    def _in_file(self, group: str, path: str, scope: str, name: str) -> Sequence[Definition]:
        names = self.names(path, group)
        found = names.member(scope, name)
        if found or group != "javascript":
            return found
        # Which object a script gives away is not known; it is no question if only one has the name.
        anywhere = names.by_name.get(name, ())
        return anywhere if len(anywhere) == 1 else ()

    def from_wildcards(self, path: str, group: str, name: str, depth: int = _DEEPEST) -> Hit | None:
        """What `from x import *`, an include and the like bring."""
        key = (path, group, name, depth)
        if key not in self.brought:
            modules = self._wildcard_modules(path, group)
            hits = (self._from_wildcard(group, module, name, depth) for module in modules)
            self.brought[key] = next((hit for hit in hits if hit is not None), None)
        return self.brought[key]

    def _from_wildcard(self, group: str, module: Module, name: str, depth: int) -> Hit | None:
        members = self.members(group, module, name)
        if members:
            return Hit(Resolution.IMPORT, self._defined(members, group, name))
        if module.path is None or depth == 0:
            return None
        passed_on = self.names(module.path, group).passed_on(name, module.scope)
        return self.follow(module.path, group, passed_on, depth - 1) if passed_on is not None else None

    def _defined(self, members: Sequence[Definition], group: str, name: str) -> Sequence[Definition]:
        """What a header declares is defined elsewhere, if it is so in one place only."""
        if group != "c" or not members[0].path.endswith(_HEADERS):
            return members
        elsewhere = [
            one
            for one in self.named(name, group)
            if not one.path.endswith(_HEADERS) and one.parent == members[0].parent
        ]
        return elsewhere if len(elsewhere) == 1 else members

    def _wildcard_modules(self, path: str, group: str) -> tuple[Module, ...]:
        """Those that a file takes all names of, and those that they do, the nearest first."""
        key = (path, group)
        if key not in self.wildcards:
            found: dict[Module, None] = {}
            files = [path]
            for file in files:
                for reference in self.names(file, group).wildcards:
                    module = self.module(file, group, reference)
                    if module is not None and module not in found and len(found) < _MOST_WILDCARDS:
                        found[module] = None
                        files += [module.path] if module.path is not None else []
            self.wildcards[key] = tuple(found)
        return self.wildcards[key]


def is_in_folder(path: str, folder: str, group: str) -> bool:
    """A package of the JVM may lie in several folders that end alike."""
    own = dirname(path)
    return own == folder or (group == "jvm" and own.endswith(f"/{folder}"))


def package_of(path: str, group: str) -> str:
    folder = dirname(path)
    if group == "jvm":
        for root in _SOURCE_ROOTS:
            folder = f"/{folder}".partition(root)[2] or folder
    return folder
