"""Create a private git folder that shares a repository's objects, and run git in it.

Takes the repository's git folders; creates a folder with its objects, refs and HEAD but without its configuration. So a
repository cannot make git run anything: no hook, filter, pager, monitor or helper, and nothing is fetched.

The graph of commits, with filters of changed paths, is kept in the user's cache folder for other processes; git finds
it as an alternate. A repository cannot provide one, because that folder is outside of it. The contents of a graph
follow from ids of commits, so that they are right for any repository that is at the path later.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path

from birthmark.errors import BirthmarkError
from birthmark.file_lock import is_running
from birthmark.sources.git.refs import GitFolders, Head, any_id_of, merge_refs, read_pseudo_ref, read_ref_files
from birthmark.sources.worktree import read_start

_WITHOUT_REFS = re.compile(r"\^?(?:HEAD|[0-9a-f]{40}|[0-9a-f]{64})(?:\^\{\}|[~^]\d*)*")
_NO_ID = b"0" * 40
_LACKS = re.compile("unable to read|not a tree object|missing (?:blob|tree)")  # in messages of git
_MAX_SHALLOW = 1 << 24  # bytes
_PREFIX = "birthmark-git-"  # of private folders, before the number of their process
_ABANDONED = re.compile(_PREFIX + r"([0-9]{1,9})-\w+")
_DAY = 86_400  # seconds
_PSEUDO_REFS = ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
# By the length of ids, which depends on the hash of the repository.
_CONFIGS = {
    40: b"[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
    64: b"[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n",
}

# None of these settings names a command.
_TRACKING = r"^(branch\..*\.(remote|merge|pushremote)|remote\..*\.(fetch|push)|remote\.pushdefault|push\.default)$"
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

_GRAPH = Path("info", "commit-graph")  # in a folder of objects
_MOST_GRAPHS = 64  # kept


class GitDir:
    """A private git folder outside of the repository, with the refs of the time of its creation."""

    def __init__(self, folders: GitFolders, head: Head) -> None:
        self._environment = make_environment()
        self.program = find_git(self._environment["PATH"])
        self.folders, self._has_tracking = folders, False
        _remove_abandoned(tempfile.gettempdir())
        self._folder = tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{os.getpid()}-")
        self._ref_files, self._has_refs = read_ref_files(folders), False
        self._graph, self._is_kept = find_graph(folders), False
        self._graph_writer: subprocess.Popen[bytes] | None = None
        try:
            _populate(Path(self._folder.name), folders, head, head.commit or any_id_of(*self._ref_files) or _NO_ID)
            self._list_objects()
        except BaseException:
            self.close()
            raise

    @property
    def path(self) -> Path:
        return Path(self._folder.name)

    @cached_property
    def refs(self) -> dict[bytes, bytes]:
        """Return all refs with their ids."""
        return merge_refs(*self._ref_files)

    def add_refs(self) -> None:
        """Make the names of refs work, which may be many, in addition to ids and HEAD."""
        if not self._has_refs:
            self._has_refs = True
            lines = b"".join(b"%b %b\n" % (self.refs[name], name) for name in sorted(self.refs))
            Path(self._folder.name, "packed-refs").write_bytes(lines)

    def _list_objects(self) -> None:
        """List the folders of objects; git uses the first graph, and the repository's own may lack filters."""
        borrowed = [*([os.fsencode(self._graph)] if self._graph else []), self.folders.common + b"/objects"]
        lines = b"".join(_quote(folder) + b"\n" for folder in borrowed)
        Path(self._folder.name, "objects", "info", "alternates").write_bytes(lines)

    def start_graph(self) -> None:
        """Start writing a graph of all commits, with filters of changed paths.

        Once it exists, git uses it, and opens few trees in walks for a path. Failure to write it is harmless. Contents
        of a kept graph are reused.
        """
        if self._graph_writer is not None or (self._graph is not None and is_recent(self._graph)):
            return
        self.add_refs()
        self._graph_writer = subprocess.Popen(
            [self.program, f"--git-dir={self._folder.name}", "commit-graph", "write", "--reachable", "--changed-paths"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            env=self._environment,
        )

    def keep_graph(self) -> None:
        """Keep the graph for other processes once it is written."""
        if not self._is_kept and self._graph_writer is not None and self._graph_writer.poll() == 0:
            self._is_kept = True
            _keep_graph(self.folders, Path(self._folder.name, "objects", _GRAPH))

    def start(self, *arguments: str | bytes) -> subprocess.Popen[bytes]:
        """Start git; `last_error` returns its error messages."""
        if any(may_name_ref(name) for name in _names_in(arguments)):
            self.add_refs()
        with self._error_log().open("ab") as error_log:
            return subprocess.Popen(
                [self.program, f"--git-dir={self._folder.name}", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=error_log,
                cwd=self._folder.name,
                env=self._environment,
            )

    def run(self, *arguments: str | bytes, stdin: bytes | None = None, failures: Sequence[int] = ()) -> bytes:
        """Return the output of a command; exit codes in `failures` are answers, too."""
        with self.start(*arguments) as process:
            output, _ = process.communicate(stdin)
        if process.returncode and process.returncode not in failures:
            raise self.failure(arguments[0])
        return output

    def failure(self, command: str | bytes) -> BirthmarkError:
        """Return the error of a command that failed, with what to do about it."""
        reason = self.last_error()
        advice = "in a partial clone, add `--fetch`; else run `git fsck`" if _LACKS.search(reason) else "run `git fsck`"
        return BirthmarkError(f"git {command!s} failed: {reason}; {advice}")

    def last_error(self) -> str:
        """Return the last line that git wrote to standard error."""
        with suppress(OSError):
            lines = self._error_log().read_text("utf-8", "replace").splitlines()
            return next((line for line in reversed(lines) if line.strip()), "no reason given")
        return "no reason given"

    def shallow(self) -> frozenset[str]:
        """Return the commits at which the history of a shallow clone ends."""
        with suppress(OSError):
            return frozenset(Path(self._folder.name, "shallow").read_text("ascii").split())
        return frozenset()

    def add_tracking(self) -> bool:
        """Make `@{upstream}` and `@{push}` work, by copying tracking settings; return False if already done."""
        if self._has_tracking:
            return False
        self._has_tracking = True
        config = os.fsdecode(self.folders.common + b"/config")
        options = ("--no-includes", "-z", "--get-regexp", _TRACKING)
        output = self.run("config", f"--file={config}", *options, failures=(1,)) if os.path.isfile(config) else b""
        with Path(self._folder.name, "config").open("ab") as file:
            for name, _, value in (record.partition(b"\n") for record in output.split(b"\0")[:-1]):
                file.write(_config_lines(name, value))
        return True

    def close(self) -> None:
        self.keep_graph()
        if self._graph_writer is not None:
            self._graph_writer.kill()
            self._graph_writer.wait()
        self._folder.cleanup()

    def _error_log(self) -> Path:
        return Path(self._folder.name, "errors")


@cache
def _remove_abandoned(temporary: str) -> None:
    """Remove the folders of this user's killed processes, once in each process.

    Processes of other containers may have the same number, or none here, so folders younger than a day stay.
    """
    with suppress(OSError), os.scandir(temporary) as entries:
        for entry in entries:
            if (found := _ABANDONED.fullmatch(entry.name)) and not is_running(int(found[1])):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    is_ours = not hasattr(os, "geteuid") or status.st_uid == os.geteuid()
                    if stat.S_ISDIR(status.st_mode) and is_ours and status.st_mtime < time.time() - _DAY:
                        shutil.rmtree(entry.path, ignore_errors=True)


def may_name_ref(revision: str) -> bool:
    """Return True if finding a revision may need a ref other than HEAD."""
    return _WITHOUT_REFS.fullmatch(revision) is None


def _names_in(arguments: Sequence[str | bytes]) -> Iterator[str]:
    """Yield the arguments that are neither options nor paths."""
    for argument in islice(arguments, 1, None):
        if argument == "--":
            return
        if isinstance(argument, str) and not argument.startswith("-"):
            yield argument


def make_environment() -> dict[str, str]:
    """Return the environment without git's variables, and with only absolute folders in PATH."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    folders = [folder for folder in inherited.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(folder)]
    return {**inherited, **_VARIABLES, "PATH": os.pathsep.join(folders)}


def find_git(path: str) -> str:
    program = shutil.which("git", path=path)
    if program is None or not os.path.isabs(program):  # Some systems search the working folder, too.
        raise BirthmarkError("git is not installed, or not on the PATH; install it to read history")
    return program


def _config_lines(name: bytes, value: bytes) -> bytes:
    """Format a setting; names of sections and values are quoted, so that none can start another setting."""
    section, _, key = name.partition(b".")
    subsection, _, key = key.rpartition(b".")
    if b"\n" in name + value:
        return b""
    head = b'[%b "%b"]' % (section, _escaped(subsection)) if subsection else b"[%b]" % section
    return b'%b\n\t%b = "%b"\n' % (head, key, _escaped(value))


def _escaped(text: bytes) -> bytes:
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def _populate(folder: Path, folders: GitFolders, head: Head, some_id: bytes) -> None:
    (folder / "objects" / "info").mkdir(parents=True)
    (folder / "refs").mkdir()
    (folder / "config").write_bytes(_CONFIGS[len(some_id)])
    if head.ref and head.commit:
        (folder / "packed-refs").write_bytes(b"%b %b\n" % (head.commit, head.ref))
    (folder / "HEAD").write_bytes((b"ref: " + head.ref if head.ref else head.commit or b"") + b"\n")
    for name in _PSEUDO_REFS:
        if id_ := read_pseudo_ref(folders, name):
            (folder / name).write_bytes(id_ + b"\n")
    _copy_shallow(folder, folders)
    _link_logs(folder, folders)


def _copy_shallow(folder: Path, folders: GitFolders) -> None:
    """Copy the list of commits at which the history of a shallow clone ends."""
    lines = read_start(folders.common + b"/shallow", _MAX_SHALLOW).splitlines()
    ids = [line for line in lines if re.fullmatch(rb"[0-9a-f]{40,64}", line)]
    if ids:
        (folder / "shallow").write_bytes(b"".join(id_ + b"\n" for id_ in ids))


def _link_logs(folder: Path, folders: GitFolders) -> None:
    """Make reflogs such as `HEAD@{1}` work; they are only read."""
    (folder / "logs").mkdir()
    with suppress(OSError):
        (folder / "logs" / "HEAD").symlink_to(os.fsdecode(folders.own + b"/logs/HEAD"))
        (folder / "logs" / "refs").symlink_to(os.fsdecode(folders.common + b"/logs/refs"))


def _quote(path: bytes) -> bytes:
    """Quote a path for a list of alternates."""
    plain = re.fullmatch(rb"/[\w./+-]*", path)
    return path if plain else b'"' + b"".join(b"\\%03o" % byte for byte in path) + b'"'


def find_graph(folders: GitFolders) -> Path | None:
    """Return the folder of objects with the kept graph; None if there is none, or another user made it."""
    folder = _folder_of(folders)
    with suppress(OSError):
        if all(_is_own(path) for path in (folder, folder / _GRAPH.parent, folder / _GRAPH)):
            return folder
    return None


def is_recent(folder: Path) -> bool:
    """Return True if a graph need not be written again yet; missing commits are read directly."""
    with suppress(OSError):
        return time.time() - (folder / _GRAPH).stat().st_mtime < _DAY
    return False


def _keep_graph(folders: GitFolders, written: Path) -> None:
    """Replace the kept graph of a repository by a new one; failure is harmless."""
    target = _folder_of(folders) / _GRAPH
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        whole = target.with_name(f"{os.getpid()}.new")
        shutil.copyfile(written, whole)
        whole.replace(target)
        _drop_oldest(target.parents[2])


def _folder_of(folders: GitFolders) -> Path:
    cache = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(cache if os.path.isabs(cache) else os.path.expanduser("~/.cache"))
    return home / "birthmark" / "graphs" / sha256(os.path.realpath(folders.common)).hexdigest()[:32]


def _is_own(path: Path) -> bool:
    status = path.lstat()
    return not stat.S_ISLNK(status.st_mode) and (not hasattr(os, "geteuid") or status.st_uid == os.geteuid())


def _drop_oldest(graphs: Path) -> None:
    """Remove the graphs that were not written for longest."""
    kept = sorted(graphs.iterdir(), key=lambda folder: folder.joinpath(_GRAPH).stat().st_mtime, reverse=True)
    for folder in kept[_MOST_GRAPHS:]:
        shutil.rmtree(folder, ignore_errors=True)
