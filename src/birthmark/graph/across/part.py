"""A repository among those that are looked at together, and how its paths and identities differ from those of others.

The first one keeps its own. Those of the others begin with what no path has, and have their number in high bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from posixpath import join
from types import MappingProxyType

from birthmark.graph.modules.modules import Module, Modules
from birthmark.graph.symbols import Definition, Symbols

_MARK = "\0"  # no path has it
_SHIFT = 40  # bits that the identities of a repository need at most

IsProvided = Callable[[str], bool]
Seen = Mapping[int, frozenset[str] | None]
"""By the number of a repository, the folders of another one that depend on it; None where no manifest says so."""


class JoinedPart:
    """A repository by its number, with the folder of the package in it that others depend on.

    Modules are looked for in what it provides to others; its tests, say, are not among that. It sees those that it
    passes something on from.
    """

    def __init__(
        self,
        number: int,
        symbols: Symbols,
        folder: str = "",
        is_provided: IsProvided = lambda path: True,
        seen: Seen = MappingProxyType({}),
    ) -> None:
        self.number, self.symbols, self.folder, self.is_provided, self.seen = number, symbols, folder, is_provided, seen
        self.prefix = f"{_MARK}{number}/" if number else ""

    @cached_property
    def modules(self) -> Modules:
        return Modules([path for path in self.symbols.paths() if self.is_provided(path)], self.symbols.manifests)

    @property
    def site(self) -> str:
        """A path in the package, from which its own modules are found by the names that others know them by."""
        return join(self.folder, _MARK)

    def provides(self, module: Module) -> bool:
        """Whether a module is in the package; one without a place may be."""
        place = module.path or module.folder or ""
        is_below = not self.folder or place == self.folder or place.startswith(f"{self.folder}/")
        return is_below or (module.path is None and place not in self.modules.folders)

    def put(self, definition: Definition) -> Definition:
        if not self.number:
            return definition
        identity = definition.identity + (self.number << _SHIFT)
        return definition._replace(identity=identity, path=self.prefix + definition.path)

    def take(self, definition: Definition) -> Definition:
        """As the repository itself knows it."""
        identity = definition.identity - (self.number << _SHIFT)
        return definition._replace(identity=identity, path=definition.path.removeprefix(self.prefix))

    def put_module(self, module: Module | None) -> Module | None:
        """A package that may be in several folders is named alike in all repositories."""
        if module is None or not self.number:
            return module
        if module.path is not None:
            return module._replace(path=self.prefix + module.path)
        if module.folder is None or module.folder not in self.modules.folders:
            return module
        return module._replace(folder=self.prefix + module.folder)

    def take_module(self, module: Module) -> Module:
        path, folder = module.path, module.folder
        return module._replace(
            path=path and path.removeprefix(self.prefix), folder=folder and folder.removeprefix(self.prefix)
        )


def part_number(path: str) -> int:
    """Of the repository in which a path is."""
    return int(path[1:].partition("/")[0]) if path.startswith(_MARK) else 0
