"""Read git's own files without obeying them: tracked paths from the index, and names from the settings.

Takes the root or a folder of a worktree. What a clone or a checkout writes into a worktree is in the index (versions 2
to 4), in which names are sorted. Files of settings are read one by one, without their includes. A repository is named
after the URL that it was cloned from, which all its clones share.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from birthmark.errors import BirthmarkError
from birthmark.sources.git.refs import GitFolders, find_git_folders, find_root, read_head
from birthmark.sources.worktree import open_regular, read_start

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository

_HEADER_BYTES = 12
_STATUS_BYTES = 40  # before the object id of an entry
_EXTENDED = 0x40  # in the first byte of the flags: two more bytes of flags follow
_SKIPPED = 0x40  # in the first of these: skip-worktree
_MODE_AT, _KIND_SHIFT, _FILE, _FOLDER = 24, 12, 0o10, 0o04
_LONGEST = 200  # characters of a name
_MAX_CONFIG = 1 << 20  # bytes
_SECTION = re.compile(r"^\s*\[\s*remote\s+\"origin\"\s*\]", re.IGNORECASE)
_URL = re.compile(r"^\s*url\s*=\s*\"?([^\"\s]+)", re.IGNORECASE)
_SHORT = re.compile(r"^(?:[^/@:]+@)?([^/:@]+):(?!//)(.+)$")  # git@host:owner/name


def is_tracked(folder: Path) -> bool:
    """Return True if git tracks a folder, as a submodule or by a file in it; links in its path are followed."""
    parent = Path(os.path.realpath(folder.parent))
    root = find_root(parent)
    folders = find_git_folders(root) if root else None
    if root is None or folders is None:
        return False
    path = os.fsencode((parent / folder.name).relative_to(root).as_posix())
    fold = _fold_case(parent / folder.name)
    return any(_has(index, path, fold, id_bytes_of(folders)) for index in _index_files(folders))


def index_names(index: bytes | mmap.mmap, id_bytes: int = 20) -> Iterator[bytes]:
    """Yield the names in an index file, in order."""
    return (name for _, name in _index_entries(index, id_bytes))


# The name and id of an entry that is not in the worktree. It is a file or, if True, in a sparse index a folder, whose
# name ends with a slash.
SkippedEntry = tuple[bytes, str, bool]


def read_skipped(index: bytes, id_bytes: int = 20) -> Iterator[SkippedEntry]:
    """Yield the entries that git does not write into the worktree."""
    for start, name in _index_entries(index, id_bytes):
        flags, id_at = start + _STATUS_BYTES + id_bytes, start + _STATUS_BYTES
        if index[flags] & _EXTENDED and index[flags + 2] & _SKIPPED:
            kind = int.from_bytes(index[start + _MODE_AT : start + _MODE_AT + 4]) >> _KIND_SHIFT
            if kind in (_FILE, _FOLDER):
                yield name, index[id_at : id_at + id_bytes].hex(), kind == _FOLDER


def _index_entries(index: bytes | mmap.mmap, id_bytes: int) -> Iterator[tuple[int, bytes]]:
    """Yield where each entry begins, and its name."""
    version = int.from_bytes(index[4:8])
    if index[:4] != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("not an index of version 2, 3 or 4")
    start, name = _HEADER_BYTES, b""
    for _ in range(int.from_bytes(index[8:_HEADER_BYTES])):
        flags = start + _STATUS_BYTES + id_bytes
        first = flags + (4 if index[flags] & _EXTENDED else 2)
        kept = 0
        if version == 4:
            n_stripped, first = _read_number(index, first)
            kept = len(name) - n_stripped
        end = index.find(b"\0", first)
        if end < 0 or kept < 0:
            raise ValueError("an entry has no end")
        name = name[:kept] + index[first:end]
        yield start, name
        start = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8


def _read_number(index: bytes | mmap.mmap, start: int) -> tuple[int, int]:
    """Read a number of variable length, as in packs; return it and its end."""
    number = index[start] & 0x7F
    while index[start] & 0x80:
        start += 1
        number = (number + 1 << 7) | (index[start] & 0x7F)
    return number, start + 1


def _has(index_file: bytes, path: bytes, fold: Callable[[bytes], bytes], id_bytes: int) -> bool:
    end = path.lower() + b"0"  # sorts after everything in the folder, in any case
    wanted, inside = fold(path), fold(path) + b"/"
    try:
        with open_regular(index_file) as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as index:
            for name in index_names(index, id_bytes):
                if name > end:
                    return False
                if fold(name) == wanted or fold(name).startswith(inside):
                    return True
    except FileNotFoundError:
        return False
    except (OSError, ValueError, IndexError) as error:
        raise BirthmarkError(f"{os.fsdecode(index_file)}: cannot be read: {error}; run `git fsck`") from error
    return False


def _index_files(folders: GitFolders) -> list[bytes]:
    """Return the files of the index, which may be split."""
    try:
        shared = [name for name in os.listdir(folders.own) if name.startswith(b"sharedindex.")]
    except OSError:
        shared = []
    return [folders.own + b"/" + name for name in (b"index", *shared)]


def id_bytes_of(folders: GitFolders) -> int:
    head = read_head(folders)
    return len(head.commit) // 2 if head and head.commit else 20


def _fold_case(folder: Path) -> Callable[[bytes], bytes]:
    """Return the function by which the file system of a folder compares names."""
    return bytes.lower if folder.with_name(folder.name.upper()).exists() else bytes


def read_user_name(git: GitRepository, root: Path) -> str | None:
    """Return the setting of the repository, or else of the user; None if neither has one."""
    found = (_read_setting(git, file) for file in _setting_files(root) if os.path.isfile(file))
    return next((name for name in found if name), None)


def _setting_files(root: Path) -> Iterator[str]:
    folders = find_git_folders(root)
    if folders is not None:
        yield os.fsdecode(folders.common + b"/config")
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    yield from [chosen] if chosen is not None else [os.path.expanduser("~/.gitconfig"), f"{config}/git/config"]


def _read_setting(git: GitRepository, file: str) -> str | None:
    """Read the user's name from a file; None if git cannot read it."""
    try:
        output = git.run("config", f"--file={file}", "--no-includes", "-z", "--get", b"user.name", failures=(1,))
    except BirthmarkError:
        return None
    name = output.partition(b"\0")[0].decode("utf-8", "replace")
    return " ".join(name.split())[:_LONGEST] or None


def origin_name(root: Path) -> str | None:
    """Return `host/owner/name` of the remote `origin`, without user and password; None if there is none."""
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
    """Return one form for all spellings of a repository's URL."""
    short = _SHORT.match(url)
    parts = urlsplit(f"ssh://{short[1]}/{short[2]}" if short else url)
    host = (parts.hostname or "").lower() + (f":{parts.port}" if parts.port else "")
    return (host + parts.path).rstrip("/").removesuffix(".git") or url
