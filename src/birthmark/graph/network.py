"""All edges of a snapshot as one network: the only place that answers who uses what.

A node is the identity of a definition, or the path of a file for its top level and for a module as a whole. An edge is
claimed if it leads to one target, or to all implementations of a method without a body. Other references lead to a set
of candidates, of which each is a possible target.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, Protocol

import msgspec

from birthmark.graph.candidates import MENTIONS
from birthmark.graph.reading.references import GIVES_NAME, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition, Symbols
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import EdgeKind, Resolution

Node = int | str
OUTSIDE = "/outside"  # the node of calls that lead out of the repository, or nowhere; no path starts with a slash
CANDIDATES = "/candidates"  # the node of calls that may lead to several
_KINDS = {kind.value: kind for kind in EdgeKind}
_NOWHERE = frozenset({Resolution.EXTERNAL, Resolution.UNRESOLVED})


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


ordinal_of = attrgetter("ordinal")


class Network(Protocol):
    """The edges of a snapshot in both directions."""

    def users_of(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        """All edges that lead to one of the nodes."""

    def used_by(self, nodes: Collection[Node]) -> Iterable[NetworkEdge]:
        """All edges that start at one of the nodes."""

    def all_edges(self) -> Iterable[NetworkEdge]: ...

    def possible_users_of(self, identities: Collection[int]) -> Iterable[NetworkEdge]:
        """Edges that may lead to one of the definitions, which is a candidate by its name; not claimed."""

    def calls_of(self, definition: Definition) -> Iterable[NetworkEdge]:
        """All calls in a definition, by ordinal: claimed ones, and those to `CANDIDATES` and to `OUTSIDE`."""


class EdgeList:
    """A network in memory; candidates are given as edges to each of them."""

    def __init__(
        self, edges: Iterable[NetworkEdge], open_references: Iterable[tuple[NetworkEdge, Collection[int]]] = ()
    ) -> None:
        self._edges: list[NetworkEdge] = []
        self._by_user: dict[Node, list[NetworkEdge]] = {}
        self._by_used: dict[Node, list[NetworkEdge]] = {}
        self._possible: dict[Node, list[NetworkEdge]] = {}
        self._unclaimed: dict[Node, list[NetworkEdge]] = {}  # by user
        for edge in edges:
            if edge.used == OUTSIDE:
                self._unclaimed.setdefault(edge.user, []).append(edge)
            else:
                self._edges.append(edge)
                self._by_user.setdefault(edge.user, []).append(edge)
                self._by_used.setdefault(edge.used, []).append(edge)
        for edge, identities in open_references:
            self._unclaimed.setdefault(edge.user, []).append(edge._replace(used=CANDIDATES))
            for identity in identities:
                self._possible.setdefault(identity, []).append(edge._replace(used=identity))

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (edge for node in nodes for edge in self._by_used.get(node, ()))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (edge for node in nodes for edge in self._by_user.get(node, ()))

    def all_edges(self) -> Iterable[NetworkEdge]:
        return self._edges

    def possible_users_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return (edge for node in identities for edge in self._possible.get(node, ()))

    def calls_of(self, definition: Definition) -> list[NetworkEdge]:
        node = definition.identity
        found = [*self._by_user.get(node, ()), *self._unclaimed.get(node, ())]
        return sorted((edge for edge in found if edge.edge is EdgeKind.CALLS), key=ordinal_of)


def users_of(
    network: Network, definitions: Callable[[Collection[int]], Mapping[int, Definition]], nodes: Collection[Node]
) -> Iterator[NetworkEdge]:
    """All edges that lead to one of the nodes; a signature is used where its function is."""
    edges = [*network.users_of(nodes)]
    implementing = [(one.user, one.used) for one in edges if one.edge is EdgeKind.IMPLEMENTS]
    known = definitions({user for user, _ in implementing if isinstance(user, int)})
    signatures: dict[Node, list[Node]] = {}
    for user, used in implementing:
        if isinstance(user, int) and user in known and known[user].kind in FUNCTION_LIKE:
            signatures.setdefault(user, []).append(used)
    yield from edges
    for edge in network.users_of(signatures):
        yield from (edge._replace(used=one) for one in signatures[edge.used])


class ResolvedEdges(NamedTuple):
    """The edges that start in a file, those to `OUTSIDE` included, and references with their candidates."""

    edges: list[NetworkEdge]
    open_references: list[tuple[NetworkEdge, tuple[int, ...]]]  # used by each: nothing yet


class FileReferences(Symbols, Protocol):
    """A snapshot's definitions with the references of its files."""

    def references_in(self, path: str) -> Iterable[tuple[str, Definition | None, Reference]]:
        """All of a file, with language and the definition that contains each."""


def resolve_file(store: FileReferences, resolver: Resolver, path: str) -> ResolvedEdges:
    """All edges that start in a file."""
    edges: list[NetworkEdge] = []
    unsure: list[tuple[NetworkEdge, tuple[int, ...]]] = []
    known: dict[tuple[int, bool], _Ends] = {}  # by the id of a ResolvedReference, which it holds
    ordinal = -1
    for ordinal, (language, source, reference) in enumerate(store.references_in(path)):
        is_mention = reference.edge in MENTIONS
        if reference.edge in GIVES_NAME or (is_mention and not resolver.may_mean_something(path, language, reference)):
            continue
        resolved = resolver.resolve(path, language, source, reference)
        ends = known.get((id(resolved), is_mention))
        if ends is None:
            ends = known[id(resolved), is_mention] = _ends_of(resolver, resolved, is_mention=is_mention)
        user = source.identity if source is not None else path
        kind, resolution, line = _KINDS[reference.edge], resolved.resolution, reference.line
        is_call = kind is EdgeKind.CALLS  # Only a call of itself is a use.
        place = kind, resolution, path, line, ordinal
        edges += [NetworkEdge(user, node, *place) for node in ends.nodes if is_call or node != user]
        if ends.candidates:
            more = len(ends.candidates), not resolved.is_claimed
            unsure.append((NetworkEdge(user, OUTSIDE, *place, *more), ends.candidates))
        elif is_call and not resolved.targets and reference.is_written:
            edge = NetworkEdge(user, OUTSIDE, *place)
            edges += _reads(resolver, language, source, reference, edge)
            edges += [edge] if resolution in _NOWHERE else []
    edges += _overrides(resolver, store.inside(path), ordinal + 1)
    edges += _signatures(resolver, store.inside(path), ordinal + 1 + len(edges))
    return ResolvedEdges(edges, unsure)


class _Ends(NamedTuple):
    """The nodes that a resolved reference leads to, and the candidates where it claims none."""

    resolved: ResolvedReference
    nodes: tuple[Node, ...]
    candidates: tuple[int, ...]


def _ends_of(resolver: Resolver, resolved: ResolvedReference, *, is_mention: bool) -> _Ends:
    nodes: list[Node] = [target.identity for target in resolved.ends]
    if not resolved.targets and resolved.path is not None and not is_mention:
        nodes.append(resolved.path)
    candidates = resolver.identities_of(resolved.targets) if not resolved.claimed else ()
    return _Ends(resolved, tuple(nodes), candidates)


def _reads(
    resolver: Resolver, language: str, source: Definition | None, call: Reference, edge: NetworkEdge
) -> Iterator[NetworkEdge]:
    """Yield the reads of a call that leads nowhere: it may be a variable."""
    if resolver.may_mean_something(edge.path, language, call):
        read = msgspec.structs.replace(call, edge=EdgeKind.READS)
        for target in resolver.resolve(edge.path, language, source, read).claimed:
            if target.identity != edge.user:
                yield edge._replace(used=target.identity, edge=EdgeKind.READS)


def _overrides(resolver: Resolver, definitions: Sequence[Definition], ordinal: int) -> Iterator[NetworkEdge]:
    """The methods of types above that those of a file replace."""
    implementations = resolver.evaluator.implementations
    types = {one.qualified_name for one in definitions if one.kind in CLASS_LIKE}
    for method in definitions:
        is_method = method.kind in FUNCTION_LIKE and method.parent in types
        if is_method and resolver.imports.function_of(method) is method:
            for above in implementations.overridden(method):
                if above.identity != method.identity:
                    resolution = Resolution.EXACT if above.path == method.path else Resolution.IMPORT
                    place = method.path, method.start_line, ordinal
                    yield NetworkEdge(method.identity, above.identity, EdgeKind.OVERRIDES, resolution, *place)
                    ordinal += 1


def _signatures(resolver: Resolver, definitions: Sequence[Definition], ordinal: int) -> Iterator[NetworkEdge]:
    """The functions of a file implement their signatures."""
    for signature in definitions:
        function = resolver.imports.function_of(signature)
        if function is not signature:
            place = signature.path, function.start_line, ordinal
            yield NetworkEdge(function.identity, signature.identity, EdgeKind.IMPLEMENTS, Resolution.EXACT, *place)
            ordinal += 1
