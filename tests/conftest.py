"""Settings and markers of all tests: uncut output, no deadlines for examples, nothing in the user's cache.

A test that takes the fixture `chosen_store` runs on SQLite and on PostgreSQL.

Processes of pytest-xdist are given the COLUMNS of the terminal; a busy machine is no failure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from both_stores import STORE_PARAMETERS, chosen
from hypothesis import settings

from birthmark.extraction import pool
from birthmark.extraction.pool import Pool
from birthmark.sources.trust import ANY, TRUST
from examples import N_EXAMPLES
from inline_pool import InlinePool

settings.register_profile("untimed", deadline=None, max_examples=N_EXAMPLES)
settings.load_profile("untimed")
os.environ.pop("COLUMNS", None)
os.environ["XDG_CACHE_HOME"] = os.devnull

MARKERS = {  # of all tests in a folder or file
    "browser": "browser",
    "browser/test_site_pages.py": "site",
    "app/fleet/test_ray.py": "ray",
    "surfaces/agents/test_agent_server.py": "slow",  # a server process for each test
    "surfaces/test_lsp.py": "slow",  # likewise
    "test_site.py": "site",
}
_TESTS = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folders and imports, before `-m` selects some of them."""
    for item in items:
        for place, marker in MARKERS.items():
            if item.path.is_relative_to(_TESTS / place):
                item.add_marker(marker)
        if _starts_postgres(item):
            item.add_marker("postgres")


def _starts_postgres(item: pytest.Item) -> bool:
    """True if the module of a test imports functions of `postgres_server`."""
    names = vars(item.module) if isinstance(item, pytest.Function) else {}
    return any(getattr(value, "__module__", None) == "postgres_server" for value in names.values())


@pytest.fixture(scope="session", autouse=True)
def _inline_workers() -> Iterator[None]:
    """Extract in this process; modules that import Pool, and the fixture `worker_processes`, have the real one."""
    with patch.object(pool, "Pool", InlinePool):
        yield


@pytest.fixture
def worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extract in worker processes, as commands do."""
    monkeypatch.setattr(pool, "Pool", Pool)


@pytest.fixture(params=STORE_PARAMETERS)
def chosen_store(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the store that is chosen for all that a test asks."""
    with chosen(request.param):
        yield request.param


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What settings of repositories ask for is granted, as the user can say for one file."""
    monkeypatch.setenv(TRUST, ANY)
