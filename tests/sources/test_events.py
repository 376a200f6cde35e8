"""What is heard from the file system, and what is said when something is missed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from birthmark.sources import events
from birthmark.sources.events import Listener, is_git_busy

pytestmark = pytest.mark.timeout(60)
QUIET = 0.05


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("a", "b", "ignored"):
        (tmp_path / folder).mkdir()
    return tmp_path


@pytest.fixture
def listener(root: Path) -> Iterator[Listener]:
    with Listener(root, QUIET, lambda name: name.endswith(".py")) as listener:
        listener.watch(frozenset({"", "a", "b"}))
        yield listener


HEARD: list[tuple[Callable[[Path], object], str]] = [
    (lambda root: (root / "x.py").write_text(""), "x.py"),
    (lambda root: (root / "a" / "x.py").write_text(""), "a/x.py"),
    (lambda root: [(root / "a" / f"{i}.py").write_text("") for i in range(3)], "a/0.py a/1.py a/2.py"),
    (lambda root: (root / "ignored").rename(root / "c"), "c ignored"),
    (lambda root: (root / "a").rename(root / "b" / "a"), "a b/a"),
    (lambda root: shutil.rmtree(root / "b"), "b"),
    (lambda root: (root / "ignored" / "x.py").write_text(""), ""),
]


@pytest.mark.parametrize(("change", "expected"), HEARD)
def test_changes_are_heard(root: Path, listener: Listener, change: Callable[[Path], object], expected: str) -> None:
    change(root)
    assert listener.wait(5 if expected else 0.2) == frozenset(expected.split())


def test_a_name_that_is_no_text_is_missed_and_said_so(root: Path, listener: Listener) -> None:
    (root / os.fsdecode(b"a/\xff.py")).write_text("")
    assert listener.wait(5) is None
    listener.watch(listener.folders)
    (root / "a/x.py").write_text("")
    assert listener.wait(5) == frozenset({"a/x.py"})


def test_a_folder_whose_name_is_no_text_is_passed_over(root: Path, listener: Listener) -> None:
    odd = os.fsdecode(b"\xff")
    (root / odd).mkdir()
    listener.watch(frozenset({"", "a", odd}))
    (root / "a" / "x.py").write_text("")
    assert listener.wait(5) == frozenset({"a/x.py"})


def test_a_folder_that_vanished_calls_for_another_look(listener: Listener) -> None:
    listener.watch(frozenset({"", "a", "gone"}))
    assert listener.folders == frozenset()
    assert listener.error is None


def test_a_system_that_tells_no_more_is_a_trouble(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError('OS file watch limit reached. about ["/x"] (Error { kind: MaxFilesWatch })')

    monkeypatch.setattr(events, "RustNotify", refuse)
    listener.watch(frozenset({"", "a"}))
    assert listener.error == "OS file watch limit reached"
    assert listener.wait(0.01) == frozenset()


def test_files_nobody_wants_are_not_waited_for(root: Path, listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = iter([{"a/x.py"}, {"a/x.log"}, {"a/y.py"}])
    monkeypatch.setattr(listener, "_read_events", lambda seconds: next(heard))
    assert listener.wait(5) == frozenset({"a/x.py", "a/x.log"})


def test_waiting_for_quiet_has_an_end(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_read_events", lambda seconds: {"a/x.py"})
    monkeypatch.setattr(events, "_LONGEST_SECONDS", 0.1)
    started = time.monotonic()
    assert listener.wait(5) == frozenset({"a/x.py"})
    assert time.monotonic() - started < 5


def test_git_is_waited_for_unless_it_is_long_dead(root: Path) -> None:
    assert not is_git_busy(root)
    (root / ".git").mkdir()
    assert not is_git_busy(root)
    lock = root / ".git" / "index.lock"
    lock.write_text("")
    assert is_git_busy(root)
    os.utime(lock, (1, 1))
    assert not is_git_busy(root)
