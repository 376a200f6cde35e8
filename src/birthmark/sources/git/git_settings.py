"""The settings of a repository's git that are read without obeying them: its user's name and the URL of `origin`.

Takes the root of a worktree. The files of settings are read one by one, without what they include, and in the private
folder: nothing in them is obeyed. A repository is called by the URL that it was cloned from, as all its clones know it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from birthmark.errors import BirthmarkError
from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.worktree import read_start

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository

_LONGEST = 200  # characters of a name
_MAX_CONFIG = 1 << 20  # bytes
_SECTION = re.compile(r"^\s*\[\s*remote\s+\"origin\"\s*\]", re.IGNORECASE)
_URL = re.compile(r"^\s*url\s*=\s*\"?([^\"\s]+)", re.IGNORECASE)
_SHORT = re.compile(r"^(?:[^/@:]+@)?([^/:@]+):(?!//)(.+)$")  # git@host:owner/name


def read_user_name(git: GitRepository, root: Path) -> str | None:
    """The repository's own setting goes before that of the user; None where neither has one."""
    found = (_read(git, file) for file in _setting_files(root) if os.path.isfile(file))
    return next((name for name in found if name), None)


def _setting_files(root: Path) -> Iterator[str]:
    folders = find_git_folders(root)
    if folders is not None:
        yield os.fsdecode(folders.common + b"/config")
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    yield from [chosen] if chosen is not None else [os.path.expanduser("~/.gitconfig"), f"{config}/git/config"]


def _read(git: GitRepository, file: str) -> str | None:
    """A file that git cannot read has no setting."""
    try:
        output = git.run("config", f"--file={file}", "--no-includes", "-z", "--get", b"user.name", failures=(1,))
    except BirthmarkError:
        return None
    name = output.partition(b"\0")[0].decode("utf-8", "replace")
    return " ".join(name.split())[:_LONGEST] or None


def origin_name(root: Path) -> str | None:
    """`host/owner/name` of the remote `origin`, without user and password; None where there is none."""
    folders = find_git_folders(root)
    if folders is None:
        return None
    lines = read_start(folders.common + b"/config", _MAX_CONFIG).decode("utf-8", "replace").splitlines()
    is_origin = False
    for line in lines:
        if line.lstrip().startswith("["):
            is_origin = bool(_SECTION.match(line))
        elif is_origin and (found := _URL.match(line)):
            return normalize_url(found[1])
    return None


def normalize_url(url: str) -> str:
    """The same for every way to write where a repository is."""
    short = _SHORT.match(url)
    parts = urlsplit(f"ssh://{short[1]}/{short[2]}" if short else url)
    host = (parts.hostname or "").lower() + (f":{parts.port}" if parts.port else "")
    return (host + parts.path).rstrip("/").removesuffix(".git") or url
