"""What is done once for all processes of a server: look at the worktree, keep its index up, say when it was written.

The Coordinator is in the process that was started; each process that answers has SharedRepositories made by
`connect` from its Duties, which are functions of the Coordinator, called in the same process or through a socket.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from birthmark.app.answers.searching.upkeep import keep_up
from birthmark.app.serving.call_server import CallServer
from birthmark.app.workspace.background_work import BackgroundWork, SharedValue
from birthmark.app.workspace.freshness import CheckedWorktree
from birthmark.app.workspace.helper_process import HelperProcess
from birthmark.app.workspace.shared_repositories import SharedRepositories, check_worktree
from birthmark.errors import BirthmarkError
from birthmark.isolation import Outside

_SHARE = 0.75  # of the time for which what was found is used, in the Coordinator; the rest where it is asked for
_LISTENING_SECONDS = 0.1


class _Stamped(NamedTuple):
    """What was found, under a number of its own."""

    number: int
    checked: CheckedWorktree


class Duties(NamedTuple):
    """What the Coordinator does for a process that answers."""

    folder: Path
    max_age: float
    check: Callable[[bool, int], tuple[int, CheckedWorktree | None]]  # None: still what has that number
    forget: Callable[[], object]
    keep_up: Callable[[], object]
    updates: Any  # the number of updates that were seen from outside, in memory that processes share


class Coordinator:
    """Of one folder. `max_age`: seconds for which what was found in the worktree is used; `wait`: seconds for another
    writer before answers are of an index that is not up to date; `when_kept_up` is called after answers were
    prepared."""

    def __init__(
        self, folder: Path, max_age: float, when_kept_up: Callable[[], object] = lambda: None, wait: float = 0.0
    ) -> None:
        self.folder, self._max_age = folder, max_age
        self._stack = ExitStack()
        checking, upkeep = (self._stack.enter_context(closing(HelperProcess())) for _ in range(2))
        numbers = count(1)

        def look(refreshes: bool) -> _Stamped:
            return _Stamped(next(numbers), checking.call(check_worktree, folder, refreshes, wait))

        def keep() -> None:
            upkeep.call(keep_up, folder)
            self.report_update()  # It wrote, so that a look meanwhile may have found another writer.
            when_kept_up()

        self._looks, self._updated = (
            SharedValue(partial(look, refreshes), max_age * _SHARE) for refreshes in (False, True)
        )
        self._upkeep = BackgroundWork(keep)
        with Outside():  # It is freed by a process of its own.
            self._updates = multiprocessing.get_context("spawn").Value("Q", 0)

    def duties(self) -> Duties:
        """For this process."""
        return self._duties(self._check, self.forget, self._upkeep.want)

    def duties_elsewhere(self) -> Duties:
        """For other processes, which call through a socket."""
        functions: dict[str, Callable[..., object]] = {
            "check": self._check,
            "forget": self.forget,
            "keep_up": self._upkeep.want,
        }
        server = self._stack.enter_context(closing(CallServer(functions)))
        return self._duties(*(partial(server.address.call, name) for name in functions))

    def _duties(self, check: Any, forget: Callable[[], object], keep: Callable[[], object]) -> Duties:
        return Duties(self.folder, self._max_age * (1 - _SHARE), check, forget, keep, self._updates)

    def _check(self, refreshes: bool, known: int) -> tuple[int, CheckedWorktree | None]:
        stamped = (self._updated if refreshes else self._looks).get()
        return stamped.number, stamped.checked if stamped.number != known else None

    def forget(self) -> None:
        """The worktree has changed: what was found in it is not used any more."""
        self._looks.forget()
        self._updated.forget()

    def report_update(self) -> None:
        """The index was written by another process: all that answer look at it."""
        self.forget()
        with self._updates.get_lock():
            self._updates.value += 1

    def close(self) -> None:
        self._stack.close()


def connect(duties: Duties) -> SharedRepositories:
    """The repositories of a process that answers; they are up to date until they are closed."""
    repositories = SharedRepositories(
        duties.folder, duties.max_age, _Checks(duties), keep_up=lambda _: duties.keep_up(), forget=duties.forget
    )
    Thread(target=_listen, args=(duties.updates, repositories), name="updates", daemon=True).start()
    return repositories


class _Checks:
    """Asks for what is in the worktree, and keeps what it was for as long as that is still so."""

    def __init__(self, duties: Duties) -> None:
        self._check = duties.check
        self._known: dict[bool, _Stamped] = {}

    def __call__(self, folder: Path, refreshes: bool) -> CheckedWorktree:
        known = self._known.get(refreshes)
        number, checked = self._check(refreshes, known.number if known is not None else 0)
        if checked is None:
            assert known is not None
            return known.checked
        self._known[refreshes] = _Stamped(number, checked)
        return checked


def _listen(updates: Any, repositories: SharedRepositories) -> None:
    seen = updates.value
    while not repositories.is_closed:
        time.sleep(_LISTENING_SECONDS)
        if updates.value != seen:
            seen = updates.value
            repositories.forget_looks()
            with suppress(BirthmarkError):
                repositories.look_at_index()
