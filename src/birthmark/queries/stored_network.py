"""The network of a worktree in the store: queries and updates.

Each file is stored with the lookups that resolved it, and with digests of what others look up in it
(`graph/provisions.py`). When files change, the files whose lookups would now be answered differently are resolved
again; the result equals a fresh resolution of everything. A ChangedNetwork shows the result to readers that cannot see
or write it yet.

Edges are stored as postings: all that lead from one file to one node, packed. So the users of a definition are as many
rows as there are files that use it.

ProvidedDefinitions tells how definitions come to other repositories, by the packages that all of them name.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import groupby
from operator import attrgetter, itemgetter
from posixpath import basename
from typing import NamedTuple

import msgspec
import xxhash

from birthmark.comparison.file_roles import role_of
from birthmark.decoding import msgpack_decoder
from birthmark.graph.answers import lookups_around, lookups_of, number_of
from birthmark.graph.edges import Edge, in_order, names_of
from birthmark.graph.joined_repositories import JoinedPart, JoinedRepositories, Seen
from birthmark.graph.manifests.package import Package, depending_folders, packages_around
from birthmark.graph.manifests.readers import digest_of
from birthmark.graph.network import CANDIDATES, EdgeList, Network, NetworkEdge, Node, ordinal_of, resolve_file, users_of
from birthmark.graph.provisions import changed_lookups, provisions_of
from birthmark.graph.resolve import RESOLUTION, Resolver
from birthmark.graph.symbols import Definition, contains
from birthmark.languages.registry import load_registry
from birthmark.queries.impact import Definitions
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.store.model import NetworkChange, Posting, ResolvedFile, Snapshot
from birthmark.store.port import NetworkStore
from birthmark.vocabulary import EdgeKind, FileRole, Resolution

_OPEN, _CLOSED = "/open/", "/closed/"  # sets of candidates; no path starts with a slash
_KINDS, _RESOLUTIONS = tuple(EdgeKind), tuple(Resolution)  # packed as their positions
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}
_RESOLUTION_NUMBERS = {resolution: number for number, resolution in enumerate(_RESOLUTIONS)}
PackedEdge = tuple[int, int, int, int, int]  # user or 0 for the file, kind, resolution, line, ordinal
_encode = msgspec.msgpack.Encoder().encode
_decode_edges = msgpack_decoder(list[PackedEdge]).decode
_decode_provisions = msgpack_decoder(dict[int, int]).decode


class Outdated(NamedTuple):
    """The files of a stored network that differ from its snapshot."""

    generation: int
    changed: list[str]  # files with another version, or none that was resolved
    gone: list[str]
    dependents: list[str]  # files that are the same, with references that may lead elsewhere

    def __bool__(self) -> bool:
        return bool(self.changed or self.gone)


def find_outdated(store: NetworkStore, snapshot: Snapshot, graph: SnapshotGraph) -> Outdated:
    versions = graph.versions()
    known = store.network(snapshot.worktree)
    if known is None or known.maker != maker_of(snapshot, graph):
        return Outdated(known.generation if known else 0, sorted(versions), [], [])
    resolved = store.resolved_versions(known.network)
    changed = sorted(path for path, version in versions.items() if resolved.get(path) != version)
    gone = sorted(resolved.keys() - versions.keys())
    if not changed and not gone:
        return Outdated(known.generation, [], [], [])
    before = store.provisions(known.network, [*changed, *gone])
    lookups: set[int] = set()
    for path in (*changed, *gone):
        after = _provisions(graph, path) if path in versions else {}
        lookups |= changed_lookups(_decode_provisions(before[path]) if path in before else {}, after)
    others = (
        path
        for path, packed in store.lookups(known.network)
        if path in versions and resolved[path] == versions[path] and not lookups.isdisjoint(array("I", packed))
    )
    return Outdated(known.generation, changed, gone, sorted(others))


def maker_of(snapshot: Snapshot, graph: SnapshotGraph) -> str:
    """Return the inputs of edges besides the sources."""
    manifests = digest_of(graph.manifests(), load_registry().groups.values())
    return f"{snapshot.extractor} {RESOLUTION} {manifests}"


class FileEdges(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A resolved file with its postings, and the sets of candidates that are new to whoever resolves."""

    path: str
    version: int
    lookups: bytes
    provisions: bytes
    postings: list[tuple[int | str, bytes]]
    candidates: dict[str, tuple[int, ...]]


class FileResolver:
    """Resolves files one by one; each set of candidates is given once."""

    def __init__(self, graph: SnapshotGraph) -> None:
        self.graph, self.resolver = graph, Resolver(graph, load_registry().resolution_of)
        self._given = set[str]()

    def resolve(self, path: str) -> FileEdges:
        found, lookups = self.resolver.with_lookups(resolve_file, self.graph, self.resolver, path)
        postings = defaultdict[int | str, list[PackedEdge]](list)
        for edge in found.edges:
            postings[edge.used].append(_packed(edge))
        names: dict[tuple[int, bool], str] = {}
        candidates: dict[str, tuple[int, ...]] = {}
        for edge, identities in found.open_references:
            key = id(identities), edge.may_be_outside  # Many have the same candidates, and hold them.
            if key not in names:
                names[key] = _name_of_set(edge, identities)
                candidates[names[key]] = identities
            postings[names[key]].append(_packed(edge))
        new = {name: identities for name, identities in candidates.items() if name not in self._given}
        self._given.update(new)
        numbers = sorted({number_of(one) for one in (*lookups_around(path), *lookups_of(lookups))})
        version, provisions = self.graph.versions()[path], _encode(_provisions(self.graph, path))
        packed = [(used, _encode(edges)) for used, edges in postings.items()]
        return FileEdges(path, version, array("I", numbers).tobytes(), provisions, packed, new)


def change_of(found: Iterable[FileEdges], gone: Collection[str]) -> NetworkChange:
    """Return what resolved files change in a network."""
    files, postings, candidates = list[ResolvedFile](), list[Posting](), dict[str, Collection[int]]()
    for one in found:
        files.append((one.path, one.version, one.lookups, one.provisions))
        postings += ((one.path, used, packed) for used, packed in one.postings)
        candidates.update(one.candidates)
    return NetworkChange(files, postings, gone, candidates)


def _packed(edge: NetworkEdge) -> PackedEdge:
    user = edge.user if isinstance(edge.user, int) else 0
    return user, _KIND_NUMBERS[edge.edge], _RESOLUTION_NUMBERS[edge.resolution], edge.line, edge.ordinal


def _edges(posting: Posting) -> list[NetworkEdge]:
    path, used, packed = posting
    return [
        NetworkEdge(user or path, used, _KINDS[kind], _RESOLUTIONS[resolution], path, line, ordinal)
        for user, kind, resolution, line, ordinal in _decode_edges(packed)
    ]


def _provisions(graph: SnapshotGraph, path: str) -> dict[int, int]:
    return provisions_of(path, graph.inside(path), graph.outline_references(path), graph.bindings(path))


def _name_of_set(edge: NetworkEdge, identities: Collection[int]) -> str:
    return f"{_OPEN if edge.may_be_outside else _CLOSED}{xxhash.xxh64_hexdigest(_encode(identities))}"


def users_in_network(
    network: Network, graph: SnapshotGraph, target: Definition, kinds: Collection[EdgeKind]
) -> list[Edge]:
    """Return the uses that lead to a definition, or may do so."""
    nodes = [target.identity]
    found = (*users_of(network, graph.definitions, nodes), *network.possible_users_of(nodes))
    uses = [one for one in found if one.edge in kinds]
    users = graph.definitions({one.user for one in uses if isinstance(one.user, int)})
    return in_order(edge_of(one, users.get(one.user) if isinstance(one.user, int) else None, target) for one in uses)


def callees_in_network(network: Network, graph: SnapshotGraph, source: Definition) -> list[Edge]:
    """Return the calls in a definition, also those that lead nowhere."""
    calls = [*network.calls_of(source)]
    used = graph.definitions({one.used for one in calls if isinstance(one.used, int)})
    references = graph.outline_references(source.path)
    return [
        edge_of(one, source, used.get(one.used) if isinstance(one.used, int) else None, references[one.ordinal].name)
        for one in calls
    ]


def edge_of(use: NetworkEdge, source: Definition | None, target: Definition | None, name: str = "") -> Edge:
    """Return an edge of the network with its ends."""
    shown = name or (target.name if target is not None else "")
    more = shown, use.line, use.n_candidates, use.may_be_outside
    return Edge(source, use.path, use.edge, use.resolution, target, *more)


class StoredNetwork:
    """A Network whose edges are in the store."""

    def __init__(self, store: NetworkStore, network: int, graph: Definitions) -> None:
        self.store, self.network, self.graph = store, network, graph

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        found = self.store.postings_to(self.network, nodes) if nodes else ()
        return _in_places(edge for posting in found for edge in _edges(posting))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        users = {*nodes}
        return _in_places(edge for edge in self._starting_at(users) if edge.user in users and _is_claimed(edge))

    def all_edges(self) -> Iterator[NetworkEdge]:
        for _, found in groupby(self.store.all_postings(self.network), key=itemgetter(0)):
            yield from _in_places(edge for posting in found for edge in _edges(posting) if _is_claimed(edge))

    def possible_users_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        members: dict[str, list[int]] = {}
        for identity, name in self.store.candidate_sets(self.network, identities):
            members.setdefault(name, []).append(identity)
        sizes = self._sizes(members)
        for posting in self.store.postings_to(self.network, members) if members else ():
            name = str(posting[1])
            for edge in _edges(posting):
                yield from (_unclaimed(edge, name, sizes, identity) for identity in members[name])

    def calls_of(self, definition: Definition) -> list[NetworkEdge]:
        found = [*self._starting_at([definition.identity])]
        calls = [edge for edge in found if edge.user == definition.identity and edge.edge is EdgeKind.CALLS]
        sizes = self._sizes({str(edge.used) for edge in calls if _is_set(edge.used)})
        shown = (_unclaimed(edge, str(edge.used), sizes) if _is_set(edge.used) else edge for edge in calls)
        return sorted(shown, key=ordinal_of)

    def _starting_at(self, nodes: Iterable[Node]) -> Iterator[NetworkEdge]:
        """Yield the edges of the files in which nodes are."""
        nodes = [*nodes]
        places = self.graph.definitions([node for node in nodes if isinstance(node, int)]).values()
        paths = {*(one.path for one in places), *(node for node in nodes if isinstance(node, str))}
        found = self.store.postings_in(self.network, paths) if paths else ()
        return (edge for posting in found for edge in _edges(posting))

    def _sizes(self, names: Collection[str]) -> Counter[str]:
        return Counter(name for name, _ in self.store.candidates(self.network, names)) if names else Counter()


def _in_places(edges: Iterable[NetworkEdge]) -> Iterator[NetworkEdge]:
    return iter(sorted(edges, key=_PLACE))


def _is_set(node: Node) -> bool:
    return isinstance(node, str) and node.startswith((_OPEN, _CLOSED))


def _is_claimed(edge: NetworkEdge) -> bool:
    return not (isinstance(edge.used, str) and edge.used.startswith("/"))


def _unclaimed(edge: NetworkEdge, name: str, sizes: Mapping[str, int], used: Node = CANDIDATES) -> NetworkEdge:
    return edge._replace(used=used, n_candidates=sizes[name], may_be_outside=name.startswith(_OPEN))


def edges_of(change: NetworkChange) -> EdgeList:
    """Return the edges that were resolved again, as the store would give them."""
    edges = [edge for posting in change.postings for edge in _edges(posting)]
    sizes = {name: len(identities) for name, identities in change.candidates.items()}
    return EdgeList(
        (edge for edge in edges if not _is_set(edge.used)),
        (
            (_unclaimed(edge, str(edge.used), sizes), change.candidates[str(edge.used)])
            for edge in edges
            if _is_set(edge.used)
        ),
    )


_PLACE = attrgetter("path", "ordinal")


class ChangedNetwork:
    """A network in which `edges` replace those of the files at `paths` in `base`, in the order of places."""

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

    def calls_of(self, definition: Definition) -> Iterable[NetworkEdge]:
        return (self.edges if definition.path in self.paths else self.base).calls_of(definition)

    def _joined(self, old: Iterable[NetworkEdge], new: Iterable[NetworkEdge]) -> list[NetworkEdge]:
        return sorted([*(edge for edge in old if edge.path not in self.paths), *new], key=_PLACE)


class Sought(NamedTuple):
    """A definition that may be used elsewhere, the definition that is imported for it, and its names."""

    target: Definition
    imported: Definition
    names: frozenset[str]


class ProvidedDefinitions:
    """The definitions of a repository as its dependents see them."""

    def __init__(self, graph: SnapshotGraph, packages: Sequence[Package]) -> None:
        self.graph, self.packages = graph, packages
        self._parts: dict[Package, JoinedPart] = {}

    def packages_of(self, target: Definition) -> list[Package]:
        """Return the packages that provide a definition; none for one that is not provided, such as a test."""
        return self.packages_at(target.path, target.language)

    def packages_at(self, path: str, language: str) -> list[Package]:
        rules = load_registry().resolution_of(language)
        read = [one for one in self.packages if _is_read(one, {**rules.manifests, **rules.packages})]
        found = packages_around(read, path)
        return [one for one in found if _is_provided(one.folder, path)]

    def seek(self, target: Definition) -> Sought:
        around = (one for one in self.graph.inside(target.path) if one.parent is None and contains(one, target))
        return Sought(target, next(around, target), frozenset(names_of(self.graph, self._resolver, target)))

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self.graph, load_registry().resolution_of)

    def passage(self, package: Package) -> Passage:
        if package not in self._parts:
            self._parts[package] = provided_part(1, self.graph, package.folder)
        return Passage(package, (self._parts[package],))


def provided_part(number: int, graph: SnapshotGraph, folder: str, seen: Seen | None = None) -> JoinedPart:
    """Return the part that the package of a folder provides to others."""
    return JoinedPart(number, graph, folder, lambda path: _is_provided(folder, path), seen or {})


class Passage(NamedTuple):
    """A package by which definitions of a repository, or of another one, come to its dependents.

    The first part is the repository that defines them; each other one passes them on from the one before it.
    """

    package: Package
    parts: tuple[JoinedPart, ...]

    def join(self, graph: SnapshotGraph, packages: Sequence[Package]) -> JoinedRepositories | None:
        """Join a repository with the parts; return None if it does not depend on the package."""
        folders = depending_folders(packages, self.package)
        if folders is not None and not folders:
            return None
        return JoinedRepositories(graph, self.parts, {self.parts[-1].number: folders}, load_registry().resolution_of)

    def go_on(
        self, graph: SnapshotGraph, packages: Sequence[Package], paths: Iterable[str], language: str
    ) -> list[Passage]:
        """Return passages by the packages of files of a repository that pass something on."""
        provided = ProvidedDefinitions(graph, packages)
        found = dict.fromkeys(package for path in paths for package in provided.packages_at(path, language))
        number, seen = self.parts[-1].number, depending_folders(packages, self.package)
        return [
            Passage(one, (*self.parts, provided_part(number + 1, graph, one.folder, {number: seen}))) for one in found
        ]


def _is_read(package: Package, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(basename(package.manifest), pattern) for pattern in patterns)


def _is_provided(folder: str, path: str) -> bool:
    """Return True for code of a package, not for tests and documents beside it."""
    inside = path.removeprefix(folder).lstrip("/")
    first, slash, _ = inside.partition("/")
    return not slash or role_of(f"{first}/{basename(path)}") is FileRole.SOURCE
