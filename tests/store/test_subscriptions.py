"""What is SQLite's in a store of subscriptions: its file, and what is left when that is damaged."""

from __future__ import annotations

from contextlib import closing
from os import urandom
from pathlib import Path

import apsw
import pytest

from birthmark.app.indexing.checking import repair_index
from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.scans.subscriptions import SubscriptionRequest, subscribe
from birthmark.app.workspace.stores import location_of, subscription_store
from birthmark.app.workspace.workspace import find_workspace
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.log import subscription_file
from birthmark.store.sqlite.subscriptions import SqliteSubscriptions
from running import birthmark
from scanning import in_session
from worlds import World


def test_a_file_of_a_newer_birthmark_is_left_alone(tmp_path: Path) -> None:
    store = SqliteSubscriptions(StoreLocation(tmp_path))
    store.connection.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(BirthmarkError, match="newer birthmark"):
        SqliteSubscriptions(StoreLocation(tmp_path))


@pytest.mark.parametrize("damage", ["garbage", "page"])
def test_doctor_saves_what_can_be_read(tmp_path: Path, damage: str) -> None:
    world = World(tmp_path, {"a.py": "def load():\n    return read_everything()\n"})
    world.index()
    kept = in_session(world.root, subscribe, SubscriptionRequest("a.py::load"))
    with subscription_store(world.workspace) as store:
        for _ in range(50):
            store.set_scan(store.add_scan("2026-11-15T12:00:00Z", "a", "b", 0), urandom(4000))
    database = subscription_file(location_of(world.workspace))
    content = database.read_bytes()
    database.write_bytes(b"\xff" * 20_000 if damage == "garbage" else content[:-8192] + b"\xff" * 8192)
    if damage == "garbage":
        with pytest.raises(DamagedError, match="keeps what was acknowledged"):
            list_subscriptions(find_workspace(world.root))
    report = repair_index(world.workspace, 0)
    assert "the subscriptions were damaged" in report.repaired[0]
    there = [one.subscription.id for one in list_subscriptions(find_workspace(world.root))]
    assert there == [kept.id]
    assert repair_index(world.workspace, 0).repaired == []


@pytest.mark.parametrize("damage", ["DROP TABLE notes", "UPDATE notes SET document = '{'"])
def test_damaged_rows_are_said_to_be_damaged_and_restored(tmp_path: Path, damage: str) -> None:
    world = World(tmp_path / "root", {"a.py": "def alpha():\n    return 1\n"})
    world.index()
    assert birthmark("note", "alpha", "careful", cwd=world.root).returncode == 0
    with closing(apsw.Connection(str(world.root / ".birthmark" / "subscriptions.db"))) as database:
        database.execute(damage)
    result = birthmark("notes", cwd=world.root)
    assert result.returncode == 2
    assert "run `birthmark doctor`" in result.stderr
    assert birthmark("doctor", cwd=world.root).returncode == 0
    assert "careful" in birthmark("notes", cwd=world.root).stdout
