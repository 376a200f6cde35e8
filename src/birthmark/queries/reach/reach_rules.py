"""The rules by which a change reaches tests: uses, containers, dispatch, imports, and what tests get by name.

They rather go too far than not far enough: who has an object may call any of its methods, so a member reaches all that
uses its type; and what nothing is known to use reaches all that imports its file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from birthmark.graph.modules.module_paths import package_folder
from birthmark.graph.network import Node
from birthmark.graph.symbols import Definition
from birthmark.model import CLASS_LIKE
from birthmark.queries.reach.fixtures import Fixtures
from birthmark.queries.reach.reach import ReachStep, Rule
from birthmark.queries.reach.reach_index import ReachIndex, use_steps
from birthmark.queries.reach.test_code import is_test_code
from birthmark.queries.reach.test_files import TestFiles, is_runner_setting, is_shared, is_test_definition
from birthmark.vocabulary import ReachWord

_Finder = Callable[[Node], Iterable[ReachStep]]


class ReachRules:
    """The rules over one snapshot, the surest first. What a rule finds for a node is found once."""

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
        """Without what is merely imported, or below something that all tests share."""
        return self._all_of(self._known_uses, self._containers, self._overridden, self._namesakes, self._tests_inside)

    @property
    def sure_rules(self) -> tuple[Rule, ...]:
        """Edges of the network alone: fewer tests, found faster."""
        return (lambda frontier: use_steps(self.index.network.users_of(frontier)),)

    def is_test(self, node: Node) -> bool:
        """Nothing uses a test."""
        if node not in self._is_test:
            if isinstance(node, str):
                self._is_test[node] = self.tests.is_test(node)
            else:
                self._is_test[node] = any(map(is_test_definition, self.definitions([node])))
        return self._is_test[node]

    def definitions(self, nodes: Collection[Node]) -> list[Definition]:
        """Those of the nodes that are no files."""
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
        """What uses it; where nothing is known to, the top level of its file does."""
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
        """Who calls the method above may call this one."""
        return self.index.overridden(node)

    def _namesakes(self, node: Node) -> Iterator[ReachStep]:
        """Overloads and stubs: an edge to one of them may mean another."""
        for other in self.index.namesakes(node):
            if other.identity != node:
                one = self.index.definitions[int(node)]
                yield ReachStep(other.identity, node, ReachWord.NAMESAKE, None, one.path, one.start_line)

    def _importers(self, path: Node) -> Iterator[ReachStep]:
        """The top level of a file runs when something of it is imported or used."""
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
        """Those of a file or a class of tests, and those below a file that is shared by them."""
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
    """Whether it is its own decorator that takes it, by which it is not run; what has no other use has unknown ones."""
    return step.word is ReachWord.READS and step.path == one.path and one.start_line <= step.line <= one.end_line
