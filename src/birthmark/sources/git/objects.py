"""Read objects with git commands that keep running, and cache the contents of blobs.

A GitProcess starts with the first request and ends when its input is closed, also by the end of this process.
`look_up` takes names of objects, as many at a time as fit into a pipe. `compare` returns git's raw records of the
difference between two commits; git echoes a line that is no id, which marks the end of an answer.
`BlobContents` reads missing blobs together, and few more than are taken.
"""

from __future__ import annotations

import re
import subprocess
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from threading import Lock
from typing import IO, NamedTuple, TypeVar

from birthmark.errors import BirthmarkError
from birthmark.sources.git.gitdir import GitDir

T = TypeVar("T")
_FOUND = re.compile(rb"([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)\n")
RAW_CHANGES = ("-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv")
_END = b"/\n"  # No path begins so.
_MOST_BYTES = 1 << 28
_FIRST, _BATCH = 8, 64  # blobs read together: the first ones may be enough

ReadMany = Callable[[Iterable[str]], Iterator[tuple[str, bytes]]]


class GitProcess:
    """A command of git that answers one thread at a time."""

    def __init__(self, git_dir: GitDir, *arguments: str) -> None:
        self._git_dir, self._arguments = git_dir, arguments
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def close(self) -> None:
        with self._lock:
            self._end()

    def ask(self, requests: bytes, read: Callable[[IO[bytes]], T]) -> T:
        """Send requests, as many as fit into a pipe, and read the answers to all of them."""
        with self._lock:
            try:
                return self._exchange(requests, read)
            except (BrokenPipeError, EOFError) as error:
                self._end()
                reason = self._git_dir.last_error()
                raise BirthmarkError(f"git {self._arguments[0]} failed: {reason}; run `git fsck`") from error
            except BaseException:
                self._end()  # Unread answers would be mistaken for those to the next requests.
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
    """An object; `content` is empty unless contents were requested."""

    id: str
    type: str
    size: int
    content: bytes


def look_up(process: GitProcess, names: Sequence[bytes], *, with_contents: bool) -> list[GitObject | None]:
    """Look objects up with `cat-file --batch` or, without contents, `--batch-check`; None for missing ones."""
    requests = b"".join(name + b"\n" for name in names)
    return process.ask(requests, lambda answers: [_read_object(answers, with_contents) for _ in names])


def _read_object(answers: IO[bytes], with_contents: bool) -> GitObject | None:
    line = answers.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    found = _FOUND.fullmatch(line)
    if found is None:
        return None
    size = int(found[3])
    content = answers.read(size + 1)[:size] if with_contents else b""
    if with_contents and len(content) < size:
        raise EOFError
    return GitObject(found[1].decode(), found[2].decode(), size, content)


def compare(process: GitProcess, old: str, new: str) -> bytes:
    """Return the output of `diff-tree --stdin`: the id of the new commit, then two records for each file."""
    return process.ask(f"{new} {old}\n".encode() + _END, _read_records)


def _read_records(answers: IO[bytes]) -> bytes:
    """Read up to the end, which comes right after a NUL, as a record does; a path may contain lines."""
    lines = bytearray()
    while not lines.endswith(b"\0" + _END):
        line = answers.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        lines += line
    return bytes(lines[: -len(_END)])


class BlobContents:
    """A cache bounded by bytes that drops the least recently used."""

    def __init__(self, read_many: ReadMany, most_bytes: int = _MOST_BYTES) -> None:
        self._read_many, self._most_bytes = read_many, most_bytes
        self._contents: OrderedDict[str, bytes] = OrderedDict()
        self._n_bytes, self._lock = 0, Lock()

    def get(self, blob: str) -> bytes:
        found = self._find(blob)
        return next(self.get_many([blob])) if found is None else found

    def get_many(self, blobs: Sequence[str]) -> Iterator[bytes]:
        remaining, size = iter(blobs), _FIRST
        while batch := list(islice(remaining, size)):
            known = {blob: content for blob in batch if (content := self._find(blob)) is not None}
            for blob, content in self._read_many(dict.fromkeys(blob for blob in batch if blob not in known)):
                known[blob] = content
                self._put(blob, content)
            yield from (known[blob] for blob in batch)
            size = _BATCH

    def clear(self) -> None:
        with self._lock:
            self._contents.clear()
            self._n_bytes = 0

    def _find(self, blob: str) -> bytes | None:
        with self._lock:
            if blob in self._contents:
                self._contents.move_to_end(blob)
            return self._contents.get(blob)

    def _put(self, blob: str, content: bytes) -> None:
        with self._lock:
            self._n_bytes += len(content) - len(self._contents.get(blob, b""))
            self._contents[blob] = content
            while self._n_bytes > self._most_bytes and len(self._contents) > 1:
                self._n_bytes -= len(self._contents.popitem(last=False)[1])
