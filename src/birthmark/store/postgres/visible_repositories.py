"""Statements about the repositories of a database that who asks may see: each is given them as `visible`.

Policies of the database decide what is seen, and so do the names. So that nothing else is counted or named, no other
statement reads `birthmark.repositories`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from birthmark.store.postgres.connect import give, server_errors, take

_VISIBLE = """
    WITH visible AS (SELECT repository, name, has_escapes FROM birthmark.repositories
                     WHERE has_index AND (${0}::text[] IS NULL OR name = ANY(${0}::text[])))"""


class VisibleRepositories:
    """Reads a database by its URL; `visible` are the names of repositories that may be seen, None: all."""

    def __init__(self, url: str, visible: Collection[str] | None = None) -> None:
        self.url, self.visible = url, None if visible is None else list(visible)

    def _query(self, statement: str, *values: Any) -> list[Any]:
        connection = take(self.url)
        try:
            with server_errors(self.url):
                visible = _VISIBLE.format(len(values) + 1)
                return connection.execute(visible + statement, (*values, self.visible)).fetchall()
        finally:
            give(self.url, connection)
