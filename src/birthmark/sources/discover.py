"""Find the source files of a worktree.

Takes the root, and optionally the paths to check, or earlier listings; returns FoundFiles and Problems. Ignored
files, code of others, links, special files and nested repositories are skipped. Only ignore and attribute files are
opened, and unchanged folders are not listed again.
"""

from __future__ import annotations

import os
import stat
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from birthmark.model import Problem
from birthmark.sources.attributes import LOCAL_ATTRIBUTES, Attributes, local_attributes
from birthmark.sources.config import CONFIG_FILE
from birthmark.sources.git.refs import find_git_folders
from birthmark.sources.ignores import Ignores, Verdict, read_rules, split_rules
from birthmark.sources.third_party import LeftOut, is_minified_name, is_package_folder, markers_in
from birthmark.sources.worktree import (
    Entry,
    FolderListing,
    FolderStatus,
    Listings,
    NamedEntry,
    is_settled,
    key_of_folder,
    key_of_rules,
    status_of_folder,
)
from birthmark.vocabulary import LeftOutReason

_RULE_FILES = (b".gitignore", b".birthmarkignore", b".gitattributes")
_MARKER_FILES = frozenset({*_RULE_FILES, b".git"})  # entries that affect the others in their folder
NOT_IN_CLONE = "is not in this clone, left out; fetch it with git or `--fetch`, or clone in full"  # of a commit's file
_PRIVATE = frozenset({b".git", b".birthmark"})  # They hold tokens and addresses; some file systems ignore case.


class FoundFile(NamedTuple):
    """A file: its path as in ids, the path to open, and the stat fields that show changes."""

    path: str
    os_path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    language: str | None  # from `.gitattributes`


class Discovery(NamedTuple):
    """The files of a worktree, sorted by path, and the entered folders as paths to open; the root is empty."""

    files: list[FoundFile]
    problems: list[Problem]
    folders: frozenset[str] = frozenset()
    listings: Listings = {}  # noqa: RUF012 - never changed; without folders with problems
    left_out: Sequence[LeftOut] = ()
    skipped: SkippedFiles | None = None


class SkippedFiles(NamedTuple):
    """Files that a sparse checkout has not written: their blobs by path, known sizes by blob, and what reads a blob."""

    blobs: Mapping[bytes, str]
    sizes: Mapping[str, int]
    read: Callable[[str], bytes]


class WalkedFolder(NamedTuple):
    """A folder with the rules that apply in it."""

    path: bytes  # below the root, ends with a slash
    ignores: Ignores
    attributes: Attributes
    is_hidden: bool
    key: bytes  # of its rules


Entries = Mapping[bytes, Entry]


def discover(
    root: Path,
    wants: Callable[[str], bool],
    max_bytes: int,
    known: Listings | None = None,
    wants_key: str = "",
    *,
    third_party: bool = False,
    skipped: SkippedFiles | None = None,
) -> Discovery:
    """Find the files whose names `wants` accepts, or whose language is set by `.gitattributes`.

    With `third_party`, code of others is found as well; `skipped` files count as there. Earlier listings are used as
    far as they must still be true; `wants_key` identifies `wants` in them.
    """
    return FileWalk(root, wants, max_bytes, known or {}, wants_key, third_party=third_party, skipped=skipped).run()


def discover_paths(
    root: Path,
    paths: Iterable[str],
    wants: Callable[[str], bool],
    max_bytes: int,
    *,
    third_party: bool = False,
    skipped: SkippedFiles | None = None,
) -> Discovery:
    """Return the result of discover() for some paths of files or folders below the root."""
    requested = frozenset(paths)
    found = _PathsWalk(
        root, wants, max_bytes, map(os.fsencode, requested), third_party=third_party, skipped=skipped
    ).run()
    return found._replace(folders=found.folders & requested, listings={})


def keeps_path(root: Path, path: bytes) -> bool:
    """Return True if the rules of a worktree keep a path below its root, existing or not."""
    return FileWalk(root, lambda name: True, 0).keeps(path)


def is_private(path: bytes) -> bool:
    """Return True for a path into a folder of git or of an index, of this repository or a nested one."""
    return any(name.lower() in _PRIVATE for name in path.split(b"/"))


def write_path(path: bytes) -> str:
    """Return a path as in ids, in which `\\xe9` stands for a byte that is not UTF-8."""
    return path.decode("utf-8", "backslashreplace")


class FileWalk:
    """Walk from the root through all folders that are not ignored; `tree_walk.py` walks the tree of a commit."""

    def __init__(
        self,
        root: Path,
        wants: Callable[[str], bool],
        max_bytes: int,
        known: Listings = MappingProxyType({}),
        wants_key: str = "",
        *,
        third_party: bool = False,
        skipped: SkippedFiles | None = None,
    ) -> None:
        self.root = os.path.join(os.fsencode(root), b"")
        self.wants = lru_cache(None)(lambda name: wants(write_path(name)))  # Names repeat.
        self.max_bytes = max_bytes
        self.third_party, self.skipped = third_party, skipped
        self._skipped_in = _skipped_by_folder(skipped) if skipped is not None else {}
        self.files: list[FoundFile] = []
        self.left_out: list[LeftOut] = []
        self.problems: list[Problem] = []
        self.entered: list[bytes] = []
        self.known = known
        self.now = time.time_ns()
        self.listings: dict[bytes, FolderListing] = {}
        self._count_lacking(skipped)
        self.waiting = [_read_clone_rules(root, f"{wants_key} {third_party} {_key_of_skipped(skipped)}")]

    def _count_lacking(self, skipped: SkippedFiles | None) -> None:
        """Count skipped files that a partial clone lacks."""
        blobs = skipped.blobs.items() if skipped is not None else ()
        lacking = [path for path, blob in blobs if skipped is not None and blob not in skipped.sizes]
        n_wanted = sum(self.wants(path.rpartition(b"/")[2]) for path in lacking)
        if n_wanted:
            self.left_out.append(LeftOut("", LeftOutReason.SKIPPED, n_wanted))

    def run(self) -> Discovery:
        while self.waiting:
            folder = self.waiting.pop()
            if not self._take_unlisted(folder):
                self._take_listed(folder)
        files = list(_without_duplicates(sorted(self.files), self.problems))
        problems = sorted(self.problems, key=lambda problem: problem.path)
        folders = frozenset(map(os.fsdecode, self.entered))
        return Discovery(files, problems, folders, self.listings, sorted(self.left_out), self.skipped)

    def _take_unlisted(self, folder: WalkedFolder) -> bool:
        """Take the earlier choice in a folder with the same status and rules; return False if they differ."""
        known = self.known.get(folder.path)
        if known is None or known.status is None or known.status != status_of_folder(self.root + folder.path):
            return False
        folder = self._with_rules(folder, known.rule_files)
        if (folder.key, folder.is_hidden) != (known.rules, known.is_hidden) or not self._take(folder, known):
            return False
        self.entered.append(folder.path[:-1])
        self.listings[folder.path] = known
        return True

    def _take_listed(self, folder: WalkedFolder) -> None:
        status = status_of_folder(self.root + folder.path)  # before the listing, so that later additions show
        entries = self._list(folder.path)
        # A nested repository, such as a submodule, has its own index.
        if entries is not None and (b".git" not in entries or not folder.path):
            self.entered.append(folder.path[:-1])
            is_kept = status is not None and is_settled(status, self.now)
            admitted = self._admit(self._with_rules(folder, entries), entries)
            if admitted is not None:
                self._look_at(admitted, entries, status if is_kept else None)

    def _admit(self, folder: WalkedFolder, entries: Entries) -> WalkedFolder | None:
        """Return a folder to look at. One of packages is like one that git ignores."""
        path = folder.path[:-1]
        if self.third_party or not path or not is_package_folder(write_path(path), _possible_markers(path, entries)):
            return folder
        if includes_folder(folder, path):
            return folder
        self.left_out.append(LeftOut(write_path(path), LeftOutReason.THIRD_PARTY))
        return folder._replace(is_hidden=True) if folder.ignores.reach_into(path) else None

    def _look_at(self, folder: WalkedFolder, entries: Entries, status: FolderStatus | None) -> None:
        """Take the earlier choice if all that it depends on is the same, else choose."""
        key = self._key(folder, entries)
        known = self.known.get(folder.path)
        if known is not None and known.key == key and self._take(folder, known):
            self.listings[folder.path] = known if status is None else replace(known, status=status)
            return
        n_files, n_waiting, n_problems = len(self.files), len(self.waiting), len(self.problems)
        n_left_out = len(self.left_out)
        self._visit(folder, entries)
        if key is not None and len(self.problems) == n_problems:
            files = ((os.path.basename(os.fsencode(file.os_path)), file.language) for file in self.files[n_files:])
            folders = ((one.path[len(folder.path) : -1], one.is_hidden) for one in self.waiting[n_waiting:])
            rule_files = tuple(name for name in _RULE_FILES if name in entries)
            self.listings[folder.path] = FolderListing(
                folder.path,
                key,
                tuple(files),
                tuple(folders),
                folder.key,
                folder.is_hidden,
                rule_files,
                tuple((one.path, one.reason.value, one.n_files) for one in self.left_out[n_left_out:]),
                status,
            )

    def _key(self, folder: WalkedFolder, entries: Entries) -> bytes | None:
        try:
            return key_of_folder(folder.key, folder.is_hidden, entries.values())
        except OSError:
            return None  # The kind of an entry cannot be read on a system that does not list it.

    def _take(self, folder: WalkedFolder, known: FolderListing) -> bool:
        """Take the chosen files if all are still files and small enough; otherwise take none and return False."""
        found, place = [], self.root + folder.path
        for name, language in known.files:
            try:
                status = os.lstat(place + name)
            except OSError:
                return False
            if not stat.S_ISREG(status.st_mode) or status.st_size > self.max_bytes:
                return False
            found.append(_found_file(folder.path + name, status, language))
        self.files += found
        self.left_out += [LeftOut(path, LeftOutReason(reason), number) for path, reason, number in known.left_out]
        for name, is_hidden in known.folders:
            path = folder.path + name + b"/"
            self.waiting.append(WalkedFolder(path, folder.ignores, folder.attributes, is_hidden, folder.key))
        return True

    def _list(self, path: bytes) -> Entries | None:
        try:
            with os.scandir(self.root + path) as entries:
                return self._choose(path, entries)
        except (FileNotFoundError, NotADirectoryError):
            return self._choose(path, ()) or None  # It was removed during the walk, or is skipped.
        except OSError as error:
            self._report(path[:-1], f"folder cannot be read: {error.strerror}; check its permissions")
            return None

    def _choose(self, path: bytes, entries: Iterable[Entry]) -> Entries:
        return {**self._skipped_in.get(path, {}), **{entry.name: entry for entry in entries}}

    def _with_rules(self, folder: WalkedFolder, names: Collection[bytes]) -> WalkedFolder:
        if not names or all(name not in names for name in _RULE_FILES):
            return folder
        git_lines, own_lines, attribute_lines = (
            self._read_rules(folder.path + name) if name in names else [] for name in _RULE_FILES
        )
        return folder._replace(
            ignores=folder.ignores.extended(folder.path, git_lines, own_lines),
            attributes=folder.attributes.extended(folder.path, attribute_lines),
            key=key_of_rules(folder.key, (*git_lines, b"/", *own_lines, b"/", *attribute_lines)),
        )

    def _read_rules(self, path: bytes) -> list[bytes]:
        if self.skipped is not None and path in self.skipped.blobs and not os.path.lexists(self.root + path):
            blob = self.skipped.blobs[path]
            return split_rules(self.skipped.read(blob)) if blob in self.skipped.sizes else []
        return read_rules(self.root + path)

    def _visit(self, folder: WalkedFolder, entries: Entries) -> None:
        names_languages, n_others = folder.attributes.name_languages, 0
        for name, entry in entries.items():
            try:
                if entry.is_dir(follow_symlinks=False):
                    self._enter(folder, name)
                    continue
                wanted = self.wants(name)
                if (wanted or names_languages) and entry.is_file(follow_symlinks=False):
                    self._add(folder, entry, wanted)
                elif not wanted:
                    n_others += self._is_other(folder, entry)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._report(folder.path + name, f"cannot be read: {error.strerror}; check its permissions")
        if n_others:
            self.left_out.append(LeftOut(write_path(folder.path), LeftOutReason.UNSUPPORTED, n_others))

    def _is_other(self, folder: WalkedFolder, entry: Entry) -> bool:
        """Return True for a file in no language that is known; files of settings do not count."""
        name = entry.name
        if name.startswith(b".") or name == CONFIG_FILE.encode() or not entry.is_file(follow_symlinks=False):
            return False
        return folder.ignores.judge(name, folder.path + name, False, folder.is_hidden) is Verdict.KEPT

    def _enter(self, folder: WalkedFolder, name: bytes) -> None:
        if name.lower() in _PRIVATE:
            return
        path = folder.path + name
        verdict = folder.ignores.judge(name, path, True, folder.is_hidden)
        if verdict is Verdict.KEPT or (verdict is Verdict.HIDDEN and folder.ignores.reach_into(path)):
            is_hidden = verdict is Verdict.HIDDEN
            self.waiting.append(WalkedFolder(path + b"/", folder.ignores, folder.attributes, is_hidden, folder.key))

    def _add(self, folder: WalkedFolder, entry: Entry, wanted: bool) -> None:
        name, path = entry.name, folder.path + entry.name
        language, is_foreign = folder.attributes.of_file(name, path)
        if not (wanted or language) or folder.ignores.judge(name, path, False, folder.is_hidden) is not Verdict.KEPT:
            return
        if folder.ignores.include(name, path, False, folder.is_hidden):
            language = language or ""  # Its content is not judged.
        elif not self.third_party and (reason := reason_of_file(name, language, is_foreign)) is not None:
            self.left_out.append(LeftOut(write_path(path), reason))
            return
        status = entry.stat(follow_symlinks=False)
        if status.st_size > self.max_bytes:
            self._report(
                path,
                f"has {status.st_size:,} bytes, more than the limit of {self.max_bytes:,}; "
                "raise limits.max_bytes, or name it in .birthmarkignore",
            )
            return
        self.files.append(_found_file(path, status, language))

    def _report(self, path: bytes, problem: str) -> None:
        self.problems.append(Problem(write_path(path) or ".", problem))

    def keeps(self, path: bytes) -> bool:
        """Walk along one path, by the rules of the folders above it."""
        *parents, name = path.split(b"/")
        for parent in parents:
            self._enter(self._with_rules(self.waiting.pop(), _RULE_FILES), parent)
            if not self.waiting or os.path.lexists(self.root + self.waiting[0].path + b".git"):
                return False
        folder = self._with_rules(self.waiting.pop(), _RULE_FILES)
        verdict = folder.ignores.judge(name, folder.path + name, False, folder.is_hidden)
        return verdict is Verdict.KEPT and name.lower() not in _PRIVATE


class _PathsWalk(FileWalk):
    """A walk restricted to some paths and the folders above them."""

    def __init__(
        self,
        root: Path,
        wants: Callable[[str], bool],
        max_bytes: int,
        paths: Iterable[bytes],
        *,
        third_party: bool = False,
        skipped: SkippedFiles | None = None,
    ) -> None:
        super().__init__(root, wants, max_bytes, third_party=third_party, skipped=skipped)
        self.requested = frozenset(paths)
        self.names: dict[bytes, set[bytes]] = defaultdict(set)  # by the folder, which ends with a slash
        for path in self.requested:
            while path:
                folder, slash, name = path.rpartition(b"/")
                self.names[folder + slash].add(name)
                path = folder

    def _choose(self, path: bytes, entries: Iterable[Entry]) -> Entries:
        """Stat only the requested names; the folder may have many others."""
        possible = markers_in(write_path(path[:-1])) if path else frozenset()
        markers = {entry.name for entry in entries} if possible is None else map(os.fsencode, possible)
        return dict(self._stat(path, {*self.names[path], *_MARKER_FILES, *markers}))

    def _stat(self, path: bytes, names: Iterable[bytes]) -> Iterator[tuple[bytes, NamedEntry]]:
        for name in names:
            try:
                status = os.lstat(self.root + path + name)
                yield name, NamedEntry(name, status.st_mode, lambda status=status: status)  # type: ignore[misc]
            except (FileNotFoundError, NotADirectoryError):
                if name in self._skipped_in.get(path, {}):
                    yield name, self._skipped_in[path][name]
            except OSError as error:
                self._report(path + name, f"cannot be read: {error.strerror}; check its permissions")

    def _visit(self, folder: WalkedFolder, entries: Entries) -> None:
        """Visit requested entries, and of others only folders."""
        chosen = (
            e for e in entries.values() if folder.path + e.name in self.requested or e.is_dir(follow_symlinks=False)
        )
        super()._visit(folder, {entry.name: entry for entry in chosen})


def _possible_markers(path: bytes, names: Collection[bytes]) -> list[str]:
    possible = markers_in(write_path(path))
    return [*map(write_path, names)] if possible is None else [one for one in possible if os.fsencode(one) in names]


def includes_folder(folder: WalkedFolder, path: bytes) -> bool:
    """Return True if a folder of packages is to be indexed, by ignore rules or by what attributes say of its files."""
    inside = path + b"/package"
    is_included = folder.ignores.include(path.rpartition(b"/")[2], path, True)
    return is_included or folder.attributes.of_file(b"package", inside) == ("", False)


def reason_of_file(name: bytes, language: str | None, is_foreign: bool) -> LeftOutReason | None:
    """Return the reason for which a file is left out, by its attributes and its name."""
    if is_foreign:
        return LeftOutReason.MARKED
    return LeftOutReason.MINIFIED if language is None and is_minified_name(name) else None


def _skipped_by_folder(skipped: SkippedFiles) -> dict[bytes, dict[bytes, NamedEntry]]:
    """Return entries for skipped files that can be read, and for their folders, by folder."""
    folders: dict[bytes, dict[bytes, NamedEntry]] = {}
    for path, blob in skipped.blobs.items():
        if blob in skipped.sizes:
            put_entry(folders, path, file_entry(path.rpartition(b"/")[2], partial(skipped.sizes.__getitem__, blob)))
    return folders


def put_entry(folders: dict[bytes, dict[bytes, NamedEntry]], path: bytes, entry: NamedEntry) -> None:
    """Add an entry by folder and name, and the missing folders above it."""
    is_new = True
    while is_new:
        folder, slash, name = path.rpartition(b"/")
        is_new = bool(folder) and folder + slash not in folders
        folders.setdefault(folder + slash, {})[name] = entry
        path = folder
        entry = NamedEntry(path.rpartition(b"/")[2], stat.S_IFDIR, partial(_status_of_size, lambda: 0))


def file_entry(name: bytes, size: Callable[[], int]) -> NamedEntry:
    """Return the entry of a file that is in git, not on the disk."""
    return NamedEntry(name, stat.S_IFREG, partial(_status_of_size, size))


def _status_of_size(size: Callable[[], int]) -> os.stat_result:
    """Return the status of a file without times and inode; the last fields are times in nanoseconds."""
    return os.stat_result((stat.S_IFREG, 0, 0, 1, 0, 0, size(), *(0,) * 9))


def _key_of_skipped(skipped: SkippedFiles | None) -> str:
    return key_of_rules(b"", sorted(skipped.blobs)).hex() if skipped is not None else ""


def _found_file(path: bytes, status: os.stat_result, language: str | None) -> FoundFile:
    written, os_path = write_path(path), os.fsdecode(path)
    return FoundFile(
        written,
        written if os_path == written else os_path,  # Share the text.
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        language,
    )


def _read_clone_rules(root: Path, wants_key: str) -> WalkedFolder:
    """Return the root with the rules local to this clone, in its git folder."""
    folders = find_git_folders(root)
    ignored = read_rules(folders.common + b"/info/exclude") if folders else []
    attribute_lines = read_rules(folders.common + LOCAL_ATTRIBUTES) if folders else []
    key = key_of_rules(wants_key.encode(), (*ignored, b"/", *attribute_lines))
    return WalkedFolder(b"", Ignores().extended(b"", ignored, []), local_attributes(attribute_lines), False, key)


def _without_duplicates(files: list[FoundFile], problems: list[Problem]) -> Iterator[FoundFile]:
    """Skip files whose path is written like another because of an escaped byte that is not UTF-8."""
    previous = None
    for file in files:
        if file.path == previous:
            problems.append(Problem(file.path, "its name is written like that of another file; rename one of them"))
        else:
            yield file
        previous = file.path
