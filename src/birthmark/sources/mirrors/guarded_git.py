"""Run git against another machine, within limits of time and size.

Takes a Remote and a git folder in which everything arrives; gives the output of a command, or says why there is none.
All processes of a command are killed together when a limit is exceeded, or when the caller is interrupted.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from birthmark.errors import BirthmarkError
from birthmark.sources.git.gitdir import find_git, make_environment
from birthmark.sources.mirrors.remotes import Remote

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


class GitLimits(NamedTuple):
    """Of all commands together."""

    max_bytes: int
    seconds: float


class GuardedGit:
    """Git with a folder of its own; what it writes, messages included, counts against the limit."""

    def __init__(self, remote: Remote, folder: Path, limits: GitLimits) -> None:
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
