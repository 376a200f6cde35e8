"""Find the files of a commit that an index of its worktree would contain.

Takes the entries of the commit's tree; gives a Discovery, by the same rules as `discover.py`: ignore rules and
attributes are those of the commit and of this clone. Files have neither times nor inodes, because their blobs show
changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from posixpath import basename
from typing import TYPE_CHECKING

from birthmark.sources.discover import NOT_IN_CLONE, FileWalk, WalkedFolder, file_entry, put_entry
from birthmark.sources.ignores import split_rules
from birthmark.sources.worktree import Entry, NamedEntry

if TYPE_CHECKING:
    from birthmark.sources.git.repository import GitRepository


class TreeWalk(FileWalk):
    """Walk the tree of a commit; `known_sizes`, by blob, saves asking git."""

    def __init__(
        self,
        git: GitRepository,
        root: Path,
        commit: str,
        wants: Callable[[str], bool],
        max_bytes: int,
        known_sizes: Mapping[str, int],
        *,
        third_party: bool = False,
    ) -> None:
        super().__init__(root, wants, max_bytes, third_party=third_party)
        files = git.tree(commit)
        asked = {one.blob for path, one in files.items() if one.blob not in known_sizes and wants(basename(path))}
        self._git, self._sizes = git, {**known_sizes, **git.sizes(asked)}
        self._blobs: dict[bytes, str] = {}
        self._folders: dict[bytes, dict[bytes, NamedEntry]] = {b"": {}}
        for file in files.values():
            name = file.os_path.rpartition(b"/")[2]
            put_entry(self._folders, file.os_path, file_entry(name, partial(self._size_of, file.blob)))
            self._blobs[file.os_path] = file.blob

    def _size_of(self, blob: str) -> int:
        """Return the size of a blob; raise a KeyError if this clone lacks it."""
        return self._sizes[blob] if blob in self._sizes else self._git.sizes([blob])[blob]

    def _take_listed(self, folder: WalkedFolder) -> None:
        entries = self._folders[folder.path]
        admitted = self._admit(self._with_rules(folder, entries), entries)
        if admitted is not None:
            self._visit(admitted, entries)

    def _read_rules(self, path: bytes) -> list[bytes]:
        return split_rules(self._git.read(self._blobs[path]))

    def _add(self, folder: WalkedFolder, entry: Entry, wanted: bool) -> None:
        try:
            super()._add(folder, entry, wanted)
        except KeyError:
            self._report(os.path.join(folder.path, entry.name), NOT_IN_CLONE)
