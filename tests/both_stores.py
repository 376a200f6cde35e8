"""The store in SQLite and the one in PostgreSQL, each chosen as users choose it: what runs on one runs on the other."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from birthmark.app.workspace.workspace import REPOSITORY, STORE
from birthmark.ledger import file_scan

STORES = ("sqlite", "postgres")
STORE_PARAMETERS = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@contextmanager
def chosen(store: str) -> Iterator[None]:
    """All that is asked meanwhile, also by other processes, is asked of this store.

    In PostgreSQL that is a database which all tests of a process share; a repository is called there by its folder.
    """
    before = {name: os.environ.pop(name, None) for name in (STORE, REPOSITORY)}
    if store == "postgres":
        from postgres_server import shared_database  # starts a server

        os.environ[STORE] = shared_database()
    try:
        yield
    finally:
        os.environ.pop(STORE, None)
        os.environ |= {name: value for name, value in before.items() if value is not None}


def check_rows_are_the_same(run: Callable[[], Mapping[str, object]]) -> None:
    """Runs it on both stores. All files count as just written, so that the clock does not decide which are read."""
    found: list[Mapping[str, object]] = []
    for store in STORES:
        with chosen(store), patch.object(file_scan, "_RACY_NS", time.time_ns()):
            found.append(run())
    assert found[0].keys() == found[1].keys()
    for table, rows in found[0].items():
        assert found[1][table] == rows, table
