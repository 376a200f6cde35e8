"""What was found in each folder of a worktree, so that the next walk need not judge the same names by the same rules.

A listing holds what was chosen in a folder, and a key of all that this depends on: the names in it and which of them
are files and folders, the rules of the folder and of those above it, and what is wanted. Only status and content of
a file are not in it: they are looked at in every walk. A folder whose own status is the same has the same names, for
whatever adds, removes or replaces one sets the folder's time; it is not even listed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Protocol

import msgspec

from birthmark.decoding import msgpack_decoder

_KEY_BYTES = 12
# A name that is added within the same tick of the file system's clock leaves the time as it was. The coarsest has ticks
# of two seconds.
_TICK_NS = 2_000_000_000

FolderStatus = tuple[int, int, int]  # when it was changed, itself and its entries, and its inode


class FolderListing(msgspec.Struct, frozen=True, array_like=True):
    """A folder below the root, and what was chosen in it."""

    path: bytes  # ends with a slash
    key: bytes
    files: tuple[tuple[bytes, str | None], ...]  # names, and languages as `.gitattributes` names them
    folders: tuple[tuple[bytes, bool], ...]  # names, and whether git ignores them
    rules: bytes  # the key of those that hold in it
    is_hidden: bool  # whether git ignores it
    rule_files: tuple[bytes, ...]  # names of those that are in it
    status: FolderStatus | None  # before it was listed; None where that may not show the next change


class _Entry(Protocol):
    """The part of os.DirEntry that is used."""

    @property
    def name(self) -> bytes: ...
    def is_dir(self, *, follow_symlinks: bool) -> bool: ...
    def is_file(self, *, follow_symlinks: bool) -> bool: ...


Listings = Mapping[bytes, FolderListing]  # by path

_listings = msgpack_decoder(list[FolderListing])


def pack_listings(listings: Listings) -> bytes:
    return msgspec.msgpack.encode(list(listings.values()))


def unpack_listings(packed: object) -> dict[bytes, FolderListing]:
    """Nothing where they cannot be unpacked: then all names are judged anew."""
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
    """Whether the next change of a folder is certain to set another time."""
    return max(status[:2]) < now - _TICK_NS


def key_of_rules(above: bytes, lines: Iterable[bytes]) -> bytes:
    """Of the rules that hold in a folder: those above it, and its own."""
    return _digest((above, *lines))


def key_of_folder(rules: bytes, is_hidden: bool, entries: Iterable[_Entry]) -> bytes:
    names = [entry.name + _kind_of(entry) for entry in entries]
    names.sort()
    return _digest((rules, b"hidden" if is_hidden else b"", *names))


def _kind_of(entry: _Entry) -> bytes:
    """No name has a slash in it."""
    if entry.is_file(follow_symlinks=False):
        return b""
    return b"/" if entry.is_dir(follow_symlinks=False) else b"//"


def _digest(parts: Iterable[bytes]) -> bytes:
    """No name or line has a zero byte in it."""
    return blake2b(b"\0".join(parts), digest_size=_KEY_BYTES).digest()
