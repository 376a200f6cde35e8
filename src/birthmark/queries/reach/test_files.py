"""The tests of a snapshot by file, and what the conventions of a runner say of files and names.

The conventions are in each `language.toml` under `[tests]`; what is a test is decided in `test_code.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache

from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import TestRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.queries.reach.test_code import enclosing_test, is_test_code
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of

_RUN = FUNCTION_LIKE | CLASS_LIKE


class TestFiles:
    """Which definitions and files of a snapshot are tests."""

    def __init__(self, graph: SnapshotGraph) -> None:
        self.graph = graph

    @cached_property
    def languages(self) -> dict[str, str]:
        """Of all files that are indexed, by path."""
        rows = self.graph.store.files(self.graph.snapshot)
        return {path: row.language for path, row in rows.items() if row.version is not None and row.language}

    def inside(self, path: str) -> Sequence[Definition]:
        return self._by_path.get(path, ())

    @cached_property
    def _by_path(self) -> dict[str, list[Definition]]:
        found: dict[str, list[Definition]] = {}
        for row in self.graph.store.all_entities(self.graph.snapshot):
            is_code = is_test_code(row.path, row.language, row.qualified_name)
            if is_code and is_test_definition(one := definition_of(row)):
                found.setdefault(row.path, []).append(one)
        return found

    def is_test(self, path: str) -> bool:
        """Whether the top level of a file is a test itself."""
        return path in self.languages and enclosing_test(path, self.languages[path]) == ""

    def below(self, folder: str) -> Sequence[str]:
        """The files in a folder and in those within it."""
        start = f"{folder}/" if folder else ""
        first = bisect_left(self._paths, start)
        return self._paths[first : bisect_left(self._paths, f"{start}\U0010ffff", first)]

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self.languages)

    @cached_property
    def n_tests(self) -> int:
        """A file whose top level is a test counts as one."""
        return sum(max(len(self.inside(path)), self.is_test(path)) for path in self.languages)


def is_test_definition(one: Definition) -> bool:
    """Whether it is a test itself, and not inside of one."""
    name = one.qualified_name
    return one.kind in _RUN and enclosing_test(one.path, one.language, name) == name


def is_shared(path: str) -> bool:
    """Whether the code of a file counts for all tests in its folder."""
    return any(_fits(path, rules.shared) for rules in _all_rules())


def is_runner_setting(path: str) -> bool:
    """Whether a file says how tests are run, so that all of them may change with it."""
    return any(_fits(path, rules.settings) for rules in _all_rules())


def runner_id(path: str, language: str, qualified_name: str) -> str:
    """A test as its runner takes it, or a path where the top level of a file is the test."""
    if not qualified_name:
        return path
    return f"{path}::{qualified_name.replace('.', _separator(language))}"


@cache
def _separator(language: str) -> str:
    return load_registry().tests_of(language).separator


def _all_rules() -> list[TestRules]:
    registry = load_registry()
    return [registry.tests_of(language) for language in registry.languages]


@lru_cache(1 << 12)
def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    name = path.rpartition("/")[2]
    return any(re.fullmatch(pattern, name) for pattern in patterns)
