"""All edges of a snapshot as one network, for questions that go further than one step.

A node is the identity of a definition, or the path of a file for its top level and for a module as a whole. Only what
is claimed is an edge here: one target, or all implementations of a method without a body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from birthmark.graph.file_mentions import find_file_mentions
from birthmark.graph.outer_names import OuterNames, OuterSymbols
from birthmark.graph.reading.references import GIVES_NAME, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition, Symbols
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import EdgeKind, Resolution

Node = int | str
_NO_USE = frozenset({EdgeKind.IMPORTS, EdgeKind.OVERRIDES})


class NetworkEdge(NamedTuple):
    """One use of one node by another, with its place."""

    user: Node
    used: Node
    edge: EdgeKind
    resolution: Resolution
    path: str
    line: int
    ordinal: int = 0  # of the reference in its file
    n_candidates: int = 1
    may_be_outside: bool = False  # besides the candidates


class Network(Protocol):
    """The edges of a snapshot in both directions."""

    def users_of(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        """All edges that lead to one of the nodes."""

    def used_by(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        """All edges that start at one of the nodes."""

    def all_edges(self) -> Iterable[NetworkEdge]: ...

    def possible_users_of(self, identities: Collection[int]) -> Iterable[NetworkEdge]:
        """Edges that may lead to one of the definitions, which is a candidate by its name; not claimed."""

    def mentions_of(self, identities: Collection[int]) -> Iterable[NetworkEdge]:
        """What reads, writes, exports the definitions, names them as a type or is decorated with them.

        Only what is inside of no other definition is asked for: what is inside is used by way of that. Pairs that
        have an edge are left out.
        """

    def all_mentions(self) -> Iterable[NetworkEdge]: ...


class EdgeList:
    """A network in memory; candidates are given as edges to each of them."""

    def __init__(
        self,
        edges: Iterable[NetworkEdge],
        possible: Iterable[NetworkEdge] = (),
        mentions: Iterable[NetworkEdge] = (),
    ) -> None:
        self.edges, self.mentions = [*edges], [*mentions]
        self.by_user: dict[Node, list[NetworkEdge]] = {}
        self.by_used: dict[Node, list[NetworkEdge]] = {}
        self.possible: dict[Node, list[NetworkEdge]] = {}
        self.by_mentioned: dict[Node, list[NetworkEdge]] = {}
        for edge in self.edges:
            self.by_user.setdefault(edge.user, []).append(edge)
            self.by_used.setdefault(edge.used, []).append(edge)
        for edge in possible:
            self.possible.setdefault(edge.used, []).append(edge)
        for edge in self.mentions:
            self.by_mentioned.setdefault(edge.used, []).append(edge)

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (edge for node in nodes for edge in self.by_used.get(node, ()))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (edge for node in nodes for edge in self.by_user.get(node, ()))

    def all_edges(self) -> Iterable[NetworkEdge]:
        return self.edges

    def possible_users_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return (edge for node in identities for edge in self.possible.get(node, ()))

    def mentions_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return (edge for node in identities for edge in self.by_mentioned.get(node, ()))

    def all_mentions(self) -> Iterable[NetworkEdge]:
        return self.mentions


class FileReferences(Symbols, OuterSymbols, Protocol):
    """A snapshot's definitions with the references of its files."""

    def references_in(self, path: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        """All of a file, with language and the definition that contains each."""

    def texts(self, path: str) -> Iterable[tuple[str, str]]:
        """The code of a file by language."""


class ResolvedEdges(NamedTuple):
    """The edges that start in a file: those that are claimed, references with their candidates, and mentions."""

    edges: list[NetworkEdge]
    open_references: list[tuple[NetworkEdge, tuple[int, ...]]]  # used by each: nothing yet
    mentions: list[NetworkEdge]


def resolve_file(store: FileReferences, resolver: Resolver, path: str) -> ResolvedEdges:
    """All edges that start in a file."""
    edges: list[NetworkEdge] = []
    unsure: list[tuple[NetworkEdge, tuple[int, ...]]] = []
    shared: dict[int, tuple[Sequence[Definition], tuple[int, ...]]] = {}  # Many references have the same candidates.
    ordinal = -1
    for ordinal, (language, source, reference) in enumerate(store.references_in(path)):
        resolved = resolver.resolve(path, language, source, reference)
        kind = EdgeKind.READS if reference.edge in GIVES_NAME else EdgeKind(reference.edge)
        user = source.identity if source is not None else path
        edge = NetworkEdge(user, path, kind, resolved.resolution, path, reference.line, ordinal)
        nodes = [*_claimed(resolved)]
        if kind is EdgeKind.READS:
            names = resolver.imports.names(path, resolver.imports.rules(language))
            is_imported = bool(names.bound(reference.name, source))
            nodes = [one.identity for one in resolved.claimed if _is_read(one, edge, reference, is_imported)]
        edges += [edge._replace(used=node) for node in nodes if node != user]
        if resolved.targets and not resolved.claimed:
            targets, key = resolved.targets, id(resolved.targets)  # It is that of no other while it is held here.
            if key not in shared:
                shared[key] = targets, tuple(target.identity for target in targets)
            identities = shared[key][1]
            shown = edge._replace(n_candidates=len(identities), may_be_outside=not resolved.is_claimed)
            unsure.append((shown, identities))
    edges += _overrides(resolver, store.inside(path), ordinal + 1)
    return ResolvedEdges(edges, unsure, [*_mentions(store, resolver, path, edges)])


def _mentions(
    store: FileReferences, resolver: Resolver, path: str, edges: Iterable[NetworkEdge]
) -> Iterator[NetworkEdge]:
    known = {(edge.user, edge.used) for edge in edges if edge.edge not in _NO_USE}
    outer_names = OuterNames(store, resolver.imports)
    for user, used, edge, resolution, line in find_file_mentions(resolver, outer_names, path, store.texts(path), known):
        yield NetworkEdge(user, used, edge, resolution, path, line)


def _is_read(target: Definition, edge: NetworkEdge, reference: Reference, is_imported: bool) -> bool:
    """What is held or passed by its name, or that of an import, and not by its own decorator.

    A variable that holds it is another name of it, and no use.
    """
    is_own = target.path == edge.path and target.start_line <= edge.line <= target.end_line
    return (is_imported or reference.name == target.name) and not is_own


def _claimed(resolved: ResolvedReference) -> Iterator[Node]:
    for target in (*resolved.declaration, *resolved.claimed):
        yield target.identity
    if not resolved.targets and resolved.path is not None:
        yield resolved.path


def _overrides(resolver: Resolver, definitions: Sequence[Definition], ordinal: int) -> Iterator[NetworkEdge]:
    """The methods of types above that those of a file replace."""
    implementations = resolver.evaluator.implementations
    types = {one.qualified_name for one in definitions if one.kind in CLASS_LIKE}
    for method in definitions:
        if method.kind in FUNCTION_LIKE and method.parent in types:
            for above in implementations.overridden(method):
                if above.identity != method.identity:
                    resolution = Resolution.EXACT if above.path == method.path else Resolution.IMPORT
                    place = method.path, method.start_line, ordinal
                    yield NetworkEdge(method.identity, above.identity, EdgeKind.OVERRIDES, resolution, *place)
                    ordinal += 1
