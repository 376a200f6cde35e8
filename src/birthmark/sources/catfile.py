"""Look up many objects with one running `git cat-file`.

Takes names of objects, as many at a time as fit into a pipe; returns a GitObject for each, None for a missing one. The
process starts with the first request and ends when its input is closed, so also when this process ends.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from threading import Lock
from typing import IO, NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.gitdir import GitDir

_FOUND = re.compile(rb"([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)\n")


class GitObject(NamedTuple):
    """An object of the repository; `content` is empty unless contents were requested."""

    id: str
    type: str
    size: int
    content: bytes


class CatFile:
    """A process that answers requests in their order, for one thread at a time."""

    def __init__(self, git_dir: GitDir, with_contents: bool) -> None:
        self._git_dir = git_dir
        self._with_contents = with_contents
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()

    def look_up(self, names: Sequence[bytes]) -> list[GitObject | None]:
        with self._lock:
            try:
                return self._exchange(names)
            except (BrokenPipeError, EOFError) as error:
                self._end()
                reason = self._git_dir.last_error()
                raise BirthmarkError(f"git cat-file failed: {reason}; run `git fsck`") from error
            except BaseException:
                self._end()  # Unread answers would be read as those to the next requests.
                raise

    def close(self) -> None:
        with self._lock:
            self._end()

    def _exchange(self, names: Sequence[bytes]) -> list[GitObject | None]:
        if self._process is None:
            self._process = self._git_dir.start("cat-file", "--batch" if self._with_contents else "--batch-check")
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        requests.write(b"".join(name + b"\n" for name in names))
        requests.flush()
        return [self._read_answer(answers) for _ in names]

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

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
