"""How far a refresh is: in the catalog while it is under way, of all machines as one, and not behind its end."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event

import pytest
from postgres_server import fresh_database

from birthmark.app.workspace.workspace import REPOSITORY, STORE
from birthmark.server.fleet import catalog
from birthmark.server.fleet.catalog import (
    FleetProgress,
    FleetRepository,
    current_progress,
    find_repository,
    put,
    total_progress,
    watching,
)
from birthmark.server.fleet.refreshing import RefreshRequest, refresh_fleet, select
from fleets import Fleet

NOW = 1_000_000


def test_the_catalog_has_it_until_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_WRITE_SECONDS", 0.0)
    fleet = Fleet(tmp_path, fresh_database())
    monkeypatch.setenv(STORE, fleet.url)
    monkeypatch.delenv(REPOSITORY, raising=False)
    fleet.make("a")
    fleet.run("add", "a")
    told: list[tuple[tuple[str, int, int], FleetProgress | None]] = []
    request = RefreshRequest(mirrors=fleet.mirrors, with_history=True)
    due, _ = select(fleet.url, request, time.time())
    list(refresh_fleet(fleet.url, due, request, lambda *how: told.append((how, fleet.known("a").progress))))
    assert told
    assert all(found is not None and (found.stage, found.done, found.total) == how for how, found in told)
    assert fleet.known("a").progress is None


def test_status_shows_it(tmp_path: Path) -> None:
    fleet = Fleet(tmp_path, fresh_database())
    found = FleetProgress("extracting", 3, 1_200, int(time.time()))
    put(fleet.url, [FleetRepository(name="host/team/a", source="https://host/team/a", progress=found)])
    assert fleet.status()["a"]["progress"] == {"stage": "extracting", "done": 3, "total": 1_200}
    assert "extracting, 3 of 1,200" in fleet.run("status").stdout


def test_what_other_machines_do_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_READ_SECONDS", 0.01)
    url, seen, told = fresh_database(), Event(), list[tuple[str, int, int]]()
    put(url, [_at("a", 1, 2)])

    def show(stage: str, done: int, total: int) -> None:
        told.append((stage, done, total))
        seen.set()

    with watching(url, show):
        assert seen.wait(30.0)
    assert told[0] == ("a: extracting", 1, 2)
    assert find_repository(url, "a").progress is not None


@pytest.mark.parametrize(
    ("repositories", "expected"),
    [
        ([], None),
        ([("a", None)], None),
        ([("a", (1, 5, 0))], ("a: extracting", 1, 5)),
        ([("a", (1, 5, 61))], None),
        ([("a", (1, 5, 61)), ("b", (2, 6, 59))], ("b: extracting", 2, 6)),
        ([("a", (1, 5, 0)), ("b", None), ("c", (2, 6, 1))], ("a: extracting, and 1 more", 3, 11)),
    ],
)
def test_of_many_it_is_one(
    repositories: list[tuple[str, tuple[int, int, int] | None]], expected: tuple[str, int, int] | None
) -> None:
    """How much of how much, and how many seconds ago."""
    found = total_progress([_at(name, *(how or (0, 0, 1000))) for name, how in repositories], NOW + 1000)
    assert (found and (found.stage, found.done, found.total)) == expected


def test_what_is_old_is_of_a_machine_that_went_away() -> None:
    assert current_progress(_at("a", 1, 2, 0), NOW + 1059) is not None
    assert current_progress(_at("a", 1, 2, 0), NOW + 1060) is None


def _at(name: str, done: int, total: int, ago: int | None = None) -> FleetRepository:
    at = int(time.time()) if ago is None else NOW + 1000 - ago
    return FleetRepository(name=name, source="/x", progress=FleetProgress("extracting", done, total, at))
