"""Tell tests from other code, and find the tests of a snapshot by file.

Conventions for files are in `comparison/file_roles.py`, those for names and runners in each `language.toml` under
`[tests]`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache

from birthmark.comparison.file_roles import role_of
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import TestRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.queries.snapshot_graph import SnapshotGraph, definition_of
from birthmark.vocabulary import FileRole

_RUN = FUNCTION_LIKE | CLASS_LIKE


class TestFiles:
    """The definitions and files of a snapshot that are tests."""

    def __init__(self, graph: SnapshotGraph) -> None:
        self.graph = graph

    @cached_property
    def languages(self) -> dict[str, str]:
        """Languages of all indexed files, by path."""
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
        """Return True if the top level of a file is a test itself."""
        return path in self.languages and enclosing_test(path, self.languages[path]) == ""

    def below(self, folder: str) -> Sequence[str]:
        """Return the files in a folder and in those within it."""
        start = f"{folder}/" if folder else ""
        first = bisect_left(self._paths, start)
        return self._paths[first : bisect_left(self._paths, f"{start}\U0010ffff", first)]

    @cached_property
    def _paths(self) -> list[str]:
        return sorted(self.languages)

    @cached_property
    def n_tests(self) -> int:
        """Number of tests; a file whose top level is a test counts as one."""
        return sum(max(len(self.inside(path)), self.is_test(path)) for path in self.languages)


def is_test_definition(one: Definition) -> bool:
    """Return True for a test itself, False for a definition inside of one."""
    name = one.qualified_name
    return one.kind in _RUN and enclosing_test(one.path, one.language, name) == name


def is_shared(path: str) -> bool:
    """Return True if the code of a file counts for all tests in its folder."""
    return any(_is_named_by(path, rules.shared) for rules in _all_rules())


def is_runner_setting(path: str) -> bool:
    """Return True if a file configures how tests are run, so that all of them may change with it."""
    return any(_is_named_by(path, rules.settings) for rules in _all_rules())


def runner_id(path: str, language: str, qualified_name: str) -> str:
    """Return a test in the form that its runner takes, or a path if the top level of a file is the test."""
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
def _is_named_by(path: str, patterns: tuple[str, ...]) -> bool:
    name = path.rpartition("/")[2]
    return any(re.fullmatch(pattern, name) for pattern in patterns)


def is_test(path: str, language: str, qualified_name: str = "") -> bool:
    """Return True for a test or a definition inside of one; without a name, for a file whose top level is a test."""
    return enclosing_test(path, language, qualified_name) is not None


@lru_cache(1 << 16)
def enclosing_test(path: str, language: str, qualified_name: str = "") -> str | None:
    """Return the qualified name of the test that a definition is, or is inside of; "" for a file's top level."""
    if not is_test_code(path, language, qualified_name):
        return None
    rules = load_registry().tests_of(language)
    scopes = [*scopes_around(qualified_name)][::-1] or [""]
    return next((scope for scope in scopes if _fits(scope, rules.names)), None)


def is_test_code(path: str, language: str, qualified_name: str = "") -> bool:
    """Return True for code that is there for tests only: a test, or a helper of tests."""
    if role_of(path) is FileRole.TEST:
        return True
    inline = load_registry().tests_of(language).inline
    return any(_fits(scope, inline) for scope in scopes_around(qualified_name))


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(_compiled(pattern).fullmatch(name) for pattern in patterns)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.S)
