"""The store of subscriptions, scans and letters: one transaction each, and what is left when the file is damaged."""

from __future__ import annotations

from os import urandom
from pathlib import Path

import pytest

from birthmark.app.checking import repair_index
from birthmark.app.subscription_repository import database_of, keeping, list_subscriptions
from birthmark.app.subscriptions import SubscriptionRequest, subscribe
from birthmark.errors import BirthmarkError, DamagedError
from birthmark.store.subscriptions import Message, SubscriptionStore
from birthmark.vocabulary import DeliveryState
from worlds import World


@pytest.fixture
def store(tmp_path: Path) -> SubscriptionStore:
    return SubscriptionStore(tmp_path / "subscriptions.db")


def test_a_scan_and_its_letters_are_kept_together_or_not_at_all(store: SubscriptionStore) -> None:
    def write() -> None:
        with store.writing():
            number = store.add_scan("2026-11-15T12:00:00Z", "a", "b", 1)
            store.post([Message("msg_1", number, "chat", b"{}")])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert (store.scans(10), store.messages()) == ([], [])


def test_the_newest_scan_comes_first(store: SubscriptionStore) -> None:
    with store.writing():
        numbers = [store.add_scan(f"2026-11-15T12:00:0{second}Z", "a", "b", 0) for second in range(3)]
    assert [row.scan for row in store.scans(2)] == numbers[:0:-1]
    last = store.scan()
    assert last is not None
    assert last.scan == numbers[-1]
    assert store.scan(99) is None


def test_what_scans_found_long_ago_is_forgotten(store: SubscriptionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """That they were is not, nor what is still to be delivered of them."""
    monkeypatch.setattr("birthmark.store.subscriptions._KEPT_SCANS", 2)
    states = (DeliveryState.DELIVERED, DeliveryState.PENDING, DeliveryState.DEAD)
    for second in range(4):
        number = store.add_scan(f"2026-11-15T12:00:0{second}Z", "a", "b", 0)
        store.post(Message(f"msg_{number}_{state}", number, "chat", b"{}", state) for state in states)
        store.set_scan(number, b"{}")
    assert [row.scan for row in store.scans(9)] == [4, 3, 2, 1]
    found = [store.scan(number) for number in (1, 2, 3, 4)]
    assert [row.document for row in found if row is not None] == [b"", b"", b"{}", b"{}"]
    assert {message.scan for message in store.messages(DeliveryState.DELIVERED)} == {3, 4}
    assert {message.scan for message in store.messages(DeliveryState.PENDING)} == {1, 2, 3, 4}


def test_contents_that_nobody_uses_are_forgotten(store: SubscriptionStore) -> None:
    store.keep_contents({"aa": b"one", "bb": b"two"})
    store.drop_contents({"bb", "cc"})
    assert (store.content("aa"), store.content("bb")) == (None, b"two")


def test_a_file_of_a_newer_birthmark_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "subscriptions.db"
    store = SubscriptionStore(path)
    store.connection.execute("PRAGMA user_version = 99")
    store.close()
    with pytest.raises(BirthmarkError, match="newer birthmark"):
        SubscriptionStore(path)


@pytest.mark.parametrize("damage", ["garbage", "page"])
def test_doctor_saves_what_can_be_read(tmp_path: Path, damage: str) -> None:
    world = World(tmp_path, {"a.py": "def load():\n    return read_everything()\n"})
    world.index()
    kept = subscribe(world.root, SubscriptionRequest("a.py::load"))
    with keeping(world.workspace) as store:
        for _ in range(50):
            store.set_scan(store.add_scan("2026-11-15T12:00:00Z", "a", "b", 0), urandom(4000))
    database = database_of(world.workspace)
    content = database.read_bytes()
    database.write_bytes(b"\xff" * 20_000 if damage == "garbage" else content[:-8192] + b"\xff" * 8192)
    if damage == "garbage":
        with pytest.raises(DamagedError, match="saves all that can be read"):
            list_subscriptions(world.root)
    report = repair_index(world.workspace, 0)
    assert "the subscriptions were damaged" in report.repaired[0]
    there = [one.subscription.id for one in list_subscriptions(world.root)]
    assert there == ([] if damage == "garbage" else [kept.subscription.id])
    assert repair_index(world.workspace, 0).repaired == []
