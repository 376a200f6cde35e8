"""The rules by which a change reaches tests: uses, containers, dispatch, imports, and what tests get by name.

They rather go too far than not far enough: who has an object may call any of its methods, so a member reaches all that
uses its type; and what nothing is known to use reaches all that imports its file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache

from birthmark.graph.mention_edges import mention_edges
from birthmark.graph.module_paths import package_folder
from birthmark.graph.network import Network, NetworkEdge, Node
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.model import CLASS_LIKE
from birthmark.queries.fixtures import Decorators, Fixtures
from birthmark.queries.graph_questions.time_limit import TimeLimit
from birthmark.queries.reach import ReachStep, Rule
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of
from birthmark.queries.test_code import is_test_code
from birthmark.queries.test_files import TestFiles, is_runner_setting, is_shared, is_test_definition
from birthmark.vocabulary import EdgeKind, ReachWord

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


class ReachRules:
    """The rules over one snapshot, the surest first."""

    def __init__(
        self, graph: SnapshotGraph, resolver: Resolver, network: Network, decorators: Decorators, limit: TimeLimit
    ) -> None:
        """When the time is over, uses that are no calls are no longer looked for."""
        self.graph, self.resolver, self.network, self.limit = graph, resolver, network, limit
        self.tests = TestFiles(graph)
        self.fixtures = Fixtures(graph, resolver, network, self.tests, decorators)
        self.is_complete = True
        self._definitions: dict[int, Definition] = {}
        self._scopes = cache(self._read_scopes)

    @property
    def rules(self) -> tuple[Rule, ...]:
        rules = self.uses, self.containers, self.overridden, self.namesakes, self.importers, self.tests_inside
        return tuple(map(self._fetching, rules))

    @property
    def sure_rules(self) -> tuple[Rule, ...]:
        """Edges of the network alone: fewer tests, found faster."""
        return (self._fetching(lambda frontier: use_steps(self.network.users_of(frontier))),)

    def _fetching(self, rule: Rule) -> Rule:
        """The definitions that a rule leads to are fetched all at once."""

        def find_steps(frontier: Collection[Node]) -> list[ReachStep]:
            steps = [*rule(frontier)]
            self.definitions(step.node for step in steps)
            return steps

        return find_steps

    def is_test(self, node: Node) -> bool:
        """Nothing uses a test."""
        if isinstance(node, str):
            return self.tests.is_test(node)
        return any(is_test_definition(one) for one in self.definitions([node]))

    def definitions(self, nodes: Iterable[Node]) -> list[Definition]:
        """Those of the nodes that are no files."""
        wanted = [node for node in nodes if isinstance(node, int)]
        missing = {node for node in wanted if node not in self._definitions}
        if missing:
            rows = self.graph.store.entities_of(self.graph.snapshot, missing)
            self._definitions |= {row.identity: definition_of(row) for row in rows}
        return [self._definitions[node] for node in wanted if node in self._definitions]

    # The rules

    def uses(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        """What uses it; where nothing is known to, the top level of its file does."""
        steps = [*self._uses(frontier)]
        namesakes = {other for one in self.definitions(frontier) for other in self._with_namesakes(one)}
        known = {step.nearer for step in (*steps, *use_steps(self.network.users_of(namesakes - {*frontier})))}
        yield from steps
        for one in self.definitions(frontier):
            is_known = not known.isdisjoint(self._with_namesakes(one)) or bool(self._tests_of_class(one))
            if not is_known and self._container(one) is None:
                yield ReachStep(one.path, one.identity, ReachWord.UNKNOWN_USERS, None, one.path, one.start_line)

    def _uses(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        definitions = self.definitions(frontier)
        by_node: dict[Node, Definition] = {one.identity: one for one in definitions}
        for step in use_steps(self.network.users_of(frontier)):
            one = by_node.get(step.nearer)
            alike = self._scopes(one.path)[one.qualified_name] if one is not None else ()
            if not any(_is_decorator(step, other) for other in alike):
                yield step
        # What is inside of something is used by way of that.
        outer = [one for one in definitions if self._container(one) is None]
        yield from use_steps(mention_edges(self.graph, self.resolver, outer, lambda: self.limit.is_over))
        self.is_complete = self.is_complete and not self.limit.is_over
        for one in definitions:
            yield from self.fixtures.takers(one)

    def containers(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        for one in self.definitions(frontier):
            owner = self._container(one)
            if owner is not None:
                site = one.path, one.start_line
                yield ReachStep(owner.identity, one.identity, ReachWord.CONTAINS, None, *site)

    def overridden(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        """Who calls the method above may call this one."""
        methods = [one.identity for one in self.definitions(frontier)]
        for edge in self.network.used_by(methods):
            if edge.edge is EdgeKind.OVERRIDES:
                yield ReachStep(edge.used, edge.user, ReachWord.OVERRIDDEN, edge.resolution, edge.path, edge.line)

    def namesakes(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        """Overloads and stubs: an edge to one of them may mean another."""
        for one in self.definitions(frontier):
            for other in self._with_namesakes(one) - {one.identity}:
                yield ReachStep(other, one.identity, ReachWord.NAMESAKE, None, one.path, one.start_line)

    def importers(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        """The top level of a file runs when something of it is imported or used."""
        files = {node for node in frontier if isinstance(node, str)}
        owners: dict[Node, str] = {one.identity: path for path in files for one in self.graph.inside(path)}
        owners |= {path.rpartition("/")[0]: path for path in files}  # A folder that is imported means all its files.
        owners |= {path: path for path in files}
        for edge in self.network.users_of(owners) if owners else ():
            path = owners[edge.used]
            if edge.path != path:
                yield ReachStep(edge.user, path, ReachWord.IMPORTS, edge.resolution, edge.path, edge.line)
        for path in files:
            folder = package_folder(path)
            for inside in self.tests.below(folder) if folder else ():
                yield ReachStep(inside, path, ReachWord.IMPORTS, None, inside, 1)

    def tests_inside(self, frontier: Collection[Node]) -> Iterator[ReachStep]:
        """Those of a file or a class of tests, and those below a file that is shared by them."""
        for path in (node for node in frontier if isinstance(node, str)):
            is_for_all = is_shared(path) or is_runner_setting(path)
            word = ReachWord.BELOW if is_for_all else ReachWord.INSIDE
            for inside in self.tests.below(path.rpartition("/")[0]) if is_for_all else [path]:
                for test in self.tests.inside(inside):
                    yield ReachStep(test.identity, path, word, None, test.path, test.start_line)
        for one in self.definitions(frontier):
            for test in self._tests_of_class(one):
                site = test.path, test.start_line
                yield ReachStep(test.identity, one.identity, ReachWord.INSIDE, None, *site)

    # What they need

    def _tests_of_class(self, one: Definition) -> list[Definition]:
        if one.kind not in CLASS_LIKE or not is_test_code(one.path, one.language, one.qualified_name):
            return []
        start = f"{one.qualified_name}."
        return [test for test in self.tests.inside(one.path) if test.qualified_name.startswith(start)]

    def _container(self, one: Definition) -> Definition | None:
        if one.parent is None:
            return None
        return next((other for other in self._scopes(one.path).get(one.parent, ()) if _is_around(other, one)), None)

    def _with_namesakes(self, one: Definition) -> set[int]:
        return {other.identity for other in self._scopes(one.path)[one.qualified_name]}

    def _read_scopes(self, path: str) -> dict[str, list[Definition]]:
        found: defaultdict[str, list[Definition]] = defaultdict(list)
        for one in self.graph.inside(path):
            found[one.qualified_name].append(one)
        return found


def _is_around(outer: Definition, inner: Definition) -> bool:
    return outer.start_line <= inner.start_line and inner.end_line <= outer.end_line


def _is_decorator(step: ReachStep, one: Definition) -> bool:
    """Whether it is its own decorator that takes it, by which it is not run; what has no other use has unknown ones."""
    return step.word is ReachWord.READS and step.path == one.path and one.start_line <= step.line <= one.end_line


def use_steps(edges: Iterable[NetworkEdge]) -> Iterator[ReachStep]:
    for edge in edges:
        word = _WORDS.get(edge.edge)
        if word is not None:
            yield ReachStep(edge.user, edge.used, word, edge.resolution, edge.path, edge.line)
