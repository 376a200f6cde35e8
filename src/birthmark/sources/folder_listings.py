"""Remember the chosen files of each folder, so that the next walk need not judge the same names by the same rules.

A listing holds the chosen names and a key of everything that the choice depends on: the names and kinds of the entries,
the rules of the folder and of those above it, and the wanted names. Status and content of files are not part of it;
every walk looks at them. A folder with the same status has the same names, because adding, removing or replacing one
sets the folder's time; such a folder is not even listed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from birthmark.decoding import msgpack_decoder

_KEY_BYTES = 12
# A name that is added within the same tick of the file system's clock does not change the time. The longest ticks are
# two seconds.
_TICK_NS = 2_000_000_000

FolderStatus = tuple[int, int, int]  # modification and change time, and inode


class FolderListing(msgspec.Struct, frozen=True, array_like=True):
    """A folder below the root, and its chosen entries."""

    path: bytes  # ends with a slash
    key: bytes
    files: tuple[tuple[bytes, str | None], ...]  # names, and languages from `.gitattributes`
    folders: tuple[tuple[bytes, bool], ...]  # names, with True if git ignores them
    rules: bytes  # the key of the rules that apply in it
    is_hidden: bool  # True if git ignores it
    rule_files: tuple[bytes, ...]  # names of ignore and attribute files in it
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
