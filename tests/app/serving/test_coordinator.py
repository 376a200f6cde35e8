"""What processes of a server share: looks at the worktree, upkeep, and the news of updates."""

from __future__ import annotations

import time
from contextlib import closing
from multiprocessing import AuthenticationError
from pathlib import Path

import pytest

from birthmark.app.serving.call_server import CallAddress, CallServer
from birthmark.app.serving.coordinator import Coordinator, Duties, connect
from birthmark.app.workspace.index_events import IndexChange
from birthmark.app.workspace.session import asking
from birthmark.errors import BirthmarkError
from worlds import World

A = "def alpha():\n    return 1\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": A}, with_git=True)
    world.index()
    return world


def fail(message: str) -> None:
    raise BirthmarkError(message)


def test_a_call_gives_what_the_function_gives_or_raises() -> None:
    with closing(CallServer({"join": "-".join, "fail": fail, "crash": lambda: 1 // 0})) as server:
        assert server.address.call("join", ["a", "b"]) == "a-b"
        with pytest.raises(BirthmarkError, match="no such thing"):
            server.address.call("fail", "no such thing")
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            server.address.call("crash")
    with pytest.raises(BirthmarkError, match="being stopped"):
        server.address.call("join", ["a"])
    assert not Path(server.address.path).parent.exists()


def test_a_call_without_the_key_is_refused_and_others_go_on() -> None:
    with closing(CallServer({"join": "-".join})) as server:
        with pytest.raises((AuthenticationError, BirthmarkError)):
            CallAddress(server.address.path, b"guessed").call("join", ["a"])
        assert server.address.call("join", ["a", "b"]) == "a-b"


def duties_of(coordinator: Coordinator) -> list[Duties]:
    return [coordinator.duties(), coordinator.duties_elsewhere()]


def test_all_processes_use_one_look_until_the_worktree_is_forgotten(world: World) -> None:
    with closing(Coordinator(world.root, max_age=1000.0)) as coordinator:
        here, elsewhere = duties_of(coordinator)
        number, checked = here.check(False, 0)
        assert checked is not None
        assert elsewhere.check(False, 0)[0] == number
        assert elsewhere.check(False, number) == (number, None)
        elsewhere.forget()
        assert here.check(False, number)[0] != number


def test_an_update_from_outside_reaches_every_process(world: World) -> None:
    with closing(Coordinator(world.root, max_age=1000.0)) as coordinator:
        processes = [connect(duties) for duties in duties_of(coordinator)]
        heard: list[list[IndexChange | None]] = [[], []]
        for repositories, changes in zip(processes, heard, strict=True):
            repositories.look_at_index()
            repositories.events.listen(changes.append)
        world.write("a.py", A + "\n\ndef beta():\n    return 2\n")
        world.index()
        coordinator.report_update()
        deadline = time.monotonic() + 60
        while not all(heard) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert [[change.changes for change in changes if change] for changes in heard] == [[{"born": 1}]] * 2
        for repositories in processes:
            with repositories.shared(), asking(world.root, refreshes=False) as session:
                assert [row.name for row in session.store.entities_named(session.view.number, ["beta"])] == ["beta"]
            repositories.close()
