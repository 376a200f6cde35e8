"""Functions of one process that others of the same server call, through a socket in a folder of their own.

`CallServer` answers calls in threads until it is closed; `CallAddress` is a value that can be given to another process,
and calls from there. What is sent is trusted: only a process that was given the key is answered.
"""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from birthmark.errors import BirthmarkError

_PREFIX = "birthmark-serve-"
_LONGEST = 76  # bytes of the folder for temporary files; the address of a socket has 107 at most


class CallAddress(NamedTuple):
    """Where a CallServer listens, and the key to it."""

    path: str
    key: bytes

    def call(self, name: str, *arguments: object) -> Any:
        """What the function raises is raised here."""
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
    """Each call has a thread of its own."""

    def __init__(self, functions: Mapping[str, Callable[..., object]]) -> None:
        self._functions = functions
        self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=_find_place())
        self.address = CallAddress(str(Path(self._folder.name) / "calls"), secrets.token_bytes(32))
        self._listener = Listener(self.address.path, "AF_UNIX", backlog=64, authkey=self.address.key)
        self._is_closed = False
        Thread(target=self._accept, name="calls", daemon=True).start()

    def close(self) -> None:
        """Calls that are running are not waited for."""
        self._is_closed = True
        with suppress(OSError), socket.socket(socket.AF_UNIX) as last:  # what waits for another one goes on
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
