"""A network with the edges of some files replaced, for those who cannot see or write what was resolved again."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import attrgetter

from birthmark.graph.network import Network, NetworkEdge, Node

_PLACE = attrgetter("path", "ordinal")
_MENTION_PLACE = attrgetter("path", "line")


class ChangedNetwork:
    """`edges` are those of the files at `paths`, whose edges in `base` are not used. In the order of places."""

    def __init__(self, base: Network, paths: Collection[str], edges: Network) -> None:
        self.base, self.paths, self.edges = base, frozenset(paths), edges

    def users_of(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        return self._joined(self.base.users_of(nodes), self.edges.users_of(nodes))

    def used_by(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        return self._joined(self.base.used_by(nodes), self.edges.used_by(nodes))

    def all_edges(self) -> Iterable[NetworkEdge]:
        return self._joined(self.base.all_edges(), self.edges.all_edges())

    def possible_users_of(self, identities: Collection[int]) -> Iterable[NetworkEdge]:
        return self._joined(self.base.possible_users_of(identities), self.edges.possible_users_of(identities))

    def mentions_of(self, identities: Collection[int]) -> Iterable[NetworkEdge]:
        found = self._joined(self.base.mentions_of(identities), self.edges.mentions_of(identities))
        return sorted(found, key=_MENTION_PLACE)

    def all_mentions(self) -> Iterable[NetworkEdge]:
        return sorted(self._joined(self.base.all_mentions(), self.edges.all_mentions()), key=_MENTION_PLACE)

    def _joined(self, old: Iterable[NetworkEdge], new: Iterable[NetworkEdge]) -> list[NetworkEdge]:
        return sorted([*(edge for edge in old if edge.path not in self.paths), *new], key=_PLACE)
