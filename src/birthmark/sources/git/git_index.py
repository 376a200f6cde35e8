"""Read which paths git tracks, from its index file and without starting git.

Takes a folder of a worktree; returns whether git tracks it or anything in it. What a clone or a checkout writes into a
worktree is in the index (versions 2 to 4). Names are sorted, so reading stops after the position of the folder.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from birthmark.errors import BirthmarkError
from birthmark.sources.git.refs import GitFolders, find_git_folders, find_root, read_head
from birthmark.sources.worktree import open_regular

_HEADER_BYTES = 12
_STATUS_BYTES = 40  # before the object id of an entry
_EXTENDED = 0x40  # in the first byte of the flags: two more bytes of flags follow


def is_tracked(folder: Path) -> bool:
    """Whether git tracks a folder, as a submodule or by a file in it; links in the path to it are followed."""
    parent = Path(os.path.realpath(folder.parent))
    root = find_root(parent)
    folders = find_git_folders(root) if root else None
    if root is None or folders is None:
        return False
    path = os.fsencode((parent / folder.name).relative_to(root).as_posix())
    fold = _fold_case(parent / folder.name)
    return any(_has(index, path, fold, _id_bytes(folders)) for index in _index_files(folders))


def index_names(index: bytes | mmap.mmap, id_bytes: int = 20) -> Iterator[bytes]:
    """The names in an index file, in their order."""
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
        yield name
        start = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8


def _read_number(index: bytes | mmap.mmap, start: int) -> tuple[int, int]:
    """A number of variable length, as in packs, and where it ends."""
    number = index[start] & 0x7F
    while index[start] & 0x80:
        start += 1
        number = (number + 1 << 7) | (index[start] & 0x7F)
    return number, start + 1


def _has(index_file: bytes, path: bytes, fold: Callable[[bytes], bytes], id_bytes: int) -> bool:
    end = path.lower() + b"0"  # sorts after everything in the folder, whatever the case of its name
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
    """The index, and the parts of one that is split."""
    try:
        shared = [name for name in os.listdir(folders.own) if name.startswith(b"sharedindex.")]
    except OSError:
        shared = []
    return [folders.own + b"/" + name for name in (b"index", *shared)]


def _id_bytes(folders: GitFolders) -> int:
    head = read_head(folders)
    return len(head.commit) // 2 if head and head.commit else 20


def _fold_case(folder: Path) -> Callable[[bytes], bytes]:
    """How the file system of the folder compares names."""
    return bytes.lower if folder.with_name(folder.name.upper()).exists() else bytes
