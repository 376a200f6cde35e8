"""The network of a worktree in the store: queries and updates.

Each file is stored with the lookups that resolved it, and with digests of what others look up in it
(`graph/provisions.py`). When files change, the files whose lookups would now be answered differently are resolved
again; the result equals a fresh resolution of everything. A ChangedNetwork shows the result to readers that cannot see
or write it yet.

ProvidedDefinitions tells how definitions come to other repositories, by the packages that all of them name.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from operator import attrgetter
from posixpath import basename
from typing import NamedTuple

import msgspec
import xxhash

from birthmark.comparison.file_roles import role_of
from birthmark.decoding import msgpack_decoder
from birthmark.graph.answers import PATHS, lookups_of, number_of
from birthmark.graph.candidates import MENTIONS
from birthmark.graph.edges import Edge, names_of
from birthmark.graph.joined_repositories import JoinedPart, JoinedRepositories, Seen
from birthmark.graph.manifests.package import Package, depending_folders, packages_around
from birthmark.graph.manifests.readers import digest_of
from birthmark.graph.network import EdgeList, Network, NetworkEdge, Node, resolve_file
from birthmark.graph.provisions import changed_lookups, provisions_of
from birthmark.graph.resolve import RESOLUTION, Resolver
from birthmark.graph.symbols import Definition, contains
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.store.model import NetworkChange, ResolvedFile, Snapshot, Use
from birthmark.store.port import NetworkStore
from birthmark.vocabulary import EdgeKind, FileRole, Resolution

_OPEN, _CLOSED = "/open/", "/closed/"  # sets of candidates; no path starts with a slash
_KINDS = {str(kind): kind for kind in EdgeKind}
_RESOLUTIONS = {str(resolution): resolution for resolution in Resolution}
_encode = msgspec.msgpack.Encoder().encode
_decode_provisions = msgpack_decoder(dict[int, int]).decode
Progress = Callable[[str, int, int], None]  # stage, files done, all files
_PLACE = attrgetter("path", "ordinal")
_MENTION_PLACE = attrgetter("path", "line")


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


def resolve_changes(
    graph: SnapshotGraph, resolver: Resolver, outdated: Outdated, progress: Progress = lambda stage, done, total: None
) -> NetworkChange:
    """Resolve all references of outdated files."""
    files, uses, mentions = list[ResolvedFile](), list[Use](), list[Use]()
    candidates = dict[str, Collection[int]]()
    versions = graph.versions()
    paths = [*outdated.changed, *outdated.dependents]
    for done, path in enumerate(paths):
        progress("resolving references", done, len(paths))
        found, lookups = resolver.with_lookups(resolve_file, graph, resolver, path)
        numbers = sorted({number_of(one) for one in (PATHS, *lookups_of(lookups))})
        files.append((path, versions[path], array("I", numbers).tobytes(), _encode(_provisions(graph, path))))
        uses += (_use(edge) for edge in found.edges)
        mentions += (_use(edge) for edge in found.mentions)
        names: dict[tuple[int, bool], str] = {}
        for edge, identities in found.open_references:
            key = id(identities), edge.may_be_outside  # Many have the same candidates, and hold them.
            if key not in names:
                names[key] = _name_of_set(edge, identities)
                candidates[names[key]] = identities
            uses.append(_use(edge._replace(used=names[key])))
    return NetworkChange(files, uses, outdated.gone, candidates, mentions)


def _provisions(graph: SnapshotGraph, path: str) -> dict[int, int]:
    return provisions_of(path, graph.inside(path), graph.outline_references(path), graph.bindings(path))


def _name_of_set(edge: NetworkEdge, identities: Sequence[int]) -> str:
    return f"{_OPEN if edge.may_be_outside else _CLOSED}{xxhash.xxh64_hexdigest(_encode(identities))}"


def _use(edge: NetworkEdge) -> Use:
    return Use(edge.path, edge.ordinal, edge.used, edge.user, edge.edge, edge.resolution, edge.line)


def users_in_network(
    network: Network, graph: SnapshotGraph, target: Definition, kinds: Collection[EdgeKind]
) -> list[Edge]:
    """Return the calls, imports, bases and overriding methods that lead to a definition, or may do so."""
    nodes = [target.identity]
    wanted = frozenset(kinds) - MENTIONS
    uses = [one for one in (*network.users_of(nodes), *network.possible_users_of(nodes)) if one.edge in wanted]
    users = graph.definitions({one.user for one in uses if isinstance(one.user, int)})
    return [
        Edge(
            users[one.user] if isinstance(one.user, int) else None,
            one.path,
            one.edge,
            one.resolution,
            target,
            target.name,
            one.line,
            one.n_candidates,
            one.may_be_outside,
        )
        for one in uses
    ]


class StoredNetwork:
    """A Network whose edges are in the store."""

    def __init__(self, store: NetworkStore, network: int) -> None:
        self.store, self.network = store, network

    def users_of(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return (_edge(use) for use in self.store.users_of(self.network, nodes))

    def used_by(self, nodes: Collection[Node]) -> Iterator[NetworkEdge]:
        return _claimed(self.store.used_by(self.network, nodes))

    def all_edges(self) -> Iterator[NetworkEdge]:
        return _claimed(self.store.all_uses(self.network))

    def possible_users_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        members: dict[str, list[int]] = {}
        for identity, name in self.store.candidate_sets(self.network, identities):
            members.setdefault(name, []).append(identity)
        sizes: dict[str, int] = {}
        for name, _ in self.store.candidates(self.network, members):
            sizes[name] = sizes.get(name, 0) + 1
        for use in self.store.users_of(self.network, members):
            name = str(use.used)
            edge, more = _edge(use), (sizes[name], name.startswith(_OPEN))
            yield from (NetworkEdge(edge.user, identity, *edge[2:7], *more) for identity in members[name])

    def mentions_of(self, identities: Collection[int]) -> Iterator[NetworkEdge]:
        return (_edge(use) for use in self.store.mentions_of(self.network, identities))

    def all_mentions(self) -> Iterator[NetworkEdge]:
        return (_edge(use) for use in self.store.all_mentions(self.network))


def _claimed(uses: Iterable[Use]) -> Iterator[NetworkEdge]:
    return (_edge(use) for use in uses if not (isinstance(use.used, str) and use.used.startswith("/")))


def _edge(use: Use) -> NetworkEdge:
    return NetworkEdge(
        use.user, use.used, _KINDS[use.edge], _RESOLUTIONS[use.resolution], use.path, use.line, use.ordinal
    )


def edges_of(change: NetworkChange) -> EdgeList:
    """Return the edges that were resolved again, as the store would give them."""
    return EdgeList(
        _claimed(change.uses),
        (edge for use in change.uses for edge in _open_edges(use, change.candidates)),
        map(_edge, change.mentions),
    )


def _open_edges(use: Use, candidates: Mapping[str, Collection[int]]) -> Iterator[NetworkEdge]:
    members, edge = candidates.get(str(use.used), ()), _edge(use)
    more = len(members), str(use.used).startswith(_OPEN)
    return (NetworkEdge(edge.user, identity, *edge[2:7], *more) for identity in members)


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

    def mentions_of(self, identities: Collection[int]) -> Iterable[NetworkEdge]:
        found = self._joined(self.base.mentions_of(identities), self.edges.mentions_of(identities))
        return sorted(found, key=_MENTION_PLACE)

    def all_mentions(self) -> Iterable[NetworkEdge]:
        return sorted(self._joined(self.base.all_mentions(), self.edges.all_mentions()), key=_MENTION_PLACE)

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
