"""Map folders or files as modules: their uses of each other, their layers, and their cycles.

Takes files and the uses between them; gives a ModuleMap. Uses name the modules of both ends, so that no store is asked
here. Nodes that use each other, directly or around a cycle, are in one layer; every other use leads to a lower layer.

UseGraph answers questions about all uses at once: cycles, centrality, connected components. igraph does the
mathematics.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from birthmark.vocabulary import Resolution

if TYPE_CHECKING:
    from igraph import Graph
from collections.abc import Sequence
from typing import TYPE_CHECKING

from birthmark.graph.network import Node

if TYPE_CHECKING:
    from igraph import Graph

ROOT_MODULE = "."  # files that are in no folder
Pair = tuple[int, int]  # a node, and one that it uses
DAMPING = 0.85


class FileUse(NamedTuple):
    """A use in a file, at a line, of something in a file."""

    path: str
    line: int
    used_path: str
    resolution: Resolution


class ModuleUse(NamedTuple):
    """The uses of one module by another."""

    user: str
    used: str
    n_uses: int
    resolutions: Mapping[Resolution, int]  # the number of uses by resolution
    path: str  # of the first one
    line: int
    cycle: int | None  # the number of the cycle that it is part of, from 1
    is_closing: bool  # without it, and others that are marked so, there would be no cycle


class CodeModule(NamedTuple):
    """A folder or a file, and its uses."""

    name: str
    layer: int  # 0 uses no other module
    cycle: int | None  # the number of the cycle that it is part of, from 1
    level: int  # in its cycle: every use leads to a lower level, but those that close the cycle
    n_files: int
    n_entities: int
    n_inside: int  # uses that stay in it
    n_outgoing: int  # uses of other modules by it
    n_incoming: int  # uses of it by other modules
    n_used: int  # number of other modules that it uses
    n_users: int  # number of other modules that use it

    @property
    def cohesion(self) -> float | None:
        """The share of its uses that stays inside; None if there are none."""
        n_uses = self.n_inside + self.n_outgoing
        return self.n_inside / n_uses if n_uses else None

    @property
    def instability(self) -> float | None:
        """The share of its neighbours that it uses: 0 is only used, 1 only uses; None without neighbours."""
        n_neighbours = self.n_used + self.n_users
        return self.n_used / n_neighbours if n_neighbours else None


class ModuleMap(NamedTuple):
    """Modules from the highest layer to the lowest, and their uses of each other, the most frequent first."""

    modules: list[CodeModule]
    uses: list[ModuleUse]
    cycles: list[tuple[str, ...]]


def folder_of(path: str, below: str = "", depth: int | None = None) -> str:
    """Return the module of a file: its folder, cut after `depth` levels below a folder."""
    folder = posixpath.dirname(path)
    if depth is None or folder == below:
        return folder or ROOT_MODULE
    levels = posixpath.relpath(folder, below or ".").split("/")[:depth]
    return posixpath.join(below, *levels)


def map_modules(files: Mapping[str, int], uses: Iterable[FileUse], module_of: Callable[[str], str]) -> ModuleMap:
    """Return the map of modules; `files` are paths with their number of definitions, other files are ignored."""
    modules = {path: module_of(path) for path in files}
    between: dict[tuple[str, str], _UseCounts] = {}
    n_inside: Counter[str] = Counter()
    for use in uses:
        user, used = modules.get(use.path), modules.get(use.used_path)
        if user is None or used is None:
            continue
        if user == used:
            n_inside[user] += 1
        else:
            found = between.get((user, used))
            if found is None:
                found = between[user, used] = _UseCounts(use)
            found.add(use)
    names = sorted(set(modules.values()))
    needed = {pair: found for pair, found in between.items() if found.is_needed}
    return _map_of(names, files, modules, n_inside, needed)


class _UseCounts:
    """Uses that are counted, not kept."""

    __slots__ = ("first", "resolutions")

    def __init__(self, use: FileUse) -> None:
        self.first, self.resolutions = use, Counter[Resolution]()

    @property
    def is_needed(self) -> bool:
        """Return True if the module is named: a call of an interface needs none of its implementations."""
        return set(self.resolutions) != {Resolution.DISPATCH}

    def add(self, use: FileUse) -> None:
        if use < self.first:
            self.first = use
        self.resolutions[use.resolution] += 1


def _map_of(
    names: list[str],
    files: Mapping[str, int],
    modules: Mapping[str, str],
    n_inside: Counter[str],
    between: Mapping[tuple[str, str], _UseCounts],
) -> ModuleMap:
    """`modules` are those of the files."""
    number = {name: index for index, name in enumerate(names)}
    pairs = {(number[user], number[used]): uses.resolutions.total() for (user, used), uses in between.items()}
    layering = find_layers(len(names), pairs)
    cycles = {node: index for index, cycle in enumerate(layering.cycles, 1) for node in cycle}
    uses = []
    for (user, used), found in between.items():
        pair = number[user], number[used]
        cycle = cycles.get(pair[0]) if cycles.get(pair[0]) == cycles.get(pair[1]) else None
        uses.append(_module_use(user, used, found, cycle, pair in layering.closing))
    places = [
        (layer, cycles.get(node), level)
        for node, (layer, level) in enumerate(zip(layering.layers, layering.levels, strict=True))
    ]
    found_modules = _modules(names, files, modules, n_inside, uses, places)
    return ModuleMap(
        sorted(found_modules, key=lambda one: (-one.layer, one.cycle or 0, -one.level, one.name)),
        sorted(uses, key=lambda one: (-one.n_uses, one.user, one.used)),
        [tuple(names[node] for node in cycle) for cycle in layering.cycles],
    )


def _module_use(user: str, used: str, found: _UseCounts, cycle: int | None, is_closing: bool) -> ModuleUse:
    first, counted = found.first, found.resolutions
    resolutions = {resolution: counted[resolution] for resolution in Resolution if counted[resolution]}
    return ModuleUse(user, used, counted.total(), resolutions, first.path, first.line, cycle, is_closing)


def _modules(
    names: list[str],
    files: Mapping[str, int],
    modules: Mapping[str, str],
    n_inside: Counter[str],
    uses: list[ModuleUse],
    places: list[tuple[int, int | None, int]],
) -> list[CodeModule]:
    """`places` are the layer, the cycle and the level of each module."""
    n_files, n_entities = Counter(modules.values()), Counter[str]()
    for path, module in modules.items():
        n_entities[module] += files[path]
    outgoing, incoming = Counter[str](), Counter[str]()
    for use in uses:
        outgoing[use.user] += use.n_uses
        incoming[use.used] += use.n_uses
    n_used, n_users = Counter(use.user for use in uses), Counter(use.used for use in uses)
    return [
        CodeModule(
            name,
            *place,
            n_files[name],
            n_entities[name],
            n_inside[name],
            outgoing[name],
            incoming[name],
            n_used[name],
            n_users[name],
        )
        for name, place in zip(names, places, strict=True)
    ]


class Layering(NamedTuple):
    """The layers and cycles of nodes, by their numbers."""

    layers: list[int]  # of each node; 0 if it uses nothing
    cycles: list[tuple[int, ...]]  # those with most nodes first
    closing: frozenset[Pair]  # uses without which there would be no cycle, as few of them as are easily found
    levels: list[int]  # of each node in a cycle, without uses that close it: the longest way down within the cycle


def find_layers(n_nodes: int, uses: Mapping[Pair, int]) -> Layering:
    """Return layers: the layer of a node is the longest way down from it, where a cycle counts as one node."""
    from igraph import Graph

    pairs = sorted(pair for pair in uses if pair[0] != pair[1])
    graph = Graph(n_nodes, pairs, directed=True)
    components = graph.connected_components(mode="strong")
    condensed: Graph = components.cluster_graph(combine_edges="ignore")
    heights = _heights(condensed)
    cycles = sorted((tuple(sorted(one)) for one in components if len(one) > 1), key=lambda one: (-len(one), one))
    closing = frozenset(pair for cycle in cycles for pair in _closing(cycle, pairs, uses))
    layers = [heights[component] for component in components.membership]
    within = [pair for cycle in cycles for pair in _within(cycle, pairs) if pair not in closing]
    return Layering(layers, cycles, closing, _heights(Graph(n_nodes, within, directed=True)))


def _heights(acyclic: Graph) -> list[int]:
    heights = [0] * acyclic.vcount()
    for node in acyclic.topological_sorting(mode="in"):
        heights[node] = max((heights[used] + 1 for used in acyclic.successors(node) if used != node), default=0)
    return heights


def _closing(cycle: tuple[int, ...], pairs: list[Pair], uses: Mapping[Pair, int]) -> list[Pair]:
    """Return the uses of a cycle that point back, in an order of its nodes in which few do."""
    from igraph import Graph

    number, inside = {node: index for index, node in enumerate(cycle)}, _within(cycle, pairs)
    graph = Graph(len(cycle), [(number[user], number[used]) for user, used in inside], directed=True)
    return [inside[edge] for edge in graph.feedback_arc_set([uses[pair] for pair in inside], "eades")]


def _within(cycle: tuple[int, ...], pairs: list[Pair]) -> list[Pair]:
    nodes = set(cycle)
    return [pair for pair in pairs if pair[0] in nodes and pair[1] in nodes]


class UseGraph:
    """Nodes in a fixed order, and the uses among them."""

    def __init__(self, nodes: Iterable[Node], uses: Iterable[tuple[Node, Node]]) -> None:
        """Build the graph; several uses between two nodes are one, those of other nodes or of itself are left out."""
        from igraph import Graph

        self.nodes = [*dict.fromkeys(nodes)]
        self.numbers = {node: number for number, node in enumerate(self.nodes)}
        known = ((self.numbers.get(user), self.numbers.get(used)) for user, used in uses)
        edges = {(user, used) for user, used in known if user is not None and used is not None and user != used}
        self.graph: Graph = Graph(len(self.nodes), sorted(edges), directed=True)

    def cycles(self) -> list[list[Node]]:
        """Return groups of nodes that all use each other, directly or not; the largest first."""
        return self._groups("strong")

    def components(self) -> list[list[Node]]:
        """Return groups without uses between them; the largest first."""
        return self._groups("weak")

    def _groups(self, mode: str) -> list[list[Node]]:
        groups = [sorted(group) for group in self.graph.connected_components(mode=mode) if len(group) > 1]
        return [[self.nodes[number] for number in group] for group in sorted(groups, key=lambda one: (-len(one), one))]

    def shortest_cycle(self, group: Sequence[Node]) -> list[Node]:
        """Return a shortest way from the first of a group of `cycles` back to it."""
        first, among = self.numbers[group[0]], {self.numbers[node] for node in group}
        users = sorted(among.intersection(self.graph.predecessors(first)))
        ways = self.graph.get_shortest_paths(first, users)
        return [self.nodes[number] for number in min(ways, key=lambda way: (len(way), way))]

    def n_users(self, node: Node) -> int:
        return int(self.graph.degree(self.numbers[node], mode="in"))

    def rank(self) -> dict[Node, float]:
        """Return PageRank: the probability of being at a node when following uses at random with restarts."""
        if not self.nodes:
            return {}
        return dict(zip(self.nodes, self.graph.pagerank(damping=DAMPING), strict=True))
