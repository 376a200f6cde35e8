"""Git commands that keep running and answer requests in their order.

A GitProcess starts with the first request and ends when its input is closed, so also when this process ends. CatFile
takes names of objects, as many at a time as fit into a pipe; it returns a GitObject for each, None for a missing one.
DiffTree takes ids of commits and gives git's raw records of what differs between them: a line that is no id is printed
as it is, and all that was printed before is sent with it, which marks the end of an answer.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from threading import Lock
from typing import IO, NamedTuple, TypeVar

from birthmark.errors import BirthmarkError
from birthmark.sources.git.gitdir import GitDir

T = TypeVar("T")
_FOUND = re.compile(rb"([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)\n")
RAW_CHANGES = ("-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv")
_END = b"/\n"  # No path begins so.


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


class GitObject(NamedTuple):
    """An object of the repository; `content` is empty unless contents were requested."""

    id: str
    type: str
    size: int
    content: bytes


class CatFile(GitProcess):
    """A process that looks objects up, with their contents or without."""

    def __init__(self, git_dir: GitDir, with_contents: bool) -> None:
        super().__init__(git_dir, "cat-file", "--batch" if with_contents else "--batch-check")
        self._with_contents = with_contents

    def look_up(self, names: Sequence[bytes]) -> list[GitObject | None]:
        requests = b"".join(name + b"\n" for name in names)
        return self._ask(requests, lambda answers: [self._read_answer(answers) for _ in names])

    def _read_answer(self, answers: IO[bytes]) -> GitObject | None:
        line = answers.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        found = _FOUND.fullmatch(line)
        if found is None:
            return None
        size = int(found[3])
        content = answers.read(size + 1)[:size] if self._with_contents else b""
        if self._with_contents and len(content) < size:
            raise EOFError
        return GitObject(found[1].decode(), found[2].decode(), size, content)


class DiffTree(GitProcess):
    """A process that compares two commits at a time."""

    def __init__(self, git_dir: GitDir) -> None:
        super().__init__(git_dir, "diff-tree", "--stdin", "--always", *RAW_CHANGES)

    def compare(self, old: str, new: str) -> bytes:
        """As `diff-tree --stdin` prints it: the id of the new one, then two records for each file."""
        return self._ask(f"{new} {old}\n".encode() + _END, _read_answer)


def _read_answer(answers: IO[bytes]) -> bytes:
    """The end comes right after a NUL, as a record does; a path may have lines, too."""
    lines = bytearray()
    while not lines.endswith(b"\0" + _END):
        line = answers.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        lines += line
    return bytes(lines[: -len(_END)])
