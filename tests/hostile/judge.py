"""Judge what processes did, from what the recorder wrote down and from what is on the disk.

Takes the Scene of a repository; gives violations as texts. It shares no code with what it judges.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from hostile.traps import OWN_NAME, SENTINEL

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_INTERPRETERS = {os.path.realpath(sys.executable), os.path.abspath(sys.executable)}
_CHANGES: tuple[str, ...] = (
    "os.chmod",
    "os.chown",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.symlink",
)
_CHANGES += ("os.truncate", "os.utime", "os.setxattr", "os.removexattr")
_CONNECTS = ("socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname")
_LOCAL = ("'127.0.0.1'", "'localhost'", "'::1'", "b'127.0.0.1'")  # that a server binds to is looked up


class Record(NamedTuple):
    """What one process did, by the names of Python's audit events; `start` is our own."""

    process: int
    event: str
    values: tuple[Any, ...]


class Allowed(NamedTuple):
    """Where files may be written, and which programs may be started."""

    folders: tuple[Path, ...]
    programs: frozenset[str]
    replaces: str = ""  # how the temporary files begin that replace others
    by_module: bool = False  # Python itself looks in the working folder until our first module runs

    def writes(self, path: str) -> bool:
        """Python reports the folder in which a temporary file is made as opened."""
        is_temporary = bool(self.replaces) and f"{path}/.birthmark-".startswith(self.replaces)
        return is_temporary or any(_is_in(path, folder) for folder in self.folders)


def read_records(log: Path) -> list[Record]:
    records = [ast.literal_eval(line) for line in log.read_text("utf-8").splitlines()] if log.exists() else []
    return [Record(process, event, tuple(values)) for process, event, *values in records]


def judge_records(records: Iterable[Record], root: Path, outside: Path, allowed: Allowed) -> Iterator[str]:
    """Yield what was done that no repository may cause."""
    isolated = set[int]()  # processes that have come as far as our first module
    for record in records:
        yield from _judge_record(record, root, outside, allowed, isolated)


def _judge_record(record: Record, root: Path, outside: Path, allowed: Allowed, isolated: set[int]) -> Iterator[str]:
    match record:
        case Record(_, "open", (path, flags)):
            if _is_in(path, outside):
                yield f"opened outside: {path}"
            if flags & _WRITING and not allowed.writes(path):
                yield f"opened for writing: {path}"
        case Record(process, "import", (module, _)):
            if module.startswith(f"{OWN_NAME}.surfaces"):
                isolated.add(process)
            if not allowed.by_module or process in isolated:
                yield f"imported with the repository on the search path: {module}"
        case Record(_, "start", (parent, command, folder, is_safe)) if parent != os.getpid():
            if os.path.realpath(command[0]) not in _INTERPRETERS:
                yield f"another interpreter: {command}"
            if not is_safe:
                yield f"an interpreter that is not isolated: {command}"
            if _is_in(folder, root):
                yield f"an interpreter in the repository: {command}"
        case Record(_, event, (program, words)) if event in (
            "subprocess.Popen",
            "os.posix_spawn",
            "os.exec",
            "os.spawn",
        ):
            if program not in allowed.programs | _INTERPRETERS:
                yield f"started: {program} {words}"
        case Record(_, ("os.system" | "os.startfile" | "pty.spawn") as event, values):
            yield f"{event}: {values}"
        case Record(_, event, (paths,)) if event in _CHANGES:
            yield from (f"{event}: {path}" for path in paths if not allowed.writes(path))
        case Record(_, event, (address,)) if event in _CONNECTS:
            if not any(local in address for local in _LOCAL) or event == "socket.connect":
                yield from [f"{event}: {address}"] if not _is_unix(address) else []
        case Record(_, "ctypes.dlopen", (name,)):
            if str(root) in name:
                yield f"loaded: {name}"
        case Record(_, "failed", values):
            yield f"the recorder failed: {values}"


def _is_unix(address: str) -> bool:
    """Sockets in the file system and pairs of them have a path or nothing as their address."""
    return address.startswith(("'", "b'", '"', 'b"'))


def _is_in(path: str, folder: Path) -> bool:
    return path == str(folder) or path.startswith(f"{folder}{os.sep}")


def judge_marks(marks: Path) -> list[str]:
    """Return the traps that were run."""
    return [f"run: {mark}" for mark in sorted(os.listdir(marks))]


def judge_output(output: bytes) -> list[str]:
    found = []
    if SENTINEL.encode() in output:
        found.append("a secret was shown")
    if b"Traceback (most recent call last)" in output:
        found.append("a traceback was shown")
    return found


# What is on the disk


State = dict[str, tuple[int, int, int]]


def list_state(folders: Iterable[Path], allowed: Allowed) -> State:
    """Return the size, the time and the number of all files, but those that may be written."""
    found: State = {}
    for folder in folders:
        for parent, folders_in, names in os.walk(folder):
            folders_in[:] = [name for name in folders_in if not allowed.writes(os.path.join(parent, name))]
            for path in (os.path.join(parent, name) for name in (*names, *folders_in)):
                if not allowed.writes(path):
                    status = os.lstat(path)
                    found[path] = status.st_size if not _is_folder(status) else 0, status.st_mtime_ns, status.st_ino
    return found


def _is_folder(status: os.stat_result) -> bool:
    return status.st_mode & 0o170000 == 0o040000


def judge_state(before: State, after: State) -> list[str]:
    return [f"changed on disk: {path}" for path in sorted(before.keys() | after) if before.get(path) != after.get(path)]
