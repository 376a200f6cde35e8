"""Repositories that stay open answer as those that are opened for each question."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from birthmark.app.answers.neighbours import find_users
from birthmark.app.serving.shared_repositories import SharedRepositories, check_worktree
from birthmark.app.workspace.freshness import CheckedWorktree, show_nothing
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import locked
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.model import Problem
from worlds import World, write_settings

A = "def alpha(x):\n    return beta(x) + 1\n"
B = "def beta(x):\n    total = x * 2\n    return total\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": A, "sub/b.py": B}, with_git=True)
    world.commit()
    world.index()
    return world


@pytest.fixture
def repositories(world: World) -> Iterator[SharedRepositories]:
    with closing(SharedRepositories(world.root, max_age=0.0)) as repositories:
        yield repositories


def names(session: Session) -> set[str]:
    return {held.entity.qualified_name for held in session.view.entities()}


def ask(repositories: SharedRepositories, *, refreshes: bool = False) -> tuple[Session, set[str]]:
    with repositories.open(refreshes=refreshes) as session:
        return session, names(session)


def test_the_same_one_is_used_again_by_one_request_at_a_time(repositories: SharedRepositories) -> None:
    first, found = ask(repositories)
    assert found == {"alpha", "beta"}
    with repositories.open() as session, repositories.open() as other:
        assert session.snapshot is first.snapshot
        assert session.repository is first.repository
        assert other.repository is not session.repository


def test_who_asks_and_how_progress_is_shown_are_of_one_request(repositories: SharedRepositories) -> None:
    with repositories.open(visible=frozenset({"shop"}), show_progress=lambda: nullcontext(print)) as first:
        pass
    with repositories.open() as second:
        assert (first.visible, second.visible) == (frozenset({"shop"}), None)
        assert second.show_progress is show_nothing
        assert second.snapshot is first.snapshot


def _index(world: World) -> None:
    world.write("a.py", A.replace("alpha", "omega"))
    world.index()


def _commit(world: World) -> None:
    world.git("commit", "-q", "--allow-empty", "-m", "nothing")


def _set(world: World) -> None:
    write_settings(world.root, ["[limits]", "seconds = 9"])


def _replace_index(world: World) -> None:
    world.write("a.py", A.replace("alpha", "omega"))
    for file in world.workspace.home.iterdir():
        file.unlink()
    world.index()


def _edit(world: World) -> None:
    world.write("sub/b.py", B + "\n\ndef more():\n    pass\n")


@pytest.mark.parametrize(
    ("change", "keeps_snapshot", "keeps_repository"),
    [
        (_edit, True, True),
        (_index, False, True),
        (_commit, False, False),
        (_set, False, False),
        (_replace_index, False, False),
        (lambda world: world.git("tag", "v1"), False, False),
        (lambda world: None, True, True),
    ],
)
def test_what_changed_is_seen(
    world: World,
    repositories: SharedRepositories,
    change: Callable[[World], object],
    keeps_snapshot: bool,
    keeps_repository: bool,
) -> None:
    before, _ = ask(repositories)
    change(world)
    after, found = ask(repositories)
    with open_session(world.root) as session:
        assert found == names(session)
        assert after.freshness._replace(checked_at=None) == session.freshness
        assert after.repository.settings == session.repository.settings
    assert (after.snapshot is before.snapshot, after.repository is before.repository) == (
        keeps_snapshot,
        keeps_repository,
    )


def test_refs_are_those_of_now(world: World, repositories: SharedRepositories) -> None:
    for number in range(3):
        _commit(world)
        world.git("tag", f"v{number}")
        with repositories.open() as session:
            assert session.repository.revision(f"v{number}").commit == world.git("rev-parse", "HEAD").strip()


def test_a_question_brings_the_index_up_to_date(world: World, repositories: SharedRepositories) -> None:
    _edit(world)
    session, found = ask(repositories)
    assert (found, session.freshness.pending) == ({"alpha", "beta"}, ["sub/b.py"])
    session, found = ask(repositories, refreshes=True)
    assert (found, session.freshness.pending) == ({"alpha", "beta", "more"}, [])


def test_what_was_looked_at_is_used_for_its_time(world: World) -> None:
    now, checks = [100.0], list[bool]()

    def check(folder: Path, refreshes: bool) -> CheckedWorktree:
        checks.append(refreshes)
        return check_worktree(folder, refreshes)

    with closing(SharedRepositories(world.root, 10.0, check, lambda: now[0])) as repositories:
        ask(repositories, refreshes=True)
        _edit(world)
        session, found = ask(repositories, refreshes=True)
        assert (found, session.freshness.pending) == ({"alpha", "beta"}, [])
        assert checks == [True]
        repositories.forget_worktree()
        assert "more" in ask(repositories, refreshes=True)[1]
        world.write("sub/b.py", B)
        now[0] += 10.1
        assert "more" in ask(repositories)[1]
        assert ask(repositories)[0].freshness.pending == ["sub/b.py"]
        assert checks == [True, True, False]
        now[0] += 10.1
        assert "more" not in ask(repositories, refreshes=True)[1]


def test_what_was_reported_is_of_one_question_alone(repositories: SharedRepositories) -> None:
    with repositories.open() as first:
        first.repository.problems.append(Problem("x", "is odd"))
    with repositories.open() as second:
        assert (second.repository is first.repository, second.repository.problems) == (False, [])
    assert first.repository.problems == [Problem("x", "is odd")]


@pytest.mark.parametrize(("error", "is_kept"), [(NotFoundError("no"), True), (ValueError("no"), False)])
def test_after_a_failure_it_is_not_used_again(
    repositories: SharedRepositories, error: Exception, is_kept: bool
) -> None:
    with pytest.raises(type(error)), repositories.open() as first:
        raise error
    with repositories.open() as second:
        assert (second.repository is first.repository) is is_kept


def test_without_an_index_that_is_said_until_there_is_one(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": A}, with_git=True)
    with closing(SharedRepositories(tmp_path, max_age=0.0)) as repositories:
        with pytest.raises(BirthmarkError, match="no index"):
            ask(repositories)
        world.index()
        assert ask(repositories)[1] == {"alpha"}


def test_an_index_that_another_process_writes_is_not_waited_for(world: World, repositories: SharedRepositories) -> None:
    _edit(world)
    with locked(world.workspace, 1.0):
        (first, found), (second, _) = ask(repositories, refreshes=True), ask(repositories, refreshes=True)
        assert (found, first.freshness.pending) == ({"alpha", "beta"}, ["sub/b.py"])
        assert "is being written" in (first.freshness.problem or "")
        assert len(second.repository.problems) == 1
    session, found = ask(repositories, refreshes=True)
    assert (found, session.freshness.problem, session.repository.problems) == ({"alpha", "beta", "more"}, None, [])


# Many at once


def test_each_answer_is_of_one_moment_while_another_writes(world: World) -> None:
    """Each version of the files has the same number in all names, and one user of each."""
    failures, is_done = list[object](), threading.Event()

    def write(number: int) -> None:
        world.write("a.py", f"from sub.b import beta_{number}\n\ndef alpha_{number}(x):\n    return beta_{number}(x)\n")
        world.write("sub/b.py", f"def beta_{number}(x):\n    return x\n")
        world.index()

    def read(repositories: SharedRepositories) -> None:
        while not is_done.is_set():
            try:
                with repositories.open(refreshes=False) as session:
                    found = sorted(names(session))
                    users = find_users(session, found[1]).edges
                number = found[0].removeprefix("alpha_")
                is_whole = found == [f"alpha_{number}", f"beta_{number}"]
                if not is_whole or {edge.source_path for edge in users} != {"a.py"}:
                    failures.append((found, users))
            except Exception as error:
                failures.append(error)

    write(0)
    with closing(SharedRepositories(world.root, max_age=0.01, keep_up=lambda folder: None)) as repositories:
        threads = [threading.Thread(target=read, args=(repositories,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        try:
            for number in range(1, 12):
                write(number)
        finally:
            is_done.set()
            for thread in threads:
                thread.join()
        assert failures == []
        repositories.forget_worktree()
        with open_session(world.root) as session:
            assert ask(repositories)[1] == names(session) == {"alpha_11", "beta_11"}


def test_nothing_stays_open(world: World) -> None:
    def count() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), threading.active_count()

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("only Linux lists what is open")
    ask(SharedRepositories(world.root, 0.0))  # What is loaded once stays.
    before = count()
    with (
        closing(SharedRepositories(world.root, 0.0)) as repositories,
        repositories.open(refreshes=False) as session,
    ):
        session.repository.git.shallow()
        threads = [threading.Thread(target=ask, args=(repositories,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert count() == before
