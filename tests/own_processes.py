"""The fast tier: a test that is about to start a process of its own is skipped.

Processes make a test slow: git, servers, commands, compilers. What fixtures of a module or session start is shared by
many tests, so they may; so may other threads than the main one, which could not skip the test, and the files in
ALLOWED.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ALLOWED = ("sources/test_git.py",)  # Its subject is git.
_STARTS = frozenset({"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"})
_TESTS = Path(__file__).parent
_running: list[bool] = []  # for each test and fixture that runs, the innermost last: if it may start a process


def pytest_configure() -> None:
    sys.addaudithook(_check)


def _check(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _STARTS and _running and not _running[-1] and threading.current_thread() is threading.main_thread():
        pytest.skip("starts a process: `make test` runs it")


@contextmanager
def shared(*, may_start: bool = True) -> Iterator[None]:
    """What is made here is kept for other tests."""
    _running.append(may_start)
    try:
        yield
    finally:
        _running.pop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    with shared(may_start=any(item.path.is_relative_to(_TESTS / folder) for folder in ALLOWED)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    with shared(may_start=fixturedef.scope != "function" or _running[-1]):
        return (yield)
