"""One module opens stores, so that what is behind the port is chosen in one place."""

from __future__ import annotations

import re
from pathlib import Path

import birthmark

SOURCES = Path(birthmark.__file__).parent


def test_stores_are_constructed_where_they_are_opened_and_repaired() -> None:
    constructing = re.compile(r"\b(Sqlite|Postgres)(Store|Subscriptions)\(")
    found = {path for path in SOURCES.rglob("*.py") if any(map(constructing.search, _code(path)))}
    places = ("app/workspace/stores.py", "app/indexing/checking.py", "server/postgres/__init__.py")
    assert found == {SOURCES / place for place in places}


def _code(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if not line.startswith("class ")]
