"""Look up many objects with one running `git cat-file`.

Takes names of objects, as many at a time as fit into a pipe; returns a GitObject for each, None for a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, NamedTuple

from birthmark.sources.git.git_process import GitProcess
from birthmark.sources.git.gitdir import GitDir

_FOUND = re.compile(rb"([0-9a-f]{40,64}) (commit|tree|blob|tag) (\d+)\n")


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
