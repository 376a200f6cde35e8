"""The files of a sparse checkout that git does not write into the worktree, and takes for unchanged.

Takes the root of a worktree; gives the files that its index marks with `skip-worktree`, with their blobs. They are read
from git as if they were there; a file that is there in spite of the mark is read from the disk.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from birthmark.errors import BirthmarkError
from birthmark.sources.discover import SkippedFiles
from birthmark.sources.git.git_files import SkippedEntry, id_bytes_of, read_skipped
from birthmark.sources.git.refs import find_git_folders

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository

_VERSION_AT = slice(4, 8)
_SPARSE = b"/info/sparse-checkout"


def find_skipped(
    root: Path, open_git: Callable[[], GitRepository], known_sizes: Callable[[], Mapping[str, int]]
) -> SkippedFiles | None:
    """Return the skipped files of a worktree; None if there are none, without starting git."""
    entries = _entries_of(root)
    if not entries:
        return None
    git = open_git()
    blobs = dict(_expand(git, entries))
    known = known_sizes()
    sizes = {**known, **git.sizes(blob for blob in blobs.values() if blob not in known)}
    return SkippedFiles(blobs, sizes, git.read)


def _expand(git: GitRepository, entries: tuple[SkippedEntry, ...]) -> Iterator[tuple[bytes, str]]:
    """Yield the files of entries; one of a sparse index may be a folder."""
    for name, id_, is_folder in entries:
        if is_folder:
            yield from ((name + path, blob) for path, blob in git.files_below(id_))
        else:
            yield name, id_


def _entries_of(root: Path) -> tuple[SkippedEntry, ...]:
    folders = find_git_folders(root)
    path = folders.own + b"/index" if folders is not None else b""
    try:
        with open(path, "rb") as file:
            version, status = int.from_bytes(file.read(8)[_VERSION_AT]), os.fstat(file.fileno())
    except OSError:
        return ()
    assert folders is not None
    # Only version 3, and 4 where it is asked for, can mark entries.
    if version < 3 or (version > 3 and not os.path.exists(folders.own + _SPARSE)):
        return ()
    return _read_entries(path, id_bytes_of(folders), (status.st_mtime_ns, status.st_size, status.st_ino))


@lru_cache(8)
def _read_entries(path: bytes, id_bytes: int, status: tuple[int, int, int]) -> tuple[SkippedEntry, ...]:
    """Read the entries again when the status of the index has changed."""
    try:
        with open(path, "rb") as file:
            return tuple(read_skipped(file.read(), id_bytes))
    except (OSError, ValueError, IndexError) as error:
        raise BirthmarkError(f"{os.fsdecode(path)}: cannot be read: {error}; run `git fsck`") from error
