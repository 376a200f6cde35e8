"""The second copy of a database: an append-only file of records.

A database may be damaged or deleted; acknowledged data must survive that. Every transaction appends one record
(compressed rows by table) and is committed only when that is on disk. A record has a mark, its number, its length and
a checksum: damage costs only the records that it hits, and reading continues at the next whole one.

Records are numbered by transaction. A rewritten log starts with all rows as of a transaction, in several parts with its
number. So the numbers reveal records that are missing, doubled or out of order.

`index_file`, `ledger_log` and others return the files of the stores in a repository's folder.
"""

from __future__ import annotations

import mmap
import os
import stat
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from birthmark.errors import DamagedError, StoreError
from birthmark.store.model import StoreLocation
from birthmark.store.tables.database import Rows

_HEADER = b"birthmark log 2\n"
_OLD_HEADER = b"birthmark ledger 1\n"
_MARK = b"\xb1\xf2BM"
_FIELDS = struct.Struct(">QIII")  # number, parts that follow, length, checksum of all else
_FRAME = len(_MARK) + _FIELDS.size
_FIRST = 1 << 31  # flag in the parts: a log starts here
_OLD_FIELDS = struct.Struct(">II")  # length, checksum
_ZLIB = b"\x78\x01"  # the start of the contents of old records


class Record(NamedTuple):
    """A whole record: its transaction, the number of parts that follow, and its offsets."""

    number: int
    n_left: int
    start: int
    body: int
    end: int
    is_first: bool = False


class LogState(NamedTuple):
    """The whole records of a log in order, and the extent of damage."""

    frames: list[Record]
    size: int
    n_skipped_bytes: int = 0
    n_missing: int = 0
    is_old: bool = False
    is_ordered: bool = True

    @property
    def newest(self) -> int:
        return self.frames[-1].number if self.frames else 0

    @property
    def is_whole(self) -> bool:
        """Return True if no record up to the newest is missing; bytes of a torn one may follow."""
        return self.n_missing == 0 and self.is_ordered

    @property
    def end(self) -> int:
        """Return the end of the newest record."""
        return self.frames[-1].end if self.frames else 0

    def describe(self) -> str:
        """Describe the damage; empty if there is none."""
        parts = [f"{self.n_missing:,} records are missing or unreadable"] if self.n_missing else []
        parts += [f"{self.n_skipped_bytes:,} bytes were skipped"] if self.n_skipped_bytes else []
        return ", ".join(parts or ["" if self.is_ordered else "records are doubled or out of order"])


class RowLog:
    """A log next to a database."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def size(self) -> int:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return 0
        require_file(self.path, status)
        return status.st_size

    def append(self, rows: Rows, number: int, end: int) -> int:
        """Append the record of a transaction at the end of the last one; return the new end."""
        try:
            with self.path.open("r+b" if self.path.exists() else "w+b") as file:
                start = min(file.seek(0, os.SEEK_END), end)
                try:
                    file.truncate(start)  # Drop the record of a failed transaction.
                    file.seek(start)
                    return _write(file, [(rows, number, 0)])
                except OSError:
                    with suppress(OSError):
                        file.truncate(start)
                    raise
        except OSError as error:
            reason = error.strerror or error
            raise StoreError(f"{self.path}: {reason}; nothing was stored (solve that, then try again)") from error

    def truncate(self, end: int) -> None:
        with self.path.open("r+b") as file:
            file.truncate(end)

    def rewrite(self, parts: Iterable[Rows], n_parts: int, number: int) -> int:
        """Replace the log by all rows as of a transaction; return its end."""
        fresh = self.path.with_suffix(".new")
        with fresh.open("wb") as file:
            end = _write(file, ((rows, number, n_parts - at) for at, rows in enumerate(parts, 1)))
        fresh.replace(self.path)
        return end

    def read(self) -> LogState:
        """Find the whole records."""
        if self.size() == 0:
            return LogState([], 0)
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            if content[: len(_OLD_HEADER)] != _OLD_HEADER:
                found = _find_frames(content, len(_HEADER) if content[: len(_HEADER)] == _HEADER else 0)
                if found.frames or content[: len(_HEADER)] == _HEADER:
                    return found
            return _find_old_frames(content, len(_OLD_HEADER) if content[: len(_OLD_HEADER)] == _OLD_HEADER else 0)

    def records(self, state: LogState | None = None) -> Iterator[Rows]:
        """Yield every whole record, in the order of transactions."""
        state = state or self.read()
        if state.frames:
            with self.path.open("rb") as file:
                for frame in state.frames:
                    file.seek(frame.body)
                    yield msgspec.msgpack.decode(zlib.decompress(file.read(frame.end - frame.body)))


def require_file(path: Path, status: os.stat_result) -> None:
    """Refuse a folder, a pipe or a device, which would block or cannot be read."""
    if not stat.S_ISREG(status.st_mode):
        raise DamagedError(f"{path}: is no regular file; run `birthmark doctor`")


def _write(file: BinaryIO, records: Iterable[tuple[Rows, int, int]]) -> int:
    is_first = file.tell() == 0
    if is_first:
        file.write(_HEADER)
    for rows, number, n_left in records:
        body = zlib.compress(msgspec.msgpack.encode(rows), 1)
        parts = n_left | (_FIRST if is_first else 0)
        file.write(_MARK + _FIELDS.pack(number, parts, len(body), _checksum(number, parts, body)) + body)
        is_first = False
    file.flush()
    os.fsync(file.fileno())
    return file.tell()


def _checksum(number: int, parts: int, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(struct.pack(">QI", number, parts)))


def _find_frames(content: mmap.mmap, at: int) -> LogState:
    """Find the records; after damage, continue at the next mark."""
    frames, n_skipped = list[Record](), 0 if at else min(len(_HEADER), len(content))
    at = at or min(len(_HEADER), len(content))
    while at < len(content):
        frame = _frame_at(content, at)
        if frame is not None:
            frames.append(frame)
            at = frame.end
            continue
        found = content.find(_MARK, at + 1)
        following = found if found >= 0 else len(content)
        n_skipped += following - at
        at = following
    return _order(LogState(frames, len(content), n_skipped))


def _frame_at(content: mmap.mmap, at: int) -> Record | None:
    if content[at : at + len(_MARK)] != _MARK or at + _FRAME > len(content):
        return None
    number, parts, length, checksum = _FIELDS.unpack_from(content, at + len(_MARK))
    body = at + _FRAME
    if body + length > len(content) or _checksum(number, parts, content[body : body + length]) != checksum:
        return None
    return Record(number, parts & ~_FIRST, at, body, body + length, bool(parts & _FIRST))


def _order(state: LogState) -> LogState:
    """Sort the records by transaction, drop doubles, and count missing ones."""
    found = {(frame.number, -frame.n_left): frame for frame in reversed(state.frames)}
    frames = [found[key] for key in sorted(found)]
    n_missing = 0 if not frames or frames[0].is_first else 1
    for frame, following in pairwise(frames):
        if frame.number == following.number:
            n_missing += frame.n_left - following.n_left - 1
        else:
            n_missing += frame.n_left + following.number - frame.number - 1
    n_missing += frames[-1].n_left if frames else int(state.n_skipped_bytes > 0)
    return state._replace(frames=frames, n_missing=n_missing, is_ordered=frames == state.frames)


def _find_old_frames(content: mmap.mmap, at: int) -> LogState:
    """Find records of the first format, which have no mark; after damage, continue where zlib data starts."""
    frames, n_skipped, n_gaps = list[Record](), 0, 0
    while at < len(content):
        frame = _old_frame_at(content, at, len(frames) + 1)
        if frame is not None:
            frames.append(frame)
            at = frame.end
            continue
        following = at + 1
        while (found := content.find(_ZLIB, following + _OLD_FIELDS.size)) >= 0:
            following = found - _OLD_FIELDS.size
            if _old_frame_at(content, following, 0) is not None:
                break
            following += 1
        following = following if found >= 0 else len(content)
        n_skipped, n_gaps, at = n_skipped + following - at, n_gaps + (following < len(content)), following
    return LogState(frames, len(content), n_skipped, n_gaps, is_old=True)


def _old_frame_at(content: mmap.mmap, at: int, number: int) -> Record | None:
    body = at + _OLD_FIELDS.size
    if body > len(content):
        return None
    length, checksum = _OLD_FIELDS.unpack_from(content, at)
    if length == 0 or body + length > len(content) or zlib.crc32(content[body : body + length]) != checksum:
        return None
    return Record(number, 0, at, body, body + length)


def index_file(location: StoreLocation) -> Path:
    return location.folder / "index.db"


def subscription_file(location: StoreLocation) -> Path:
    return location.folder / "subscriptions.db"


def ledger_log(location: StoreLocation) -> RowLog:
    return RowLog(location.folder / "ledger.log")


def subscription_log(location: StoreLocation) -> RowLog:
    return RowLog(location.folder / "subscriptions.log")
