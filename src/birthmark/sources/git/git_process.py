"""A git command that keeps running and answers requests in their order.

It starts with the first request and ends when its input is closed, so also when this process ends.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from threading import Lock
from typing import IO, TypeVar

from birthmark.errors import BirthmarkError
from birthmark.sources.git.gitdir import GitDir

T = TypeVar("T")


class GitProcess:
    """Answers one thread at a time."""

    def __init__(self, git_dir: GitDir, *arguments: str) -> None:
        self._git_dir, self._arguments = git_dir, arguments
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def close(self) -> None:
        with self._lock:
            self._end()

    def _ask(self, requests: bytes, read: Callable[[IO[bytes]], T]) -> T:
        """Send requests, as many as fit into a pipe, and read the answers to all of them."""
        with self._lock:
            try:
                return self._exchange(requests, read)
            except (BrokenPipeError, EOFError) as error:
                self._end()
                reason = self._git_dir.last_error()
                raise BirthmarkError(f"git {self._arguments[0]} failed: {reason}; run `git fsck`") from error
            except BaseException:
                self._end()  # Unread answers would be read as those to the next requests.
                raise

    def _exchange(self, requests: bytes, read: Callable[[IO[bytes]], T]) -> T:
        if self._process is None:
            self._process = self._git_dir.start(*self._arguments)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(requests)
        self._process.stdin.flush()
        return read(self._process.stdout)

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
