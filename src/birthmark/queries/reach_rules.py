"""The rules by which a change reaches tests: uses, containers, dispatch, imports, and fixtures.

They prefer too many tests to too few: code with an object may call any of its methods, so a member reaches all uses of
its type; and a definition without known uses reaches all importers of its file.

A fixture reaches functions with a parameter of its name, and code that has its name in a string. It is known in its own
file and where it is imported; in a shared file, also in all files below. Fixtures and shared files are defined in
`language.toml`.

ReachIndex reads and keeps what the rules need of a snapshot for some nodes at once; for many nodes it reads everything,
which is faster.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain

from birthmark.graph.modules.module_paths import package_folder
from birthmark.graph.network import Network, NetworkEdge, Node
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition, contains, definition_around
from birthmark.languages.registry import load_registry
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.queries.reach import ReachStep, Rule
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of
from birthmark.queries.test_code import TestFiles, is_runner_setting, is_shared, is_test_code, is_test_definition
from birthmark.store.model import SnapshotEntity
from birthmark.store.port import SnapshotStore
from birthmark.vocabulary import EdgeKind, ReachWord

MANY = 1000  # nodes to read, from which on all are read

# Uses that may run the used definition. Imports run a file, not the imported definition; types run nothing.
_WORDS = {
    EdgeKind.CALLS: ReachWord.CALLS,
    EdgeKind.READS: ReachWord.READS,
    EdgeKind.WRITES: ReachWord.WRITES,
    EdgeKind.DECORATES: ReachWord.DECORATES,
    EdgeKind.EXPORTS: ReachWord.EXPORTS,
    EdgeKind.INHERITS: ReachWord.INHERITS,
    EdgeKind.IMPLEMENTS: ReachWord.IMPLEMENTS,
}
_Finder = Callable[[Node], Iterable[ReachStep]]
_QUOTED = re.compile(r"""["'](\w+)["']""")
Decorators = Callable[[str], Mapping[int, tuple[str, ...]]]  # of a path; by identity


class ReachIndex:
    """The rows, uses and scopes of a snapshot; nodes must be prepared before they are asked about."""

    def __init__(self, store: SnapshotStore, snapshot: int, network: Network) -> None:
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
            self._add(wanted, [*self.network.users_of(wanted)], overriding)

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
        self._add((), edges, overriding)

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
        overriding: Iterable[NetworkEdge],
    ) -> None:
        users, importers, overridden = self._users, self._importers, self._overridden
        users.update((node, []) for node in nodes)
        for edge in edges:
            importers.setdefault(edge.used, []).append(edge)
        for step in use_steps(edges):
            users.setdefault(step.nearer, []).append(step)
        for edge in overriding:
            step = ReachStep(edge.used, edge.user, ReachWord.OVERRIDDEN, edge.resolution, edge.path, edge.line)
            overridden.setdefault(edge.user, []).append(step)

    # What was read

    def users(self, node: Node) -> Sequence[ReachStep]:
        """Return uses that may run a node."""
        return self._users.get(node, ())

    def edges_to(self, node: Node) -> Sequence[NetworkEdge]:
        """Return all edges to a node."""
        return self._importers.get(node, ())

    def overridden(self, node: Node) -> Sequence[ReachStep]:
        return self._overridden.get(node, ())

    def namesakes(self, node: Node) -> Sequence[Definition]:
        """Return all definitions of the same qualified name in the file, itself included."""
        one = self.definitions.get(node) if isinstance(node, int) else None
        return self.scopes(one.path).get(one.qualified_name, ()) if one is not None else ()

    def container(self, one: Definition) -> Definition | None:
        if one.parent is None:
            return None
        return next((other for other in self.scopes(one.path).get(one.parent, ()) if contains(other, one)), None)

    def inside(self, path: str) -> list[Definition]:
        return [one for named in self.scopes(path).values() for one in named]

    def scopes(self, path: str) -> Mapping[str, Sequence[Definition]]:
        """Return the definitions of a file by qualified name."""
        return self._scopes.get(path, {})


def use_steps(edges: Iterable[NetworkEdge]) -> Iterator[ReachStep]:
    for edge in edges:
        word = _WORDS.get(edge.edge)
        if word is not None:
            yield ReachStep(edge.user, edge.used, word, edge.resolution, edge.path, edge.line)


class ReachRules:
    """The rules over one snapshot, the surest first. Results of a rule for a node are kept."""

    def __init__(self, index: ReachIndex, tests: TestFiles, fixtures: Fixtures) -> None:
        self.index, self.tests, self.fixtures = index, tests, fixtures
        self._known: dict[str, dict[Node, Sequence[ReachStep]]] = {}
        self._is_test: dict[Node, bool] = {}

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self._all_of(
            self._uses, self._containers, self._overridden, self._namesakes, self._importers, self._tests_inside
        )

    @property
    def use_rules(self) -> tuple[Rule, ...]:
        """Rules without mere imports, and without what is below something that all tests share."""
        return self._all_of(self._known_uses, self._containers, self._overridden, self._namesakes, self._tests_inside)

    @property
    def sure_rules(self) -> tuple[Rule, ...]:
        """Edges of the network only: fewer tests, found faster."""
        return (lambda frontier: use_steps(self.index.network.users_of(frontier)),)

    def is_test(self, node: Node) -> bool:
        """Return True for a test, which nothing uses."""
        if node not in self._is_test:
            if isinstance(node, str):
                self._is_test[node] = self.tests.is_test(node)
            else:
                self._is_test[node] = any(map(is_test_definition, self.definitions([node])))
        return self._is_test[node]

    def definitions(self, nodes: Collection[Node]) -> list[Definition]:
        """Return the definitions among the nodes."""
        self.index.read_rows(nodes)
        return [self.index.definitions[node] for node in nodes if node in self.index.definitions]

    def _all_of(self, *finders: _Finder) -> tuple[Rule, ...]:
        return tuple(partial(self._steps, find) for find in finders)

    def _steps(self, find: _Finder, frontier: Collection[Node]) -> Iterable[ReachStep]:
        self.index.prepare(frontier)
        known = self._known.setdefault(find.__name__, {})
        for node in frontier:
            if node not in known:
                known[node] = [*find(node)]
        return chain.from_iterable([known[node] for node in frontier])

    # The rules, each for one node

    def _uses(self, node: Node) -> Iterator[ReachStep]:
        """Yield uses; if none is known, the top level of the file counts as a user."""
        steps = [*self._known_uses(node)]
        yield from steps
        one = self.index.definitions.get(node) if isinstance(node, int) else None
        if one is None or steps or self.index.container(one) is not None or self._tests_of_class(one):
            return
        alike = self.index.namesakes(node)
        if not any(self._by_others(other.identity, alike) for other in alike):
            yield ReachStep(one.path, one.identity, ReachWord.UNKNOWN_USERS, None, one.path, one.start_line)

    def _known_uses(self, node: Node) -> Iterator[ReachStep]:
        yield from self._by_others(node, self.index.namesakes(node))
        one = self.index.definitions.get(node) if isinstance(node, int) else None
        if one is not None:
            yield from self.fixtures.takers(one)

    def _by_others(self, node: Node, alike: Collection[Definition]) -> list[ReachStep]:
        steps = self.index.users(node)
        return [step for step in steps if not any(_is_decorator(step, other) for other in alike)]

    def _containers(self, node: Node) -> Iterator[ReachStep]:
        one = self.index.definitions.get(node) if isinstance(node, int) else None
        owner = self.index.container(one) if one is not None else None
        if one is not None and owner is not None:
            yield ReachStep(owner.identity, one.identity, ReachWord.CONTAINS, None, one.path, one.start_line)

    def _overridden(self, node: Node) -> Sequence[ReachStep]:
        """Return the overridden methods: callers of those may call this one."""
        return self.index.overridden(node)

    def _namesakes(self, node: Node) -> Iterator[ReachStep]:
        """Yield overloads and stubs: an edge to one of them may mean another."""
        for other in self.index.namesakes(node):
            if other.identity != node:
                one = self.index.definitions[int(node)]
                yield ReachStep(other.identity, node, ReachWord.NAMESAKE, None, one.path, one.start_line)

    def _importers(self, path: Node) -> Iterator[ReachStep]:
        """Yield importers: the top level of a file runs when something of it is imported or used."""
        if not isinstance(path, str):
            return
        ends: list[Node] = [one.identity for one in self.index.inside(path)]
        ends += [path.rpartition("/")[0], path]  # A folder that is imported means all its files.
        for used in ends:
            for edge in self.index.edges_to(used):
                if edge.path != path:
                    yield ReachStep(edge.user, path, ReachWord.IMPORTS, edge.resolution, edge.path, edge.line)
        folder = package_folder(path)
        for below in self.tests.below(folder) if folder else ():
            yield ReachStep(below, path, ReachWord.IMPORTS, None, below, 1)

    def _tests_inside(self, node: Node) -> Iterator[ReachStep]:
        """Yield the tests in a file or class of tests, and those below a file that they share."""
        if isinstance(node, str):
            is_for_all = is_shared(node) or is_runner_setting(node)
            word = ReachWord.BELOW if is_for_all else ReachWord.INSIDE
            for path in self.tests.below(node.rpartition("/")[0]) if is_for_all else [node]:
                for test in self.tests.inside(path):
                    yield ReachStep(test.identity, node, word, None, test.path, test.start_line)
        elif node in self.index.definitions:
            for test in self._tests_of_class(self.index.definitions[node]):
                yield ReachStep(test.identity, node, ReachWord.INSIDE, None, test.path, test.start_line)

    def _tests_of_class(self, one: Definition) -> list[Definition]:
        if one.kind not in CLASS_LIKE or not is_test_code(one.path, one.language, one.qualified_name):
            return []
        start = f"{one.qualified_name}."
        return [test for test in self.tests.inside(one.path) if test.qualified_name.startswith(start)]


def _is_decorator(step: ReachStep, one: Definition) -> bool:
    """Return True if the step is a definition's own decorator, which does not run it."""
    return step.word is ReachWord.READS and step.path == one.path and one.start_line <= step.line <= one.end_line


class Fixtures:
    """The functions of a snapshot that tests get by name."""

    def __init__(
        self, graph: SnapshotGraph, resolver: Resolver, network: Network, tests: TestFiles, decorators: Decorators
    ) -> None:
        self.graph, self.resolver, self.network, self.tests = graph, resolver, network, tests
        self._decorators = cache(decorators)
        self._parameters = cache(self._read_parameters)
        self._strings = cache(self._read_strings)

    def takers(self, one: Definition) -> Iterator[ReachStep]:
        """Yield the takers of a definition, if it is a fixture."""
        if one.kind not in FUNCTION_LIKE or not is_test_code(one.path, one.language, one.qualified_name):
            return
        rules = load_registry().tests_of(one.language)
        decorators = " ".join(self._decorators(one.path).get(one.identity, ()))
        if not rules.fixtures or not re.search(rules.fixtures, decorators):
            return
        names = {one.name, *_QUOTED.findall(decorators)}
        is_automatic = bool(rules.automatic and re.search(rules.automatic, decorators))
        found = [step for path in self._files_with(one) for step in self._takers_in(path, one, names, is_automatic)]
        if not found:  # It may be known elsewhere by a plugin.
            found = [step for path in self.tests.below("") for step in self._takers_in(path, one, names, is_automatic)]
        yield from found

    def _files_with(self, one: Definition) -> list[str]:
        edges = self.network.users_of([one.identity])
        known = {one.path, *(edge.path for edge in edges if edge.edge is EdgeKind.IMPORTS)}
        below = {path for home in known if is_shared(home) for path in self.tests.below(home.rpartition("/")[0])}
        return sorted(known | below)

    def _takers_in(self, path: str, one: Definition, names: set[str], is_automatic: bool) -> Iterator[ReachStep]:
        for name in sorted(names):
            for taker in self._parameters(path).get(name, ()):
                yield ReachStep(taker.identity, one.identity, ReachWord.TAKES, None, path, taker.start_line)
            for line in self._strings(path).get(name, ()):
                around = definition_around(self.graph.inside(path), line)
                node = around.identity if around is not None else path
                yield ReachStep(node, one.identity, ReachWord.NAMES, None, path, line)
        for test in self.tests.inside(path) if is_automatic else ():
            yield ReachStep(test.identity, one.identity, ReachWord.TAKES, None, path, test.start_line)

    def _read_parameters(self, path: str) -> Mapping[str, list[Definition]]:
        """Return functions of test files by the names of their parameters."""
        found: defaultdict[str, list[Definition]] = defaultdict(list)
        language = self.tests.languages.get(path, "")
        if is_test_code(path, language):
            names = self.resolver.imports.names(path, self.resolver.imports.rules(language))
            for ordinal, parameters in names.parameters.items():
                for parameter in parameters if ordinal >= 0 else ():
                    found[parameter.name].append(names.definitions[ordinal])
        return found

    def _read_strings(self, path: str) -> Mapping[str, list[int]]:
        """Return the lines of test files with a string that is a name, by name."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        language = self.tests.languages.get(path, "")
        if is_test_code(path, language):
            for number, line in enumerate(self.graph.text(path).split("\n"), 1):
                for name in _QUOTED.findall(line):
                    found[name].append(number)
        return found
