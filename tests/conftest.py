"""What holds for all tests: output is not cut, no example has to be quick, and nothing is kept in the user's cache.

What takes the fixture `chosen_store` runs on SQLite and on PostgreSQL.

Processes of pytest-xdist are given the COLUMNS of the terminal; a busy machine is no failure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from both_stores import STORES, chosen
from hypothesis import settings

from birthmark.sources.trust import ANY, TRUST

# So many examples of a property that all tests together take less than ten minutes.
settings.register_profile("untimed", deadline=None, max_examples=int(os.environ.get("BIRTHMARK_EXAMPLES") or 40))
settings.load_profile("untimed")
os.environ.pop("COLUMNS", None)
os.environ["XDG_CACHE_HOME"] = os.devnull


@pytest.fixture(params=STORES)
def chosen_store(request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of the store that is chosen for all that a test asks."""
    with chosen(request.param):
        yield request.param


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What settings of repositories ask for is granted, as the user can say for one file."""
    monkeypatch.setenv(TRUST, ANY)
