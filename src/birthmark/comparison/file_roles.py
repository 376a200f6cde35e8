"""Tell the role of a file from its path: source, documentation, test or generated.

Takes a path from the root; gives a FileRole. Conventions are a table of patterns of which the first match decides;
conventions of one language for tests are in its `language.toml`. Files that `.gitattributes` calls generated or
vendored are not read in the first place.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from birthmark.languages.registry import load_registry
from birthmark.vocabulary import FileRole

_FOLDER = r"(?:^|.*/)(?:{})/.*"
_FILE = r"(?:^|.*/)(?:{})"
_NESTED = r"(?:(?:.*/)?src/|(?:packages|crates|libs|apps|modules|plugins)/[^/]+/(?:src/)?)?(?:{})/.*"

ROLES: tuple[tuple[FileRole, str], ...] = (
    (
        FileRole.GENERATED,
        _FOLDER.format(r"generated|__generated__|gen-src|vendor|vendored|third_party|node_modules|dist"),
    ),
    (
        FileRole.GENERATED,
        _FILE.format(
            r"[^/]*(?:[._-](?:min|bundle|generated|g)|_pb2|_pb2_grpc|\.pb|\.pb\.gw|\.designer)\.\w+|zz_generated[^/]*"
        ),
    ),
    (FileRole.TEST, _FOLDER.format(r"tests|__tests__|spec|specs|testdata|test-data|e2e|cypress|__mocks__")),
    # A folder called `test` inside of a package may be the package's own support for tests, as `django/test`.
    (FileRole.TEST, _NESTED.format(r"test|testing|it")),
    (
        FileRole.TEST,
        _FILE.format(r"(?:test_[^/]*|[^/]*_tests?|tests)\.\w+|[^/]*[._-](?:test|tests|spec)\.\w+"),
    ),
    (FileRole.DOCUMENTATION, _FOLDER.format(r"docs?|documentation|examples?|samples?|demos?")),
    (FileRole.DOCUMENTATION, _FILE.format(r"[^/]*\.(?:md|mdx|rst|adoc|txt|ipynb)|README|CHANGELOG|LICENSE")),
)

# What a reader wants first.
READING_ORDER = (FileRole.SOURCE, FileRole.DOCUMENTATION, FileRole.TEST, FileRole.GENERATED)


@lru_cache(1 << 14)
def role_of(path: str) -> FileRole:
    return next((role for role, pattern in _patterns() if pattern.fullmatch(path)), FileRole.SOURCE)


@cache
def _patterns() -> list[tuple[FileRole, re.Pattern[str]]]:
    """Return the table with the tests of each language before documentation."""
    tests = [name for spec in load_registry().languages.values() for name in spec.tests.paths]
    table = [*ROLES, *([(FileRole.TEST, _FILE.format("|".join(tests)))] if tests else [])]
    table.sort(key=lambda row: row[0] is FileRole.DOCUMENTATION)
    return [(role, re.compile(pattern, re.S)) for role, pattern in table]
