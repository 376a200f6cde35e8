"""All edges of a snapshot as one network, for questions that go further than one step.

A node is the identity of a definition, or the path of a file for its top level and for a module as a whole. Only what
is claimed is an edge here: one target, or all implementations of a method without a body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from birthmark.graph.references import Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition, Symbols
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import EdgeKind, Resolution

Node = int | str

_KINDS = frozenset({EdgeKind.CALLS, EdgeKind.IMPORTS, EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})
_HELD = frozenset({"binds", "passes"})  # a name that is held or passed, not called there: it is read


class NetworkEdge(NamedTuple):
    """One use of one node by another, with its place."""

    user: Node
    used: Node
    edge: EdgeKind
    resolution: Resolution
    path: str
    line: int


class Network(Protocol):
    """The edges of a snapshot in both directions."""

    def users_of(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        """All edges that lead to one of the nodes."""

    def used_by(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        """All edges that start at one of the nodes."""

    def all_edges(self) -> Iterable[NetworkEdge]: ...


class EdgeList:
    """A network in memory."""

    def __init__(self, edges: Iterable[NetworkEdge]) -> None:
        self.edges = [*edges]
        self.by_user: dict[Node, list[NetworkEdge]] = {}
        self.by_used: dict[Node, list[NetworkEdge]] = {}
        for edge in self.edges:
            self.by_user.setdefault(edge.user, []).append(edge)
            self.by_used.setdefault(edge.used, []).append(edge)

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (edge for node in nodes for edge in self.by_used.get(node, ()))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (edge for node in nodes for edge in self.by_user.get(node, ()))

    def all_edges(self) -> Iterable[NetworkEdge]:
        return self.edges


class FileReferences(Symbols, Protocol):
    """A snapshot's definitions with the references of its files."""

    def references_in(self, path: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        """All of a file, with language and the definition that contains each."""


def edges_of_file(store: FileReferences, resolver: Resolver, path: str) -> Iterator[NetworkEdge]:
    """All edges that start in a file."""
    for language, source, reference in store.references_in(path):
        kind = EdgeKind.READS if reference.edge in _HELD else EdgeKind(reference.edge)
        if kind in _KINDS or kind is EdgeKind.READS:
            resolved = resolver.resolve(path, language, source, reference)
            user = source.identity if source is not None else path
            for node in _targets(resolved):
                if node != user:
                    yield NetworkEdge(user, node, kind, resolved.resolution, path, reference.line)
    yield from _overrides(resolver, store.inside(path))


def _targets(resolved: ResolvedReference) -> Iterator[Node]:
    for target in (*resolved.declaration, *resolved.claimed):
        yield target.identity
    if not resolved.targets and resolved.path is not None:
        yield resolved.path


def _overrides(resolver: Resolver, definitions: Sequence[Definition]) -> Iterator[NetworkEdge]:
    """The methods of types above that those of a file replace."""
    implementations = resolver.evaluator.implementations
    types = {one.qualified_name for one in definitions if one.kind in CLASS_LIKE}
    for method in definitions:
        if method.kind in FUNCTION_LIKE and method.parent in types:
            for above in implementations.overridden(method):
                if above.identity != method.identity:
                    resolution = Resolution.EXACT if above.path == method.path else Resolution.IMPORT
                    site = method.path, method.start_line
                    yield NetworkEdge(method.identity, above.identity, EdgeKind.OVERRIDES, resolution, *site)
