"""What was found in each folder of a worktree, so that the next walk need not judge the same names by the same rules.

A listing holds what was chosen in a folder, and a key of all that this depends on: the names in it and which of them
are files and folders, the rules of the folder and of those above it, and what is wanted. Only status and content of
a file are not in it: they are looked at in every walk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Protocol

import msgspec

_KEY_BYTES = 12


class FolderListing(msgspec.Struct, frozen=True, array_like=True):
    """A folder below the root, and what was chosen in it."""

    path: bytes  # ends with a slash
    key: bytes
    files: tuple[tuple[bytes, str | None], ...]  # names, and languages as `.gitattributes` names them
    folders: tuple[tuple[bytes, bool], ...]  # names, and whether git ignores them


class _Entry(Protocol):
    """The part of os.DirEntry that is used."""

    @property
    def name(self) -> bytes: ...
    def is_dir(self, *, follow_symlinks: bool) -> bool: ...
    def is_file(self, *, follow_symlinks: bool) -> bool: ...


Listings = Mapping[bytes, FolderListing]  # by path

_listings = msgspec.msgpack.Decoder(list[FolderListing])


def pack_listings(listings: Listings) -> bytes:
    return msgspec.msgpack.encode(list(listings.values()))


def unpack_listings(packed: object) -> dict[bytes, FolderListing]:
    """Nothing where they cannot be unpacked: then all names are judged anew."""
    try:
        return {listing.path: listing for listing in _listings.decode(packed)} if isinstance(packed, bytes) else {}
    except msgspec.MsgspecError:
        return {}


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
