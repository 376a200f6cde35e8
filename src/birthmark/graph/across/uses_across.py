"""What in one repository uses a definition of another one.

Takes both as they are looked at alone, and which folders of the first depend on the second; gives Edges whose targets
are in the second. What is only known by its name counts where the file imports something of that repository.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

from birthmark.graph.across.joined_modules import JoinedModules
from birthmark.graph.across.joined_symbols import JoinedSymbols
from birthmark.graph.across.part import JoinedPart, Seen, part_number
from birthmark.graph.edges import Edge, in_order, names_of
from birthmark.graph.modules.imports import RulesOf
from birthmark.graph.reading.references import Reference
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.graph.users import UserStore, users
from birthmark.vocabulary import EdgeKind, Resolution

_IMPORTS = frozenset({EdgeKind.IMPORTS})


class JoinedRepositories:
    """A repository with others that it depends on; what was found is kept."""

    def __init__(self, own: UserStore, others: Sequence[JoinedPart], seen: Seen, rules_of: RulesOf) -> None:
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
        """What another one's definition is called here."""
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
