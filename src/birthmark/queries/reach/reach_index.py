"""What the rules of reach need of a snapshot: definitions with those around them, users, and what is overridden.

Takes the store's definitions and a Network; all that is needed for some nodes is read at once, and kept. When they are
many, everything is read, which is faster.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from birthmark.graph.names.containment import contains
from birthmark.graph.network import Network, NetworkEdge, Node
from birthmark.graph.symbols import Definition
from birthmark.queries.reach.reach import ReachStep
from birthmark.queries.snapshot_graph import definition_of
from birthmark.store.model import SnapshotEntity
from birthmark.store.port import Store
from birthmark.vocabulary import EdgeKind, ReachWord

MANY = 1000  # nodes to read, from which on all are read

# Uses that may run what is used. Imports run a file, not what is imported from it; types run nothing.
_WORDS = {
    EdgeKind.CALLS: ReachWord.CALLS,
    EdgeKind.READS: ReachWord.READS,
    EdgeKind.WRITES: ReachWord.WRITES,
    EdgeKind.DECORATES: ReachWord.DECORATES,
    EdgeKind.EXPORTS: ReachWord.EXPORTS,
    EdgeKind.INHERITS: ReachWord.INHERITS,
    EdgeKind.IMPLEMENTS: ReachWord.IMPLEMENTS,
}


class ReachIndex:
    """Of one snapshot; what is asked for must be prepared before."""

    def __init__(self, store: Store, snapshot: int, network: Network) -> None:
        self.store, self.snapshot, self.network = store, snapshot, network
        self.rows: dict[int, SnapshotEntity] = {}
        self.definitions: dict[int, Definition] = {}
        self._scopes: dict[str, dict[str, list[Definition]]] = {}
        self._users: dict[Node, list[ReachStep]] = {}
        self._importers: dict[Node, list[NetworkEdge]] = {}
        self._overridden: dict[Node, list[ReachStep]] = {}
        self._is_whole = False

    # Reading

    def prepare(self, nodes: Collection[Node]) -> None:
        """Read what the rules ask of the nodes: themselves, what is in their files, and what leads to either."""
        if self._is_whole:
            return
        if len(nodes) > MANY:
            self._read_all()
            return
        self.read_rows(nodes)
        known = (self.definitions[node] for node in nodes if isinstance(node, int) and node in self.definitions)
        paths = {*(one.path for one in known), *(node for node in nodes if isinstance(node, str))}
        self._read_files(paths - self._scopes.keys())
        wanted = {*nodes, *(other for node in nodes for other in self._also_asked(node))} - self._users.keys()
        if len(wanted) > MANY:
            self._read_all()
        elif wanted:
            identities = [node for node in wanted if isinstance(node, int)]
            overriding = (edge for edge in self.network.used_by(identities) if edge.edge is EdgeKind.OVERRIDES)
            self._add(wanted, [*self.network.users_of(wanted)], self.network.mentions_of(identities), overriding)

    def read_rows(self, nodes: Iterable[Node]) -> None:
        missing = {node for node in nodes if isinstance(node, int) and node not in self.rows}
        if missing and not self._is_whole:
            self._add_rows(self.store.entities_of(self.snapshot, missing))

    def _read_files(self, paths: Collection[str]) -> None:
        if paths and not self._is_whole:
            self._scopes.update((path, {}) for path in paths)
            self._add_scopes(self._add_rows(self.store.entities_in(self.snapshot, sorted(paths))))

    def _read_all(self) -> None:
        self._is_whole = True
        self._scopes, self._users, self._importers, self._overridden = {}, {}, {}, {}
        self._add_scopes(self._add_rows(self.store.all_entities(self.snapshot)))
        edges = [*self.network.all_edges()]
        overriding = (edge for edge in edges if edge.edge is EdgeKind.OVERRIDES)
        self._add((), edges, self.network.all_mentions(), overriding)

    def _add_rows(self, rows: Iterable[SnapshotEntity]) -> list[Definition]:
        found = [*rows]
        added = [definition_of(row) for row in found]
        self.rows.update((row.identity, row) for row in found)
        self.definitions.update((one.identity, one) for one in added)
        return added

    def _add_scopes(self, definitions: Iterable[Definition]) -> None:
        for one in definitions:
            self._scopes.setdefault(one.path, {}).setdefault(one.qualified_name, []).append(one)

    def _also_asked(self, node: Node) -> Iterator[Node]:
        if isinstance(node, int):
            yield from (one.identity for one in self.namesakes(node))
        else:
            yield from (one.identity for one in self.inside(node))
            yield node.rpartition("/")[0]

    def _add(
        self,
        nodes: Iterable[Node],
        edges: Collection[NetworkEdge],
        mentions: Iterable[NetworkEdge],
        overriding: Iterable[NetworkEdge],
    ) -> None:
        users, importers, overridden = self._users, self._importers, self._overridden
        users.update((node, []) for node in nodes)
        for edge in edges:
            importers.setdefault(edge.used, []).append(edge)
        for step in use_steps(chain(edges, mentions)):
            users.setdefault(step.nearer, []).append(step)
        for edge in overriding:
            step = ReachStep(edge.used, edge.user, ReachWord.OVERRIDDEN, edge.resolution, edge.path, edge.line)
            overridden.setdefault(edge.user, []).append(step)

    # What was read

    def users(self, node: Node) -> Sequence[ReachStep]:
        """What uses it in a way that may run it, mentions included."""
        return self._users.get(node, ())

    def edges_to(self, node: Node) -> Sequence[NetworkEdge]:
        """All edges to it, without mentions."""
        return self._importers.get(node, ())

    def overridden(self, node: Node) -> Sequence[ReachStep]:
        return self._overridden.get(node, ())

    def namesakes(self, node: Node) -> Sequence[Definition]:
        """All that have the qualified name of a definition in its file, itself included."""
        one = self.definitions.get(node) if isinstance(node, int) else None
        return self.scopes(one.path).get(one.qualified_name, ()) if one is not None else ()

    def container(self, one: Definition) -> Definition | None:
        if one.parent is None:
            return None
        return next((other for other in self.scopes(one.path).get(one.parent, ()) if contains(other, one)), None)

    def inside(self, path: str) -> list[Definition]:
        return [one for named in self.scopes(path).values() for one in named]

    def scopes(self, path: str) -> Mapping[str, Sequence[Definition]]:
        """The definitions of a file by qualified name."""
        return self._scopes.get(path, {})


def use_steps(edges: Iterable[NetworkEdge]) -> Iterator[ReachStep]:
    for edge in edges:
        word = _WORDS.get(edge.edge)
        if word is not None:
            yield ReachStep(edge.user, edge.used, word, edge.resolution, edge.path, edge.line)
