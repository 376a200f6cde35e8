"""What differs between many pairs of commits, by one running `git diff-tree`.

Takes ids of commits; gives git's raw records. A line that is no id is printed as it is, and all that was printed before
is sent with it: that is how the end of an answer is known.
"""

from __future__ import annotations

from typing import IO

from birthmark.sources.git.git_process import GitProcess
from birthmark.sources.git.gitdir import GitDir

RAW_CHANGES = ("-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv")
_END = b"/\n"  # No path begins so.


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
