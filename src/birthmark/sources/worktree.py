"""Read files from disk within limits, and remember the chosen files of each folder.

Takes a path; returns its bytes, or raises an error that says what to do. Only regular files are read, because a
repository may contain a pipe, a device or a link to one, which would block or never end.

A listing holds the chosen names of a folder and a key of everything that the choice depends on: the names and kinds of
the entries, the rules of the folder and of those above it, and the wanted names. Every walk looks at status and content
of files, which are not part of it. A folder with the same status has the same names, because adding, removing or
replacing one sets its time; such a folder is not even listed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from birthmark.decoding import msgpack_decoder
from birthmark.errors import BirthmarkError

# Without O_NONBLOCK, opening a named pipe would block.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)
_KEY_BYTES = 12
# A name that is added within the same tick of the file system's clock does not change the time. The longest ticks are
# two seconds.
_TICK_NS = 2_000_000_000
FolderStatus = tuple[int, int, int]  # modification and change time, and inode


def read_file(
    path: Path, max_bytes: int, kind: str = "a source file", larger: str = "raise --max-bytes to read it"
) -> bytes:
    """Read a whole file; `kind` and `larger` are advice for a special or a large file."""
    try:
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            if status.st_size > max_bytes:
                excess = f"has {status.st_size:,} bytes, more than the limit of {max_bytes:,}"
                raise BirthmarkError(f"{path}: {excess}; {larger}")
            return file.read(max_bytes)  # It may be growing.
    except IsADirectoryError as error:
        raise BirthmarkError(f"{path}: is a folder; name {kind}") from error
    except NotRegularError as error:
        raise BirthmarkError(f"{path}: is not a regular file; name {kind}") from error
    except OSError as error:
        raise BirthmarkError(f"{path}: {_reason(error)}") from error


def read_start(path: Path | bytes, max_bytes: int, *, follow_links: bool = True) -> bytes:
    """Read the start of a file; nothing if there is no regular file."""
    try:
        with open_regular(path, follow_links=follow_links) as file:
            return file.read(max_bytes)
    except (OSError, ValueError):  # a ValueError for a path with a NUL
        return b""


class NotRegularError(OSError):
    """A pipe, socket or device instead of a file."""


def open_regular(path: Path | bytes, *, follow_links: bool = True) -> BinaryIO:
    descriptor = os.open(path, _FLAGS if follow_links else _FLAGS | _NO_LINKS)
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise IsADirectoryError(path) if stat.S_ISDIR(mode) else NotRegularError("is not a regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file; check the path"
    if isinstance(error, PermissionError):
        return "not allowed to read it; check its permissions"
    return (error.strerror or str(error)) + "; check the path"


class FolderListing(msgspec.Struct, frozen=True, array_like=True):
    """A folder below the root, and its chosen entries."""

    path: bytes  # ends with a slash
    key: bytes
    files: tuple[tuple[bytes, str | None], ...]  # names, and languages from `.gitattributes`
    folders: tuple[tuple[bytes, bool], ...]  # names, with True if git ignores them
    rules: bytes  # the key of the rules that apply in it
    is_hidden: bool  # True if git ignores it
    rule_files: tuple[bytes, ...]  # names of ignore and attribute files in it
    left_out: tuple[tuple[str, str, int], ...]  # files, with the reasons and their numbers
    status: FolderStatus | None  # before it was listed; None if the next change may not show


class NamedEntry(NamedTuple):
    """An entry that does not come from a folder listing, with the interface of os.DirEntry."""

    name: bytes
    mode: int
    read_status: Callable[[], os.stat_result]

    def is_dir(self, *, follow_symlinks: bool) -> bool:
        return stat.S_ISDIR(self.mode)

    def is_file(self, *, follow_symlinks: bool) -> bool:
        return stat.S_ISREG(self.mode)

    def stat(self, *, follow_symlinks: bool) -> os.stat_result:
        return self.read_status()


Entry = os.DirEntry[bytes] | NamedEntry


Listings = Mapping[bytes, FolderListing]  # by path

_listings = msgpack_decoder(list[FolderListing])


def pack_listings(listings: Listings) -> bytes:
    return msgspec.msgpack.encode(list(listings.values()))


def unpack_listings(packed: object) -> dict[bytes, FolderListing]:
    """Unpack listings; none if that fails, and then all names are judged again."""
    try:
        return {listing.path: listing for listing in _listings.decode(packed)} if isinstance(packed, bytes) else {}
    except msgspec.MsgspecError:
        return {}


def status_of_folder(path: bytes) -> FolderStatus | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def is_settled(status: FolderStatus, now: int) -> bool:
    """Return True if the next change of a folder is certain to change its time."""
    return max(status[:2]) < now - _TICK_NS


def key_of_rules(above: bytes, lines: Iterable[bytes]) -> bytes:
    """Return the key of the rules in a folder: those above it, and its own."""
    return _digest((above, *lines))


def key_of_folder(rules: bytes, is_hidden: bool, entries: Iterable[Entry]) -> bytes:
    names = [entry.name + _kind_of(entry) for entry in entries]
    names.sort()
    return _digest((rules, b"hidden" if is_hidden else b"", *names))


def _kind_of(entry: Entry) -> bytes:
    """Mark folders and special files with slashes, which no name contains."""
    if entry.is_file(follow_symlinks=False):
        return b""
    return b"/" if entry.is_dir(follow_symlinks=False) else b"//"


def _digest(parts: Iterable[bytes]) -> bytes:
    """Digest parts, none of which contains a zero byte."""
    return blake2b(b"\0".join(parts), digest_size=_KEY_BYTES).digest()
