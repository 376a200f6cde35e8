"""Who works in a repository, by git's setting `user.name`.

The files of settings are read one by one, without what they include, and in the private folder: nothing in them is
obeyed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from birthmark.errors import BirthmarkError
from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.git.repository import GitRepository

_LONGEST = 200  # characters of a name


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
