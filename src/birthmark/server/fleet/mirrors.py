"""Bare mirrors of repositories, fetched by git within limits of time and size.

Takes the URL of a repository and a folder; gives the refs of the mirror there. What is fetched arrives in a folder of
its own beside the mirror, is checked object by object, and only then moved: first objects, then refs, so that a reader
never sees a ref without its objects, and an interrupted fetch changes nothing. Git gets no configuration but ours, runs
no hook, asks for nothing, and writes no address down. All processes of a command are killed together when a limit is
exceeded, or when the caller is interrupted.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from birthmark.errors import BirthmarkError
from birthmark.file_lock import file_lock
from birthmark.sources.git.gitdir import GitDir, find_git, make_environment
from birthmark.sources.git.refs import GitFolders, find_git_folders, is_ref_name, merge_refs, read_head, read_ref_files
from birthmark.sources.remotes import Remote, read_remote

_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
_REFSPECS = ("+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
_PACK_FILES = (".pack", ".rev", ".mtimes", ".idx")  # A pack is there when its index is, so that comes last.
_FETCH = (
    "fetch",
    "--quiet",
    "--prune",
    "--no-tags",
    "--no-write-fetch-head",
    "--no-recurse-submodules",
    "--no-auto-maintenance",
    "--no-show-forced-updates",
)

_POLL_SECONDS = 0.05
_MOST_SHOWN = 300  # characters of a message of git
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.bigFileThreshold": "16m",  # Larger blobs are streamed to the disk.
    "credential.helper": "",
    "fetch.fsckObjects": "true",
    "transfer.fsckObjects": "true",
    # Old releases of git and of other programs wrote these, and many histories have them.
    "fetch.fsck.zeroPaddedFilemode": "ignore",
    "fetch.fsck.missingSpaceBeforeDate": "ignore",
    "fetch.fsck.badTimezone": "ignore",
    "fetch.recurseSubmodules": "false",
    "fetch.unpackLimit": "1",
    "fetch.writeCommitGraph": "false",
    "gc.auto": "0",
    "http.lowSpeedLimit": "100",
    "http.lowSpeedTime": "60",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
    "transfer.credentialsInUrl": "die",
}

_SSH = "ssh -oBatchMode=yes -oClearAllForwardings=yes -oPermitLocalCommand=no"


class MirrorLimits(NamedTuple):
    """The limits of a fetch, and its protocols; `file` and `http` only where they are asked for."""

    max_bytes: int = 4 << 30  # received by one fetch, by all commands together
    seconds: float = 1800.0
    protocols: frozenset[str] = frozenset({"https", "ssh"})
    wait: float = 0.0  # for another fetch of the same mirror


def fetch_mirror(url: str, folder: Path, limits: MirrorLimits = MirrorLimits()) -> dict[str, str]:  # noqa: B008 immutable
    """Make a mirror, or bring it up to date; its branches and tags by their full names, and what they point to."""
    remote = read_remote(url, limits.protocols)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (
        file_lock(folder.parent / f".{folder.name}.lock", limits.wait, str(folder)),
        _incoming(folder) as incoming,
    ):
        git = GuardedGit(remote, incoming, limits)
        with _address(remote) as address:
            head = _default_branch(git, address)
            git.run(*_FETCH, "--", address, *_REFSPECS)
        _take_over(incoming, folder, head)
    return refs_of(folder)


def refs_of(mirror: Path) -> dict[str, str]:
    """The refs of a mirror by their full names, and the ids that they point to."""
    path = os.fsencode(mirror)
    found = merge_refs(*read_ref_files(GitFolders(path, path)))
    return {name.decode("utf-8", "surrogateescape"): id_.decode() for name, id_ in sorted(found.items())}


@contextmanager
def _incoming(folder: Path) -> Iterator[Path]:
    """An empty repository beside the mirror that sees the objects and refs of the mirror; deleted afterwards."""
    prefix = f".{folder.name}.incoming-"
    for left in folder.parent.glob(f"{prefix}*"):  # by a run that was killed; the lock says that none is running
        shutil.rmtree(left, ignore_errors=True)
    incoming = Path(tempfile.mkdtemp(prefix=prefix, dir=folder.parent))
    try:
        _initialise(incoming)
        if folder.exists():
            _see_objects(incoming, folder)
        yield incoming
    finally:
        shutil.rmtree(incoming, ignore_errors=True)


def _initialise(folder: Path) -> None:
    (folder / "objects" / "pack").mkdir(parents=True)
    (folder / "objects" / "info").mkdir()
    (folder / "refs").mkdir()
    (folder / "config").write_text(_CONFIG)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")


def _see_objects(incoming: Path, folder: Path) -> None:
    if not (folder / "objects" / "pack").is_dir() or (folder / "HEAD").is_symlink():
        raise BirthmarkError(f"{folder}: is there already and is no mirror; name another folder")
    objects = os.path.abspath(folder / "objects")
    if "\n" in objects or objects.startswith('"'):
        raise BirthmarkError(f"{objects!r}: git cannot borrow objects from a folder of that name; name another")
    (incoming / "objects" / "info" / "alternates").write_text(f"{objects}\n", "utf-8", "surrogateescape")
    (incoming / "packed-refs").write_bytes(_packed(refs_of(folder)))


@contextmanager
def _address(remote: Remote) -> Iterator[str]:
    """Give what git fetches from: for a folder of this machine, a private one without the folder's configuration."""
    if remote.protocol != "file":
        yield remote.url
        return
    root = Path(unquote(urlsplit(remote.url).path))
    folders = find_git_folders(root.parent if root.name == ".git" else root)
    head = read_head(folders) if folders is not None else None
    if folders is None or head is None:
        raise BirthmarkError(f"{remote.url}: was not fetched: there is no repository that can be read")
    with closing(GitDir(folders, head)) as private:
        private.add_refs()
        yield private.path.as_uri()


def _default_branch(git: GuardedGit, address: str) -> str:
    """The branch of the other side's HEAD; `refs/heads/main` where it names none."""
    for line in git.run("ls-remote", "--symref", "--", address, "HEAD").decode("utf-8", "replace").splitlines():
        target, tab, name = line.partition("\t")
        ref = target.removeprefix("ref: ")
        if tab and name == "HEAD" and ref != target and ref.startswith("refs/heads/") and is_ref_name(ref):
            return ref
    return "refs/heads/main"


def _take_over(incoming: Path, folder: Path, head: str) -> None:
    refs = refs_of(incoming)
    (incoming / "HEAD").write_text(f"ref: {head}\n")
    (incoming / "packed-refs").write_bytes(_packed(refs))
    if not folder.exists():
        made = Path(tempfile.mkdtemp(prefix=incoming.name, dir=folder.parent))
        _initialise(made)
        _move_packs(incoming, made)
        _replace_refs(incoming, made)
        made.chmod(0o755)
        made.rename(folder)
        return
    _move_packs(incoming, folder)
    _replace_refs(incoming, folder)


def _move_packs(incoming: Path, folder: Path) -> None:
    """Packs are named by what is in them: one that is there already is the same."""
    packs = incoming / "objects" / "pack"
    for suffix in _PACK_FILES:
        for file in sorted(packs.glob(f"pack-*{suffix}")):
            file.replace(folder / "objects" / "pack" / file.name)


def _replace_refs(incoming: Path, folder: Path) -> None:
    for name in ("packed-refs", "HEAD"):
        (incoming / name).replace(folder / name)


def _packed(refs: dict[str, str]) -> bytes:
    lines = [f"{id_} {name}\n" for name, id_ in sorted(refs.items(), key=lambda one: os.fsencode(one[0]))]
    return "".join(lines).encode("utf-8", "surrogateescape")


class GuardedGit:
    """Git with a folder of its own; what it writes, messages included, counts against the limit."""

    def __init__(self, remote: Remote, folder: Path, limits: MirrorLimits) -> None:
        self._remote, self._folder, self._limits = remote, folder, limits
        self._deadline = time.monotonic() + limits.seconds
        self._environment = make_environment() | _variables(remote)
        self._program = find_git(self._environment["PATH"])

    def run(self, *arguments: str) -> bytes:
        output, messages = self._folder / "output", self._folder / "messages"
        with output.open("wb") as stdout, messages.open("wb") as stderr:
            process = subprocess.Popen(
                [self._program, f"--git-dir={self._folder}", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                cwd=self._folder,
                env=self._environment,
                start_new_session=True,
            )
            try:
                self._watch(process)
            finally:
                _kill(process)
        if process.returncode:
            raise self._error(_reason(messages))
        return output.read_bytes()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        while True:
            try:
                process.wait(_POLL_SECONDS)
            except subprocess.TimeoutExpired:
                self._check()
            else:
                self._check()
                return

    def _check(self) -> None:
        if time.monotonic() >= self._deadline:
            raise self._error(f"took more than {self._limits.seconds:g} seconds")
        if _size_of(self._folder) > self._limits.max_bytes:
            raise self._error(f"is larger than {self._limits.max_bytes:,} bytes")

    def _error(self, reason: str) -> BirthmarkError:
        return BirthmarkError(f"{self._remote.url}: was not fetched: {self._remote.conceal(reason)[:_MOST_SHOWN]}")


def _variables(remote: Remote) -> dict[str, str]:
    """Settings are passed by the environment: command lines can be read by every user of a machine."""
    settings = _SETTINGS | {f"protocol.{remote.protocol}.allow": "always", "http.followRedirects": "initial"}
    if remote.authorization is not None:
        # What is sent to one host is not for another.
        settings |= {f"http.{remote.url}.extraHeader": remote.authorization, "http.followRedirects": "false"}
    variables = {"GIT_ALLOW_PROTOCOL": remote.protocol, "GIT_SSH_COMMAND": _SSH, "GIT_ASKPASS": "", "SSH_ASKPASS": ""}
    for number, (name, value) in enumerate(settings.items()):
        variables |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return {**variables, "GIT_CONFIG_COUNT": str(len(settings))}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """With all that it has started; a helper may go on when git has ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _size_of(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except FileNotFoundError:  # It was renamed meanwhile.
                continue
    return total


def _reason(messages: Path) -> str:
    """The first error of the last ones: what follows from it comes later."""
    with messages.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
        lines = file.read().decode("utf-8", "replace").splitlines()
    errors = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    found = errors or [line for line in lines if line.strip()]
    return found[0].removeprefix("fatal: ").removeprefix("error: ") if found else "no reason given"
