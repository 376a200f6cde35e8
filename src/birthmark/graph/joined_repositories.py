"""Find the uses that one repository has of a definition in another.

Several repositories are looked at as one snapshot. The first keeps its paths and identities. The paths of the others
start with a mark and a number, and their identities have that number in high bits. An import is looked for in its own
repository, then from outside in those that a manifest depends on. A use that is known only by its name counts where
the file imports something of that repository.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from posixpath import join
from types import MappingProxyType

from birthmark.graph.edges import Edge, GraphStore, in_order, names_of, users
from birthmark.graph.manifests.readers import renames_of
from birthmark.graph.manifests.table import folders_above
from birthmark.graph.modules.imports import RulesOf
from birthmark.graph.modules.modules import Module, Modules
from birthmark.graph.reading.references import Binding, Reference
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition, Symbols
from birthmark.languages.rules import ResolutionRules
from birthmark.vocabulary import EdgeKind, Resolution

_MARK = "\0"  # no path has it
_SHIFT = 40  # bits that the identities of a repository need at most

IsProvided = Callable[[str], bool]
Seen = Mapping[int, frozenset[str] | None]
"""By the number of a repository, the folders of another one that depend on it; None where no manifest says so."""
_IMPORTS = frozenset({EdgeKind.IMPORTS})


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
        """Return True if a module is in the package; one without a place may be."""
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

    def made_from(self, rules: ResolutionRules, path: str, built: Iterable[str]) -> Module | None:
        part = self.parts[part_number(path)]
        return part.put_module(part.modules.made_from(rules, path.removeprefix(part.prefix), built))

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
    """Return True if it is written as a place beside or around the file."""
    return not module or module.startswith((".", "/")) or module.partition("::")[0] in rules.path_prefixes


class JoinedSymbols:
    """Symbols of all parts; the first one keeps its paths and identities."""

    def __init__(self, parts: Sequence[JoinedPart]) -> None:
        self.parts = parts

    def named(self, name: str) -> Sequence[Definition]:
        return [part.put(one) for part in self.parts for one in part.symbols.named(name)]

    def inside(self, path: str) -> Sequence[Definition]:
        part, own = self._find(path)
        return [part.put(one) for one in part.symbols.inside(own)]

    def declared(self, path: str) -> Sequence[Reference]:
        part, own = self._find(path)
        return part.symbols.declared(own)

    def bindings(self, path: str) -> Sequence[Binding]:
        part, own = self._find(path)
        return part.symbols.bindings(own)

    def bases_named(self, name: str) -> Iterator[tuple[str, Definition, Reference]]:
        for part in self.parts:
            for path, source, reference in part.symbols.bases_named(name):
                yield part.prefix + path, part.put(source), reference

    def passed(self, alias: str) -> Iterator[tuple[str, Definition | None, Reference]]:
        for part in self.parts:
            for path, source, reference in part.symbols.passed(alias):
                yield part.prefix + path, source and part.put(source), reference

    def paths(self) -> Collection[str]:
        return [part.prefix + path for part in self.parts for path in part.symbols.paths()]

    def manifests(self) -> Mapping[str, str]:
        return {part.prefix + path: text for part in self.parts for path, text in part.symbols.manifests().items()}

    def _find(self, path: str) -> tuple[JoinedPart, str]:
        part = self.parts[part_number(path)]
        return part, path.removeprefix(part.prefix)


class JoinedRepositories:
    """A repository with others that it depends on; what was found is kept."""

    def __init__(self, own: GraphStore, others: Sequence[JoinedPart], seen: Seen, rules_of: RulesOf) -> None:
        """The numbers of the others count from 1, in their order."""
        self.own, self.others = own, others
        parts = [JoinedPart(0, own, seen=seen), *others]
        self.resolver = Resolver(JoinedSymbols(parts), rules_of, JoinedModules(parts))
        self._importing: dict[tuple[str, str], frozenset[int]] = {}

    def users(
        self, other: JoinedPart, target: Definition, kinds: Collection[EdgeKind], names: Collection[str] = ()
    ) -> list[Edge]:
        """The uses of what another one defines; `names` are those that it has there."""
        found = users(self.own, self.resolver, other.put(target), kinds, names)
        return in_order(edge for edge in found if self._is_use(edge, other.number))

    def names_of(self, other: JoinedPart, target: Definition) -> set[str]:
        """Return the names that another repository's definition has here."""
        return names_of(self.own, self.resolver, other.put(target))

    def importing_files(self, other: JoinedPart, target: Definition, names: Collection[str] = ()) -> set[str]:
        """Those that import another one's definition, or all of a module in which it may be."""
        return {edge.source_path for edge in self.users(other, target, _IMPORTS, names)} | self._importing_all

    @cached_property
    def _importing_all(self) -> frozenset[str]:
        return frozenset(site[0] for site in self.own.references_named(["*"]) if self._leads_elsewhere(site))

    def _leads_elsewhere(self, site: tuple[str, str, Definition | None, Reference]) -> bool:
        path = self.resolver.resolve(*site).path if site[3].edge == EdgeKind.IMPORTS else None
        return path is not None and part_number(path) > 0

    def _is_use(self, edge: Edge, number: int) -> bool:
        if part_number(edge.source_path):
            return False
        language = edge.source.language if edge.source is not None else edge.target.language if edge.target else ""
        return edge.resolution is not Resolution.NAME or number in self._imported(edge.source_path, language)

    def _imported(self, path: str, language: str) -> frozenset[int]:
        """The repositories that a file imports from."""
        key = path, language
        if key not in self._importing:
            imports = [one for one in self.own.declared(path) if one.edge == EdgeKind.IMPORTS]
            found = [self.resolver.resolve(path, language, None, one) for one in imports]
            places = [place for one in found for place in (one.path, *(target.path for target in one.targets))]
            self._importing[key] = frozenset(part_number(place) for place in places if place is not None)
        return self._importing[key]
