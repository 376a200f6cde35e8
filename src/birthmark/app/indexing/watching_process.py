"""Keep an index current in a process of its own, and say when it was written."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread

from birthmark.app.indexing.watch import Trouble, WatchEvent, follow
from birthmark.app.workspace.workspace import Workspace
from birthmark.errors import BirthmarkError
from birthmark.isolation import spawn

_END_SECONDS = 1.0


class WatchingProcess:
    """`tell` gets each WatchEvent, in a thread. It ends when it is closed, or when the process that made it ends."""

    def __init__(self, workspace: Workspace, tell: Callable[[WatchEvent], object]) -> None:
        self._events, theirs = Pipe()
        self._process = spawn(_follow, theirs, workspace)
        theirs.close()
        self._thread = Thread(target=self._tell, args=(tell,), name="watching", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._process.terminate()
        self._process.join(_END_SECONDS)
        self._process.kill()
        self._process.join()
        self._thread.join(_END_SECONDS)
        self._events.close()

    def _tell(self, tell: Callable[[WatchEvent], object]) -> None:
        try:
            while True:
                tell(self._events.recv())
        except (EOFError, OSError):
            return


def _follow(events: Connection, workspace: Workspace) -> None:
    """Ctrl-C is for the process that listens; when that is gone, its end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_send, args=(events, workspace), daemon=True).start()
    try:
        events.recv()
    except (EOFError, OSError):
        os._exit(0)


def _send(events: Connection, workspace: Workspace) -> None:
    try:
        for event in follow(workspace):
            events.send(event)
    except BirthmarkError as error:
        events.send(Trouble(str(error)))
