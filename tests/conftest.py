"""Settings, markers and tiers of all tests: uncut output, no deadlines for examples, nothing in the user's cache.

A test that takes the fixture `chosen_store` runs on SQLite and on PostgreSQL. With `--fast`, tests that start processes
of their own are skipped when they do (`own_processes.py`).

Processes of pytest-xdist are given the COLUMNS of the terminal; a busy machine is no failure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
from both_stores import STORE_PARAMETERS, chosen
from hypothesis import settings

import own_processes
from birthmark.extraction import pool
from birthmark.extraction.pool import Pool
from birthmark.sources.trust import ANY, TRUST
from examples import N_EXAMPLES
from ignored_signals import handle_ignored_signals
from inline_pool import InlinePool

settings.register_profile("untimed", deadline=None, max_examples=N_EXAMPLES)
settings.load_profile("untimed")
os.environ.pop("COLUMNS", None)
os.environ["XDG_CACHE_HOME"] = os.devnull

MARKERS = {  # of all tests in a folder or file
    "browser": "browser",
    "browser/test_site_pages.py": "site",
    "app/fleet/test_ray.py": "ray",
    "chaos": "slow",  # processes that are killed
    "hostile": "slow",  # commands and servers whose system calls are watched
    "surfaces/agents/test_agent_server.py": "slow",  # a server process for each test
    "surfaces/test_lsp.py": "slow",  # likewise
    "test_site.py": "site",
}
FULL_TIER = ("browser", "postgres", "ray", "site", "slow")
_TESTS = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only tests that are fast: none that starts a process")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("fast"):
        config.pluginmanager.register(own_processes)
        config.option.markexpr = config.option.markexpr or f"not ({' or '.join(FULL_TIER)})"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files of which all tests are marked: importing them takes a while."""
    is_marked = config.getoption("fast") and collection_path in {_TESTS / place for place in MARKERS}
    return True if is_marked else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folders and imports, before `-m` selects some of them."""
    for item in items:
        for marker in _markers_of(item.path, item.module if isinstance(item, pytest.Function) else None):
            item.add_marker(marker)


@cache
def _markers_of(file: Path, module: ModuleType | None) -> list[str]:
    """Return the markers of all tests in a file; those that import functions of `postgres_server` need it."""
    places = [marker for place, marker in MARKERS.items() if file.is_relative_to(_TESTS / place)]
    names = vars(module).values() if module is not None else ()
    needs_server = any(getattr(value, "__module__", None) == "postgres_server" for value in names)
    return [*places, *(["postgres"] if needs_server else [])]


@pytest.fixture(scope="session", autouse=True)
def _inline_workers() -> Iterator[None]:
    """Extract in this process; modules that import Pool, and the fixture `worker_processes`, have the real one."""
    with patch.object(pool, "Pool", InlinePool):
        yield


@pytest.fixture(scope="session", autouse=True)
def _signals_reach_children() -> Iterator[None]:
    """Let processes that tests start have the signals that this one ignores, as under nohup."""
    with handle_ignored_signals():
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
