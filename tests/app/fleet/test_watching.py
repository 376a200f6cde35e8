"""A fleet is watched: what is announced is refreshed at once, the rest once in a period."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from postgres_server import fresh_database

from birthmark.app.indexing.watch import Trouble
from birthmark.app.workspace.workspace import REPOSITORY, STORE
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import CatalogReader, FleetRepository, mark_changed
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import RefreshRequest, find_due, watch_fleet
from fleets import Fleet
from worlds import World

FILES = {"a.py": "def f():\n    return 1\n"}


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fleet:
    url = fresh_database()
    monkeypatch.setenv(STORE, url)
    monkeypatch.delenv(REPOSITORY, raising=False)
    return Fleet(tmp_path, url)


def edit(world: World, number: int) -> None:
    world.write("a.py", f"def f():\n    return {number}\n")
    world.git("commit", "-qam", "edit")


class Time:
    """Passes while someone sleeps; what happens meanwhile is listed."""

    def __init__(self, *meanwhile: Callable[[], object]) -> None:
        self.now, self.meanwhile = 0.0, list(meanwhile)

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.meanwhile.pop(0)()

    def pace(self, every: float = 60.0) -> dict[str, Any]:
        return {"every": every, "clock": lambda: self.now, "sleep": self.sleep}


def done_by(fleet: Fleet, pace: dict[str, Any], n: int) -> list[tuple[str, str]]:
    watched: Iterator[RefreshedRepository | Trouble] = watch_fleet(fleet.url, request_of(fleet), **pace)
    return [
        ("", one.problem) if isinstance(one, Trouble) else (one.name.rpartition("/")[2], str(one.result))
        for one in islice(watched, n)
    ]


def request_of(fleet: Fleet) -> RefreshRequest:
    return RefreshRequest(mirrors=fleet.mirrors, jobs=1)  # in their order


def test_what_is_announced_is_refreshed_at_once_and_the_rest_in_its_time(fleet: Fleet) -> None:
    a, b = fleet.make("a", [FILES]), fleet.make("b", [FILES])
    fleet.run("add", "a", "b")

    def push() -> None:
        edit(a, 2)
        edit(b, 2)
        mark_changed(fleet.url, "host/team/a")

    def add() -> None:
        fleet.make("c", [FILES])
        fleet.run("add", "c")

    time = Time(push, lambda: None, add, lambda: setattr(time, "now", 61.0))
    assert done_by(fleet, time.pace(), 7) == [
        ("a", "indexed"),
        ("b", "indexed"),
        ("a", "indexed"),
        ("c", "indexed"),
        ("a", "unchanged"),
        ("b", "indexed"),
        ("c", "unchanged"),
    ]
    assert fleet.known("a").changed_at == 0


def test_a_database_that_is_away_is_waited_for(fleet: Fleet, monkeypatch: pytest.MonkeyPatch) -> None:
    fleet.make("a", [FILES])
    fleet.run("add", "a")
    looks = iter([BirthmarkError("the server cannot be used")])

    read = CatalogReader.read

    def look(catalog: CatalogReader) -> list[FleetRepository]:
        for problem in looks:
            raise problem
        return read(catalog)

    monkeypatch.setattr(CatalogReader, "read", look)
    time = Time(lambda: None, lambda: None)
    assert done_by(fleet, time.pace(), 2) == [("", "the server cannot be used"), ("a", "indexed")]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.sampled_from([0, 50, 150]), st.booleans()), max_size=4))
def test_nothing_is_tried_too_early_and_nothing_is_forgotten(rows: list[tuple[bool, int, int, bool]]) -> None:
    known, seen = [], set()
    for number, (is_announced, failures, next_try, is_seen) in enumerate(rows):
        name = str(number)
        changed_at = 20.0 if is_announced else 0.0
        known.append(
            FleetRepository(name=name, source="/x", changed_at=changed_at, failures=failures, next_try=next_try)
        )
        seen |= {name} if is_seen else set()
    due = find_due(known, seen, 100.0)
    names = [one.name for one in due]
    for one in known:
        is_wanted = bool(one.changed_at) or one.failures > 0 or one.name not in seen
        assert (one.name in names) == (is_wanted and one.next_try <= 100)
    announced = [bool(one.changed_at) for one in due]
    assert announced == sorted(announced, reverse=True)


def test_the_command_ends_when_it_is_stopped(fleet: Fleet) -> None:
    a = fleet.make("a", [FILES])
    fleet.run("add", "a")
    options = ("--mirrors", str(fleet.mirrors), "--every", "3600")
    command = [sys.executable, "-m", "birthmark", "--store", fleet.url, "fleet", "watch", *options]
    with subprocess.Popen(
        command, cwd=fleet.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as watch:
        try:
            assert watch.stdout is not None
            assert "host/team/a: indexed at" in watch.stdout.readline()
            edit(a, 2)
            mark_changed(fleet.url, "host/team/a")
            assert f"indexed at {a.git('rev-parse', 'HEAD')[:7]}" in watch.stdout.readline()
            watch.send_signal(signal.SIGTERM)
            rest, said = watch.communicate(timeout=60)
        finally:
            watch.kill()
    assert (watch.returncode, rest) == (0, "")
    assert said.splitlines()[-1] == "birthmark: stopped"
    assert "Traceback" not in said
