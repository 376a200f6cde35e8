"""One module opens stores, so that what is behind the port is chosen in one place."""

from __future__ import annotations

import re
from pathlib import Path

import birthmark

SOURCES = Path(birthmark.__file__).parent


def test_stores_are_constructed_where_they_are_opened_and_repaired() -> None:
    constructing = re.compile(r"\b(Sqlite|Postgres)(Store|Subscriptions)\(")
    found = {path for path in SOURCES.rglob("*.py") if any(map(constructing.search, _code(path)))}
    assert found == {SOURCES / "app/workspace/stores.py", SOURCES / "app/indexing/checking.py"}


def _code(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if not line.startswith("class ")]
