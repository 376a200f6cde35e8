"""Read commits, trees and blobs with git's plumbing.

Takes the root of a worktree; gives a Repository. Git is started in a private folder only (`gitdir.py`), and never
asked about the worktree, which we read ourselves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.sources.catfile import CatFile, GitObject
from birthmark.sources.discover import write_path
from birthmark.sources.gitdir import GitDir
from birthmark.sources.refs import (
    branch_name,
    current_branch,
    current_head,
    find_git_folders,
    find_root,
    main_root,
    read_head,
)

__all__ = ["ChangedFile", "Repository", "TreeEntry", "current_branch", "current_head", "find_root", "main_root"]

_FILE_MODE = b"100"  # what the modes of regular files begin with; links and submodules have others
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_FETCH = "fetch it with git, or clone in full"
_BATCH = 64  # Ids asked for at once: few enough for a pipe, and for memory to hold their blobs.


class TreeEntry(NamedTuple):
    """A regular file of a commit."""

    mode: int
    blob: str
    os_path: bytes


class ChangedFile(NamedTuple):
    """A file that differs between two commits; None where there is none."""

    path: str
    old_blob: str | None
    new_blob: str | None


class Repository:
    """A repository opened for reading, with the refs it had at that moment; to be closed, or used with `with`."""

    def __init__(self, root: Path) -> None:
        folders = find_git_folders(root)
        if folders is not None and os.path.isdir(folders.common + b"/reftable"):
            raise BirthmarkError(f"{root}: keeps its refs in tables; `git refs migrate --ref-format=files` mends that")
        head = read_head(folders) if folders else None
        if folders is None or head is None:
            raise BirthmarkError(f"{root}: is no git repository that can be read; name a folder that holds one")
        self._head = head
        self._git_dir = GitDir(folders, head)
        self._contents = CatFile(self._git_dir, with_contents=True)
        self._checks = CatFile(self._git_dir, with_contents=False)

    def head(self) -> str | None:
        """The commit of HEAD; None before the first."""
        return self._head.commit.decode() if self._head.commit else None

    def branch(self) -> str | None:
        """The branch of HEAD; None when detached."""
        return branch_name(self._head)

    def resolve(self, revision: str) -> str:
        """The commit that a revision means, in any of git's ways to name one."""
        found = self._look_up(revision)
        if found is not None and found.type == "tag":
            found = self._look_up(f"{found.id}^{{}}")
        if found is None:
            raise NotFoundError(f"unknown revision {revision!r}; name one branch, tag or commit that this clone has")
        if found.type != "commit":
            raise BirthmarkError(f"revision {revision!r} is a {found.type}; name a branch, tag or commit")
        return found.id

    def tree(self, revision: str) -> dict[str, TreeEntry]:
        """The regular files of a commit by their paths; of two paths written alike the first is kept."""
        entries: dict[str, TreeEntry] = {}
        for record in _split(self._git_dir.run("ls-tree", "-r", "-z", self.resolve(revision))):
            about, _, path = record.partition(b"\t")
            mode, _, blob = about.split(b" ")
            if mode.startswith(_FILE_MODE):
                entries.setdefault(write_path(path), TreeEntry(int(mode, 8), blob.decode(), path))
        return entries

    def changed(self, old: str | None, new: str) -> list[ChangedFile]:
        """The regular files whose content differs between two commits, or all of `new` if there is no `old`."""
        if old is None:
            return [ChangedFile(path, None, entry.blob) for path, entry in self.tree(new).items()]
        options = ("-r", "-z", "--raw", "--no-renames", "--no-ext-diff", "--no-textconv")
        output = self._git_dir.run("diff-tree", *options, self.resolve(old), self.resolve(new))
        return read_changes(b"\0" + output, 1)[0]

    def read(self, blob: str) -> bytes:
        """The content of a blob, or of any other object."""
        return next(self.read_many([blob]))[1]

    def read_many(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The contents of many blobs, in their order; ask for `sizes` first where they may be large."""
        for blob, answer in _ask(self._contents, blobs):
            if answer is None:
                raise BirthmarkError(f"object {blob} is not in this clone; {_FETCH}")
            yield blob, answer.content

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """How many bytes blobs have; those that this clone lacks are left out."""
        return {blob: answer.size for blob, answer in _ask(self._checks, blobs) if answer is not None}

    def blob_at(self, commit: str, path: bytes) -> str | None:
        """The regular file that a commit has at a path."""
        if b"\n" in path:
            entry = self.tree(commit).get(write_path(path))
            return entry.blob if entry else None
        found = self._checks.ask([commit.encode() + b":" + path])[0]
        if found is None:
            self._check_absence(commit, path)
        return found.id if found is not None and found.type == "blob" else None

    def _check_absence(self, commit: str, path: bytes) -> None:
        """A file that is not there is one thing, an object that the clone lacks another."""
        about = self._git_dir.run("ls-tree", "-z", commit, "--", path).partition(b"\t")[0].split(b" ")
        if about[0].startswith(_FILE_MODE):
            raise BirthmarkError(f"object {about[2].decode()} is not in this clone; {_FETCH}")

    def shallow(self) -> frozenset[str]:
        """The commits that have parents which this clone was made without."""
        return self._git_dir.shallow()

    def run(self, *arguments: str | bytes, questions: bytes | None = None) -> bytes:
        """The output of a command that reads; some are asked by their input."""
        return self._git_dir.run(*arguments, questions=questions)

    def close(self) -> None:
        self._contents.close()
        self._checks.close()
        self._git_dir.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _look_up(self, revision: str) -> GitObject | None:
        """Revisions go to git by a pipe, a line each, where none can pass for an option."""
        if not revision or "\n" in revision or "\0" in revision:
            return None
        return self._checks.ask([os.fsencode(revision)])[0]


def _ask(process: CatFile, ids: Iterable[str]) -> Iterator[tuple[str, GitObject | None]]:
    remaining = iter(ids)
    while batch := list(islice(remaining, _BATCH)):
        yield from zip(batch, process.ask([_check_id(id_) for id_ in batch]), strict=True)


def _check_id(id_: str) -> bytes:
    if not _ID.fullmatch(id_):
        raise BirthmarkError(f"{id_!r} is no object id; give all its 40 or 64 hexadecimal digits")
    return id_.encode()


def _split(output: bytes) -> list[bytes]:
    return output.split(b"\0")[:-1]


def read_changes(output: bytes, n_commits: int) -> list[list[ChangedFile]]:
    """What `diff-tree` tells of commits: the id of each, then two records a file."""
    changes: list[list[ChangedFile]] = []
    records = iter(_split(output))
    for record in records:
        if not record.startswith(b":"):
            changes.append([])
            continue
        change = _read_change(record, next(records))
        if change.old_blob != change.new_blob:
            changes[-1].append(change)
    assert len(changes) == n_commits, "git tells of every commit"
    return changes


def _read_change(about: bytes, path: bytes) -> ChangedFile:
    """A record such as `:100644 000000 <old id> <new id> D`."""
    old_mode, new_mode, old_id, new_id, _ = about.removeprefix(b":").split(b" ")
    old_blob, new_blob = (
        id_.decode() if mode.startswith(_FILE_MODE) else None for mode, id_ in ((old_mode, old_id), (new_mode, new_id))
    )
    return ChangedFile(write_path(path), old_blob, new_blob)
