"""Read commits, trees and blobs with git's plumbing.

Takes the root of a worktree; returns a GitRepository. Git runs only in a private folder (`gitdir.py`) and never reads
the worktree, unlike `discover.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from threading import TIMEOUT_MAX, Timer
from typing import NamedTuple, Self

from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.sources.discover import write_path
from birthmark.sources.git.fetching import fetch_objects, find_promisor, may_fetch
from birthmark.sources.git.gitdir import GitDir, may_name_ref
from birthmark.sources.git.objects import RAW_CHANGES, GitObject, GitProcess, compare, look_up
from birthmark.sources.git.refs import (
    branch_name,
    current_branch,
    current_head,
    find_git_folders,
    find_root,
    main_root,
    read_head,
    short_name,
)

__all__ = ["ChangedFile", "GitRepository", "TreeEntry", "current_branch", "current_head", "find_root", "main_root"]

_FILE_MODE = b"100"  # prefix of the modes of regular files, unlike links and submodules
_FOLDER_MODE = b"40000"
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_TRACKING = re.compile(r"@\{(?:u|upstream|push)\}", re.I)
_FETCH = "fetch it with git or `--fetch`, or clone in full"
_FOLDERS = 1024  # with entries in memory
_BLOBS = 4096  # by commit and path, in memory
_WALKS = 8
_BATCH = 64  # ids per request: few enough for a pipe, and for their blobs in memory


class TreeEntry(NamedTuple):
    """A regular file of a commit."""

    blob: str
    os_path: bytes


class ChangedFile(NamedTuple):
    """A file that differs between two commits; a blob is None where the file does not exist."""

    path: str
    old_blob: str | None
    new_blob: str | None


class GitRepository:
    """A repository opened for reading, with its refs at that time; a context manager."""

    def __init__(self, root: Path, report: Callable[[str], None] = lambda reason: None) -> None:
        """`report` is told once if the clone lacks objects and they cannot be fetched."""
        folders = find_git_folders(root)
        if folders is not None and os.path.isdir(folders.common + b"/reftable"):
            raise BirthmarkError(
                f"{root}: keeps its refs in tables, which are not supported; run `git refs migrate --ref-format=files`"
            )
        head = read_head(folders) if folders else None
        if folders is None or head is None:
            raise BirthmarkError(f"{root}: is not a readable git repository; name a folder that is one")
        self._head = head
        self._git_dir = GitDir(folders, head)
        self._contents = GitProcess(self._git_dir, "cat-file", "--batch")
        self._checks = GitProcess(self._git_dir, "cat-file", "--batch-check")
        self._find_objects = partial(look_up, self._contents, with_contents=True)
        self._find_headers = partial(look_up, self._checks, with_contents=False)
        self._diff_tree = GitProcess(self._git_dir, "diff-tree", "--stdin", "--always", *RAW_CHANGES)
        self._n_walks, self._has_all_folders = 0, False
        self._report = report
        self._promisor = find_promisor(self._git_dir) if may_fetch() else None
        self._entries_of = lru_cache(_FOLDERS)(self._read_folder)
        self.blob_at = lru_cache(_BLOBS)(self._find_blob)

    def head(self) -> str | None:
        """Return the commit of HEAD; None before the first."""
        return self._head.commit.decode() if self._head.commit else None

    def branch(self) -> str | None:
        """Return the branch of HEAD; None if detached."""
        return branch_name(self._head)

    def resolve(self, revision: str) -> str:
        """Return the commit of a revision in any syntax of git."""
        found = self.find(revision)
        if found is None:
            raise NotFoundError(f"unknown revision {revision!r}; name one branch, tag or commit that this clone has")
        return found

    def _commit_id(self, revision: str) -> str:
        """Return the id of a revision, without looking up an id."""
        return revision if _ID.fullmatch(revision) else self.resolve(revision)

    def find(self, revision: str) -> str | None:
        """Return the commit of a revision in any syntax of git; None if there is none."""
        found = self._look_up(revision)
        if found is not None and found.type == "tag":
            found = self._look_up(f"{found.id}^{{}}")
        if found is not None and found.type != "commit":
            raise BirthmarkError(f"revision {revision!r} is a {found.type}; name a branch, tag or commit")
        return found.id if found is not None else None

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor of two commits; None if they have none."""
        output = self._git_dir.run("merge-base", self.resolve(one), self.resolve(other), failures=(1,))
        return output.decode().strip() or None

    def commits_beginning(self, digits: str) -> list[str]:
        """Return the commits whose ids begin with some hexadecimal digits."""
        ids = self._git_dir.run("rev-parse", f"--disambiguate={digits}").decode().split()
        found = zip(ids, self._find_headers([_check_id(id_) for id_ in ids]), strict=True)
        return [id_ for id_, answer in found if answer is not None and answer.type == "commit"]

    def ref_names(self) -> list[str]:
        """Return branches, tags and branches of remotes, as written in revisions."""
        return [short_name(name) for name in self._git_dir.refs]

    def ref_ids(self) -> set[str]:
        """Return the objects that refs point to."""
        return {id_.decode() for id_ in self._git_dir.refs.values()}

    def tree(self, revision: str) -> dict[str, TreeEntry]:
        """Return the regular files of a commit by path; of two paths written alike, the first."""
        entries: dict[str, TreeEntry] = {}
        commit = self.resolve(revision)
        self._fetch_folders([commit])
        for path, blob in self._list(commit):
            entries.setdefault(write_path(path), TreeEntry(blob, path))
        return entries

    def files_below(self, tree: str) -> Iterator[tuple[bytes, str]]:
        """Return the regular files below a tree, with their blobs."""
        self.fetch_missing([tree])
        return self._list(tree)

    def _list(self, tree: str) -> Iterator[tuple[bytes, str]]:
        for record in _split(self._git_dir.run("ls-tree", "-r", "-z", _check_id(tree))):
            about, _, path = record.partition(b"\t")
            mode, _, blob = about.split(b" ")
            if mode.startswith(_FILE_MODE):
                yield path, blob.decode()

    def changed(self, old: str | None, new: str) -> list[ChangedFile]:
        """Return the regular files whose contents differ between two commits, or all of `new` without `old`."""
        if old is None:
            return [ChangedFile(path, None, entry.blob) for path, entry in self.tree(new).items()]
        commits = self._commit_id(old), self._commit_id(new)
        self._fetch_folders(commits)
        return read_changes(compare(self._diff_tree, *commits), 1)[0]

    def read(self, blob: str) -> bytes:
        """Return the content of a blob or any other object."""
        return next(self.read_many([blob]))[1]

    def read_many(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the contents of many blobs in order; check `sizes` first if they may be large."""
        for blob, answer in _look_up_all(self._find_objects, self._fetched(blobs)):
            if answer is None:
                raise BirthmarkError(f"object {blob} is not in this clone; {_FETCH}")
            yield blob, answer.content

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """Return the sizes of blobs in bytes, without those that this clone lacks."""
        found = _look_up_all(self._find_headers, self._fetched(blobs))
        return {blob: answer.size for blob, answer in found if answer is not None}

    @property
    def can_fetch(self) -> bool:
        """Return True in a partial clone, if the user allows to fetch what it lacks."""
        return self._promisor is not None

    def fetch_missing(self, ids: Iterable[str]) -> None:
        """Fetch the objects that a partial clone lacks, all together, if the user allows it."""
        if self._promisor is None:
            return
        found = _look_up_all(self._find_headers, dict.fromkeys(ids))
        missing = [id_ for id_, answer in found if answer is None]
        try:
            if missing:
                fetch_objects(self._git_dir, self._promisor, missing)
        except BirthmarkError as error:
            self._promisor = None
            self._report(str(error))

    def _fetched(self, ids: Iterable[str]) -> Iterable[str]:
        """Return ids after what this clone lacks of them was fetched."""
        if self._promisor is None:
            return ids
        wanted = list(ids)
        self.fetch_missing(wanted)
        return wanted

    def _fetch_folders(self, commits: Iterable[str]) -> None:
        """Fetch the folders of commits which a clone without folders lacks."""
        if self._promisor is not None and not self._promisor.has_trees:
            found = (answer for _, answer in _look_up_all(self._find_objects, commits))
            self.fetch_missing(_tree_of(commit) for commit in found if commit is not None and commit.type == "commit")

    def _fetch_searched(self, arguments: Sequence[str | bytes]) -> None:
        """Fetch the folders of all commits before a command that searches them, once."""
        if self._promisor is not None and not self._has_all_folders and _searches_folders(arguments):
            self._has_all_folders = True
            if self._head.commit is not None and not self._promisor.has_trees:
                self._git_dir.add_refs()
                self._fetch_folders(self._git_dir.run("rev-list", "--all", "HEAD", "--").decode().split())

    def _find_blob(self, commit: str, path: bytes) -> str | None:
        """Return the blob of the regular file that a commit has at a path."""
        if b"\n" in path:
            entry = self.tree(commit).get(write_path(path))
            return entry.blob if entry else None
        found = self._find_headers([commit.encode() + b":" + path])[0]
        if found is None:
            return self._find_lacking(commit, path)
        return found.id if found.type == "blob" else None

    def may_have(self, commit: str, folder: bytes, name: bytes) -> bool:
        """Return True if a folder, which ends with a slash, has an entry at a commit, or cannot be read."""
        if b"\n" in folder:
            return True
        entries, _, rest = self._descend(commit, folder + name)
        return entries is None or rest in entries

    def _find_lacking(self, commit: str, path: bytes) -> str | None:
        """Return the blob of a file if its content may still be fetched; None if the commit has no such file.

        Raise an error if the clone lacks the content, or a folder above it.
        """
        entries, folder, rest = self._descend(commit, path)
        blob = entries.get(rest) if entries is not None else None
        if entries is None or (blob is not None and self._promisor is None):
            lacked = folder if entries is None and folder else path
            raise BirthmarkError(f"{write_path(lacked)} of commit {commit} is not in this clone; {_FETCH}")
        return blob

    def _descend(self, commit: str, path: bytes) -> tuple[dict[bytes, str | None] | None, bytes, bytes]:
        """Return the entries of the deepest folder on the way to a path, that folder, and the rest of the path.

        Each folder is read once, from the root down; the entries are None if this clone lacks them.
        """
        start = 0
        while True:
            folder = path[: max(start - 1, 0)]
            entries = self._entries_of(commit, folder)
            end = path.find(b"/", start)
            if end < 0 or not entries or entries.get(path[start:end], "") is not None:
                return entries, folder, path[start:]
            start = end + 1

    def _read_folder(self, commit: str, folder: bytes) -> dict[bytes, str | None] | None:
        """Return the blobs in a folder at a commit, with None for folders; None if this clone lacks it."""
        self._fetch_folders([commit])
        found = self._find_objects([commit.encode() + b":" + folder])[0]
        if found is None or found.type != "tree":
            return None if found is None else {}
        return dict(_entries_of_tree(found.content, len(found.id) // 2))

    def shallow(self) -> frozenset[str]:
        """Return the commits whose parents this shallow clone lacks."""
        return self._git_dir.shallow()

    def walk(self, *arguments: str | bytes) -> bytes:
        """Return the output of a command that searches all commits for those that touched a path."""
        self._count_walk()
        return self.run(*arguments)

    def walk_lines(
        self, *arguments: str | bytes, seconds: float | None = None, failures: Sequence[int] = ()
    ) -> Generator[bytes, None, None]:
        """Yield the output of such a command by line, and end it when no more lines are taken, or after some time."""
        self._fetch_searched(arguments)
        process = self._git_dir.start(*arguments)
        assert process.stdout is not None
        timer = Timer(seconds or TIMEOUT_MAX, process.kill)
        timer.daemon = True
        try:
            if seconds is not None:
                timer.start()
            yield from process.stdout
            if process.wait() not in (0, *failures) and (seconds is None or timer.is_alive()):
                raise self._git_dir.failure(arguments[0])
            self._count_walk()
        finally:
            timer.cancel()
            process.kill()
            process.communicate()

    def _count_walk(self) -> None:
        """Write a graph of the commits after many walks, which then take a tenth of the time."""
        self._n_walks += 1
        if self._n_walks >= _WALKS:
            self._git_dir.start_graph()
            self._git_dir.keep_graph()

    def run(self, *arguments: str | bytes, stdin: bytes | None = None, failures: Sequence[int] = ()) -> bytes:
        """Return the output of a git command that only reads; exit codes in `failures` are answers, too."""
        self._fetch_searched(arguments)
        return self._git_dir.run(*arguments, stdin=stdin, failures=failures)

    def close(self) -> None:
        self._contents.close()
        self._checks.close()
        self._diff_tree.close()
        self._git_dir.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _look_up(self, revision: str) -> GitObject | None:
        """Look up a revision, passed on standard input, where git cannot mistake it for an option."""
        if not revision or "\n" in revision or "\0" in revision:
            return None
        if may_name_ref(revision):
            self._git_dir.add_refs()
        if _TRACKING.search(revision) and self._git_dir.add_tracking():
            self._checks.close()  # A new process will read the new settings.
        try:
            return self._find_headers([os.fsencode(revision)])[0]
        except BirthmarkError as error:
            if "@{" not in revision:
                raise
            # Git stops at a missing entry of a reflog or of the settings, with a reason.
            reason = self._git_dir.last_error().removeprefix("fatal: ")
            raise NotFoundError(f"unknown revision {revision!r}: {reason}; name a branch, tag or commit") from error


def _look_up_all(
    find: Callable[[Sequence[bytes]], list[GitObject | None]], ids: Iterable[str]
) -> Iterator[tuple[str, GitObject | None]]:
    remaining = iter(ids)
    while batch := list(islice(remaining, _BATCH)):
        yield from zip(batch, find([_check_id(id_) for id_ in batch]), strict=True)


def _check_id(id_: str) -> bytes:
    if not _ID.fullmatch(id_):
        raise BirthmarkError(f"{id_!r} is not an object id; give all its 40 or 64 hexadecimal digits")
    return id_.encode()


def _searches_folders(arguments: Sequence[str | bytes]) -> bool:
    """Return True for a command that reads the folders of commits: one with paths after `--`, or lines of a file."""
    if arguments[0] in ("diff-tree", "grep"):
        return True
    is_log = arguments[0] in ("log", "rev-list")
    return is_log and ("--" in arguments[:-1] or any(os.fsencode(one).startswith(b"-L") for one in arguments))


def _tree_of(commit: GitObject) -> str:
    return commit.content.partition(b"\n")[0].removeprefix(b"tree ").decode()


def _entries_of_tree(content: bytes, id_size: int) -> Iterator[tuple[bytes, str | None]]:
    """Yield regular files and folders. An entry is `100644 name`, NUL, and the bytes of an id."""
    at = 0
    while at < len(content):
        end = content.index(b"\0", at)
        mode, _, name = content[at:end].partition(b" ")
        at = end + 1 + id_size
        if mode.startswith(_FILE_MODE) or mode == _FOLDER_MODE:
            yield name, None if mode == _FOLDER_MODE else content[end + 1 : at].hex()


def _split(output: bytes) -> list[bytes]:
    return output.split(b"\0")[:-1]


def read_changes(output: bytes, n_commits: int) -> list[list[ChangedFile]]:
    """Parse the output of `diff-tree`: the id of each commit, then two records per file."""
    changes: list[list[ChangedFile]] = []
    records = iter(_split(output))
    for record in records:
        if not record.startswith(b":"):
            changes.append([])
            continue
        change = _read_change(record, next(records))
        if change.old_blob != change.new_blob:
            changes[-1].append(change)
    assert len(changes) == n_commits, "git lists every commit"
    return changes


def _read_change(about: bytes, path: bytes) -> ChangedFile:
    """Parse a record such as `:100644 000000 <old id> <new id> D`."""
    old_mode, new_mode, old_id, new_id, _ = about.removeprefix(b":").split(b" ")
    old_blob, new_blob = (
        id_.decode() if mode.startswith(_FILE_MODE) else None for mode, id_ in ((old_mode, old_id), (new_mode, new_id))
    )
    return ChangedFile(write_path(path), old_blob, new_blob)
