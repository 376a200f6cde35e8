"""Find the files of a commit that a worktree of it would have indexed.

Takes the entries of the commit's tree; gives a Discovery, by the same rules as `discover.py`: ignore rules and
attributes are those of the commit, and of this clone. A file has neither times nor an inode: its blob says whether it
has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from birthmark.sources.discover import NOT_IN_CLONE, Discovery, Entries, FileWalk, FoundEntry, WalkedFolder
from birthmark.sources.ignores import split_rules

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository, TreeEntry


def discover_tree(
    git: GitRepository,
    root: Path,
    commit: str,
    wants: Callable[[str], bool],
    max_bytes: int,
    known_sizes: Mapping[str, int],
) -> Discovery:
    """`known_sizes`, by blob, need not be asked of git."""
    entries = git.tree(commit).items()
    asked = {one.blob for path, one in entries if one.blob not in known_sizes and wants(path.rpartition("/")[2])}
    sizes = {**known_sizes, **git.sizes(asked)}
    return _TreeWalk(git, root, (one for _, one in entries), wants, max_bytes, sizes).run()


class _TreeStatus(NamedTuple):
    st_size: int
    st_mtime_ns: int = 0
    st_ctime_ns: int = 0
    st_ino: int = 0


class _CommittedFile(NamedTuple):
    """A file, or a folder, which has no blob."""

    name: bytes
    blob: str | None
    size_of: Callable[[str], int]  # raises a KeyError where this clone lacks the blob

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        return self.blob is None

    def is_file(self, *, follow_symlinks: bool) -> bool:
        return self.blob is not None

    def stat(self, *, follow_symlinks: bool) -> _TreeStatus:
        return _TreeStatus(self.size_of(self.blob or ""))


class _TreeWalk(FileWalk):
    def __init__(
        self,
        git: GitRepository,
        root: Path,
        files: Iterable[TreeEntry],
        wants: Callable[[str], bool],
        max_bytes: int,
        sizes: Mapping[str, int],
    ) -> None:
        super().__init__(root, wants, max_bytes)
        self._git, self._sizes = git, sizes
        self._blobs: dict[bytes, str] = {}
        self._folders: dict[bytes, dict[bytes, _CommittedFile]] = {b"": {}}
        for file in files:
            self._put(file.os_path, file.blob)
            self._blobs[file.os_path] = file.blob

    def _put(self, path: bytes, blob: str | None) -> None:
        """With those folders above it that are new."""
        is_new = True
        while is_new:
            folder, slash, name = path.rpartition(b"/")
            is_new = folder + slash not in self._folders
            self._folders.setdefault(folder + slash, {})[name] = _CommittedFile(name, blob, self._size_of)
            path, blob = folder, None

    def _size_of(self, blob: str) -> int:
        return self._sizes[blob] if blob in self._sizes else self._git.sizes([blob])[blob]

    def _take_listed(self, folder: WalkedFolder) -> None:
        entries: Entries = self._folders[folder.path]
        self._visit(self._with_rules(folder, entries), entries)

    def _read_rules(self, path: bytes) -> list[bytes]:
        return split_rules(self._git.read(self._blobs[path]))

    def _add(self, folder: WalkedFolder, entry: FoundEntry, wanted: bool) -> None:
        try:
            super()._add(folder, entry, wanted)
        except KeyError:
            self._report(os.path.join(folder.path, entry.name), NOT_IN_CLONE)
