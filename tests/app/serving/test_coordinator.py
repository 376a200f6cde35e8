"""What processes of a server share: looks at the worktree, upkeep, and the news of updates."""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack, closing
from multiprocessing import AuthenticationError
from pathlib import Path
from threading import Event, Timer

import pytest

from birthmark.app.serving.coordinator import CallAddress, CallServer, Coordinator, Duties, connect
from birthmark.app.workspace.stores import locked
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.index import IndexChangeDocument
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
        heard: list[list[IndexChangeDocument | None]] = [[], []]
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
            with repositories.open(refreshes=False) as session:
                assert [row.name for row in session.store.entities_named(session.view.number, ["beta"])] == ["beta"]
            repositories.close()


def edit_while_it_is_written(world: World, coordinator: Coordinator, seconds: float) -> tuple[str | None, list[str]]:
    """What a look finds that comes while another writer has the lock: the problem, and what is not indexed."""
    world.write("a.py", A.replace("1", "2"))
    coordinator.forget()
    with ExitStack() as held:
        held.enter_context(locked(find_workspace(world.root), 0.0))
        release = Timer(seconds, held.pop_all().close)
        release.start()
        _, checked = coordinator.duties().check(True, 0)
        release.join()
    assert checked is not None
    assert checked.freshness is not None
    return checked.problem, checked.freshness.pending


def test_another_writer_is_waited_for(world: World) -> None:
    with closing(Coordinator(world.root, max_age=1000.0, wait=60.0)) as coordinator:
        assert edit_while_it_is_written(world, coordinator, 0.5) == (None, [])


def test_what_is_found_beside_another_writer_is_found_anew_after_the_upkeep(world: World) -> None:
    kept_up = Event()
    with closing(Coordinator(world.root, 1000.0, kept_up.set)) as coordinator:
        coordinator.duties().check(True, 0)  # The process that looks is there.
        problem, pending = edit_while_it_is_written(world, coordinator, 2.0)
        assert problem is not None
        assert "is being written" in problem
        assert pending == ["a.py"]
        duties = coordinator.duties()
        duties.keep_up()
        assert kept_up.wait(60)
        _, checked = duties.check(True, 0)  # The next one is made beside this answer.
        deadline = time.monotonic() + 60
        while checked is not None and checked.problem is not None and time.monotonic() < deadline:
            time.sleep(0.05)
            _, checked = duties.check(True, 0)
        assert checked is not None
        assert (checked.problem, checked.freshness.pending if checked.freshness else None) == (None, [])


def test_a_long_folder_for_temporary_files_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address of a socket has some hundred bytes at most."""
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    with closing(CallServer({"join": "-".join})) as server:
        assert server.address.call("join", ["a", "b"]) == "a-b"
