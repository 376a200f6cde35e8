"""Statements of `store/tables/`, which are written for SQLite, as PostgreSQL understands them.

A table of one repository is its rows of the table that all repositories share; their number is a part of the statement,
so that other partitions are left out when it is planned.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count

from birthmark.store.tables.schema import TABLES
from birthmark.store.tables.subscriptions import SUBSCRIPTION_TABLES

SCHEMA = "birthmark"
SHARED = frozenset({"extractions"})  # by all repositories
OWN = frozenset({*TABLES, *SUBSCRIPTION_TABLES, "present", "searched_names", "searched_texts"}) - SHARED

_HINTS = ((r"CROSS JOIN", "JOIN"), (r" INDEXED BY \w+", ""), (r"\+snapshot\b", "snapshot"))  # for SQLite's planner
_ARRAY = re.compile(r"IN \(SELECT (?:value|unhex\(value\)) FROM json_each\((\?\d*)\)\)")
_CHANGED = re.compile(r"\b(DELETE FROM|UPDATE) (\w+)\b(.*?)\bWHERE\b", re.DOTALL)
_COPIED = re.compile(r"\bINSERT INTO (\w+) \((.*?)\)\s+SELECT\b", re.DOTALL)
_READ = re.compile(r"\b(FROM|JOIN) (\w+)\b(?![.(])(?: AS (\w+))?")
_PARAMETER = re.compile(r"\?(\d*)")


@lru_cache(4096)
def translate(statement: str, repository: int) -> str:
    """Values are numbered: `?`, `?` becomes `$1`, `$2`."""
    for hint, replacement in _HINTS:
        statement = re.sub(hint, replacement, statement)
    statement = _ARRAY.sub(r"= ANY(\1)", statement)
    statement = _CHANGED.sub(rf"\1 {SCHEMA}.\2\3WHERE repository = {repository} AND", statement)
    statement = _COPIED.sub(rf"INSERT INTO {SCHEMA}.\1 (repository, \2) SELECT {repository},", statement)
    statement = _READ.sub(lambda found: _table(found[1], found[2], found[3], repository), statement)
    numbers = count(1)
    return _PARAMETER.sub(lambda found: f"${found[1] or next(numbers)}", statement)


def _table(verb: str, name: str, alias: str | None, repository: int) -> str:
    if name in SHARED:
        return f"{verb} {SCHEMA}.{name} AS {alias or name}"
    if name in OWN:
        return f"{verb} (SELECT * FROM {SCHEMA}.{name} WHERE repository = {repository}) AS {alias or name}"
    return f"{verb} {name}" + (f" AS {alias}" if alias else "")
