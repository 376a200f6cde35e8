"""Work done once for all processes of a server: check the worktree, update the index, report updates.

The Coordinator runs in the process that was started. In each process that answers, `connect` makes SharedRepositories
from its Duties, which are functions of the Coordinator, called in the same process or through a socket: a CallServer
answers calls in threads, and a CallAddress can be passed to another process, which calls from there. Messages are
trusted, because only processes with the key are answered.
"""

from __future__ import annotations

import multiprocessing
import os
import secrets
import socket
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import count
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from birthmark.app.answers.searching import keep_up
from birthmark.app.serving.beside import BackgroundWork, HelperProcess, SharedValue
from birthmark.app.serving.shared_repositories import SharedRepositories, check_worktree
from birthmark.app.workspace.freshness import CheckedWorktree
from birthmark.errors import BirthmarkError
from birthmark.isolation import Outside

_PREFIX = "birthmark-serve-"
_LONGEST = 76  # bytes of the folder for temporary files; the address of a socket has 107 at most
_SHARE = 0.75  # of the time for which what was found is used, in the Coordinator; the rest where it is asked for
_LISTENING_SECONDS = 0.1


class CallAddress(NamedTuple):
    """The address of a CallServer, and its key."""

    path: str
    key: bytes

    def call(self, name: str, *arguments: object) -> Any:
        """Call a function of the server; raise the errors that it raises."""
        try:
            with Client(self.path, "AF_UNIX", self.key) as connection:
                connection.send((name, arguments))
                result, error = connection.recv()
        except (OSError, EOFError) as error:
            raise BirthmarkError("the server is being stopped") from error
        if error is not None:
            raise error
        return result


class CallServer:
    """A server for calls from other processes, with a thread for each call."""

    def __init__(self, functions: Mapping[str, Callable[..., object]]) -> None:
        self._functions = functions
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=_find_place())
        self.address = CallAddress(str(Path(self._folder.name) / "calls"), secrets.token_bytes(32))
        self._listener = Listener(self.address.path, "AF_UNIX", backlog=64, authkey=self.address.key)
        self._is_closed = False
        Thread(target=self._accept, name="calls", daemon=True).start()

    def close(self) -> None:
        """Close the server without waiting for running calls."""
        self._is_closed = True
        with suppress(OSError), socket.socket(socket.AF_UNIX) as last:  # to wake up the listener
            last.connect(self.address.path)
        self._listener.close()
        self._folder.cleanup()

    def _accept(self) -> None:
        while not self._is_closed:
            with suppress(OSError, EOFError, AuthenticationError):
                connection = self._listener.accept()
                Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection) -> None:
        with connection, suppress(OSError, EOFError):
            name, arguments = connection.recv()
            try:
                answer: tuple[object, Exception | None] = self._functions[name](*arguments), None
            except Exception as error:
                answer = None, error if isinstance(error, BirthmarkError) else RuntimeError(repr(error))
            connection.send(answer)


def _find_place() -> str | None:
    """Return where to make the folder of a socket: `/tmp` if the path of another one would be too long."""
    return "/tmp" if len(os.fsencode(tempfile.gettempdir())) > _LONGEST else None  # noqa: S108 - a folder of our own


class _Stamped(NamedTuple):
    """A checked worktree with a unique number."""

    number: int
    checked: CheckedWorktree


class Duties(NamedTuple):
    """Functions of the Coordinator for a process that answers."""

    folder: Path
    max_age: float
    check: Callable[[bool, int], tuple[int, CheckedWorktree | None]]  # None: unchanged since that number
    forget: Callable[[], object]
    keep_up: Callable[[], object]
    updates: Any  # the number of updates that were seen from outside, in memory that processes share


class Coordinator:
    """Coordinate the processes that answer for one folder.

    `max_age`: seconds for which a check of the worktree is valid; `wait`: seconds to wait for another writer before
    answering from an outdated index; `when_kept_up` is called after answers were prepared.
    """

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
        """Return the Duties for this process."""
        return self._duties(self._check, self.forget, self._upkeep.want)

    def duties_elsewhere(self) -> Duties:
        """Return the Duties for other processes, which call through a socket."""
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
        """Check the worktree again at the next request, because it has changed."""
        self._looks.forget()
        self._updated.forget()

    def report_update(self) -> None:
        """Make all processes read the index again, because another process wrote it; until then they answer."""
        self._looks.expire()
        self._updated.expire()
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
    """Get checks of the worktree from the Coordinator, and cache the last one."""

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
