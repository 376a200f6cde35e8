"""Which file an import means, of one's own repository or else of one that a manifest depends on.

A module of another repository is looked for as if it were imported there, from outside of the package: what a package
provides, and where, is known to its own manifest and to the rules of its language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from birthmark.graph.across.part import JoinedPart, part_number
from birthmark.graph.manifests.readers import renames_of
from birthmark.graph.manifests.table import folders_above
from birthmark.graph.modules.modules import Module, Modules
from birthmark.languages.rules import ResolutionRules


class JoinedModules(Modules):
    """Finds modules in the repository of a file, and in those that it sees."""

    def __init__(self, parts: Sequence[JoinedPart]) -> None:
        super().__init__(())
        self.parts = parts
        self._renames_of = cache(lambda number: renames_of(parts[number].symbols.manifests()))

    def find(self, rules: ResolutionRules, path: str, module: str, scope: str = "") -> Module | None:
        part = self.parts[part_number(path)]
        found = part.modules.find(rules, path.removeprefix(part.prefix), module, scope)
        if found is not None:
            return part.put_module(found)
        return None if _is_near(rules, module) else self._from_others(rules, path, module)

    def _from_others(self, rules: ResolutionRules, path: str, module: str) -> Module | None:
        others = list(self._seen_from(path))
        module = self._own_name(path, module) if others else module
        for other in others:
            found = other.modules.find(rules, other.site, module)
            if found is not None and other.provides(found):
                return other.put_module(found)
        return None

    def _own_name(self, path: str, module: str) -> str:
        """As the package that is meant calls itself."""
        for written, name in self._renames_of(part_number(path)).items():
            rest = module.removeprefix(written)
            if module == written or (rest != module and rest.startswith(("/", "::"))):
                return name + rest
        return module

    def _seen_from(self, path: str) -> Iterator[JoinedPart]:
        own = self.parts[part_number(path)]
        above = frozenset(folders_above(path.removeprefix(own.prefix)))
        for number, folders in own.seen.items():
            if folders is None or not folders.isdisjoint(above):
                yield self.parts[number]

    def take_tried(self) -> list[str]:
        """None: what is found here is not kept."""
        for part in self.parts:
            part.modules.take_tried()
        return []

    def child(self, rules: ResolutionRules, module: Module, name: str) -> Module | None:
        part = self.parts[part_number(module.path or module.folder or "")]
        return part.put_module(part.modules.child(rules, part.take_module(module), name))

    def beside(self, rules: ResolutionRules, path: str, module: str) -> Module | None:
        part = self.parts[part_number(path)]
        return part.put_module(part.modules.beside(rules, path.removeprefix(part.prefix), module))

    def mapped_folder(self, rules: ResolutionRules, namespace: str) -> Module | None:
        found = (part.put_module(part.modules.mapped_folder(rules, namespace)) for part in self.parts)
        return next((one for one in found if one is not None), None)

    def mapped_file(self, rules: ResolutionRules, namespace: str, name: str) -> Module | None:
        found = (part.put_module(part.modules.mapped_file(rules, namespace, name)) for part in self.parts)
        return next((one for one in found if one is not None), None)

    def place(self, module: Module | None) -> str | None:
        if module is None:
            return None
        part = self.parts[part_number(module.path or module.folder or "")]
        place = part.modules.place(part.take_module(module))
        return place and part.prefix + place


def _is_near(rules: ResolutionRules, module: str) -> bool:
    """Whether it is written as a place beside or around the file."""
    return not module or module.startswith((".", "/")) or module.partition("::")[0] in rules.path_prefixes
