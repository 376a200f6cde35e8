"""Create a private git folder that shares a repository's objects, and run git in it.

Takes the repository's git folders; creates a folder with its objects, refs and HEAD and none of its configuration. So
a repository cannot make git run anything: no hook, filter, pager, monitor or helper, and nothing is fetched.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from birthmark.errors import BirthmarkError
from birthmark.sources.refs import GitFolders, Head, read_pseudo_ref, read_refs

_PSEUDO_REFS = ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
# By the length of ids, which shows the hash that a repository uses.
_CONFIGS = {
    40: b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
    64: b"[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n",
}
_VARIABLES = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}


class GitDir:
    """A private git folder, outside the repository, with the refs at the time of its creation."""

    def __init__(self, folders: GitFolders, head: Head) -> None:
        self._environment = _make_environment()
        self._program = _find_git(self._environment["PATH"])
        self._folder = tempfile.TemporaryDirectory(prefix="birthmark-git-")
        try:
            _populate(Path(self._folder.name), folders, head)
        except BaseException:
            self.close()
            raise

    def start(self, *arguments: str | bytes) -> subprocess.Popen[bytes]:
        """Start git; `last_error` returns its error messages."""
        with self._error_log().open("ab") as error_log:
            return subprocess.Popen(
                [self._program, f"--git-dir={self._folder.name}", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=error_log,
                cwd=self._folder.name,
                env=self._environment,
            )

    def run(self, *arguments: str | bytes, stdin: bytes | None = None) -> bytes:
        """The output of a command."""
        with self.start(*arguments) as process:
            output, _ = process.communicate(stdin)
        if process.returncode:
            raise BirthmarkError(f"git {arguments[0]!s} failed: {self.last_error()}; run `git fsck`")
        return output

    def last_error(self) -> str:
        """The last line that git wrote to standard error."""
        with suppress(OSError):
            lines = self._error_log().read_text("utf-8", "replace").splitlines()
            return next((line for line in reversed(lines) if line.strip()), "no reason given")
        return "no reason given"

    def shallow(self) -> frozenset[str]:
        """The commits at which the history of a shallow clone ends."""
        with suppress(OSError):
            return frozenset(Path(self._folder.name, "shallow").read_text("ascii").split())
        return frozenset()

    def close(self) -> None:
        self._folder.cleanup()

    def _error_log(self) -> Path:
        return Path(self._folder.name, "errors")


def _make_environment() -> dict[str, str]:
    """The environment without git's variables; PATH has absolute folders only, never the current one."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    folders = [folder for folder in inherited.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return {**inherited, **_VARIABLES, "PATH": os.pathsep.join(folders)}


def _find_git(path: str) -> str:
    program = shutil.which("git", path=path)
    if program is None:
        raise BirthmarkError("git is not installed, or not on the PATH; install it to read history")
    return program


def _populate(folder: Path, folders: GitFolders, head: Head) -> None:
    refs = read_refs(folders)
    known_ids = [id_ for id_ in (head.commit, *refs.values()) if id_]
    (folder / "objects" / "info").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "objects" / "info" / "alternates").write_bytes(_quote(folders.common + b"/objects") + b"\n")
    (folder / "config").write_bytes(_CONFIGS[len(known_ids[0]) if known_ids else 40])
    (folder / "packed-refs").write_bytes(b"".join(b"%b %b\n" % (refs[name], name) for name in sorted(refs)))
    (folder / "HEAD").write_bytes((b"ref: " + head.ref if head.ref else head.commit or b"") + b"\n")
    for name in _PSEUDO_REFS:
        if id_ := read_pseudo_ref(folders, name):
            (folder / name).write_bytes(id_ + b"\n")
    _copy_shallow(folder, folders)
    _link_logs(folder, folders)


def _copy_shallow(folder: Path, folders: GitFolders) -> None:
    """The commits at which the history of a shallow clone ends."""
    with suppress(OSError):
        lines = Path(os.fsdecode(folders.common), "shallow").read_bytes().splitlines()
        ids = [line for line in lines if re.fullmatch(rb"[0-9a-f]{40,64}", line)]
        (folder / "shallow").write_bytes(b"".join(id_ + b"\n" for id_ in ids))


def _link_logs(folder: Path, folders: GitFolders) -> None:
    """Make `HEAD@{1}` and the like work; logs are only read."""
    (folder / "logs").mkdir()
    with suppress(OSError):
        (folder / "logs" / "HEAD").symlink_to(os.fsdecode(folders.own + b"/logs/HEAD"))
        (folder / "logs" / "refs").symlink_to(os.fsdecode(folders.common + b"/logs/refs"))


def _quote(path: bytes) -> bytes:
    """A path, quoted for a list of alternates."""
    plain = re.fullmatch(rb"/[\w./+-]*", path)
    return path if plain else b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'
