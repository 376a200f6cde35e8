"""What is a test, by the path of its file and its name: the one place that decides it.

The conventions of files are in `comparison/file_roles.py`, those of names in each `language.toml` under `[tests]`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from birthmark.comparison.file_roles import role_of
from birthmark.graph.symbols import scopes_around
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import FileRole


def is_test(path: str, language: str, qualified_name: str = "") -> bool:
    """Whether a definition is a test or inside of one; without a name, whether the top level of the file is."""
    return enclosing_test(path, language, qualified_name) is not None


@lru_cache(1 << 16)
def enclosing_test(path: str, language: str, qualified_name: str = "") -> str | None:
    """The qualified name of the test that something is, or is inside of; "" where that is the file's top level."""
    if not is_test_code(path, language, qualified_name):
        return None
    rules = load_registry().tests_of(language)
    scopes = [*scopes_around(qualified_name)][::-1] or [""]
    return next((scope for scope in scopes if _fits(scope, rules.names)), None)


def is_test_code(path: str, language: str, qualified_name: str = "") -> bool:
    """Whether something is there for tests alone: a test, or a helper of tests."""
    if role_of(path) is FileRole.TEST:
        return True
    inline = load_registry().tests_of(language).inline
    return any(_fits(scope, inline) for scope in scopes_around(qualified_name))


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(_compiled(pattern).fullmatch(name) for pattern in patterns)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.S)
