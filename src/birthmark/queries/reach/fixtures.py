"""What gets a fixture: functions with a parameter of its name, and code that has its name in a string.

Takes the definitions of a snapshot with their decorators; gives steps from a fixture to what takes it. A fixture is
known in its own file and where it is imported; in a file that is shared, also in all files below. What is a fixture,
and which files are shared, is said in `language.toml`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from birthmark.graph.network import Network
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.graph.users import definition_around
from birthmark.languages.registry import load_registry
from birthmark.model import FUNCTION_LIKE
from birthmark.queries.reach.reach import ReachStep
from birthmark.queries.reach.test_code import is_test_code
from birthmark.queries.reach.test_files import TestFiles, is_shared
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.vocabulary import EdgeKind, ReachWord

_QUOTED = re.compile(r"""["'](\w+)["']""")
Decorators = Callable[[str], Mapping[int, tuple[str, ...]]]  # of a path; by identity


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
        """What takes a definition, if that is a fixture."""
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
        """Functions for tests by the names of their parameters."""
        found: defaultdict[str, list[Definition]] = defaultdict(list)
        language = self.tests.languages.get(path, "")
        if is_test_code(path, language):
            names = self.resolver.imports.names(path, self.resolver.imports.rules(language))
            for ordinal, parameters in names.parameters.items():
                for parameter in parameters if ordinal >= 0 else ():
                    found[parameter.name].append(names.definitions[ordinal])
        return found

    def _read_strings(self, path: str) -> Mapping[str, list[int]]:
        """Lines of files of tests that have a string which is a name."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        language = self.tests.languages.get(path, "")
        if is_test_code(path, language):
            for number, line in enumerate(self.graph.text(path).split("\n"), 1):
                for name in _QUOTED.findall(line):
                    found[name].append(number)
        return found
