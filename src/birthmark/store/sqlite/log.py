"""The ledger's second copy: a file that is only ever appended to.

The database may be damaged or deleted; the ids that were issued must not be lost with it. Every transaction that adds
to the ledger appends one record (length, checksum, compressed rows by table) and is committed only when that is on
disk. The database has the position at which the log ended, so the record of a transaction that failed is cut off the
next time.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from birthmark.errors import StoreError
from birthmark.store.tables.database import Rows

_HEADER = b"birthmark ledger 1\n"
_SIZES = 8  # bytes before a record: its length and its checksum


class LedgerLog:
    """The log beside an index."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def append(self, rows: Rows) -> int:
        """Returns where the log then ends."""
        try:
            with self.path.open("ab") as file:
                return _write(file, [rows])
        except OSError as error:
            reason = error.strerror or error
            raise StoreError(f"{self.path}: {reason}; nothing was changed, see to it and try again") from error

    def truncate(self, end: int) -> None:
        with self.path.open("r+b") as file:
            file.truncate(end)

    def rewrite(self, records: Iterable[Rows]) -> int:
        fresh = self.path.with_suffix(".new")
        with fresh.open("wb") as file:
            end = _write(file, records)
        fresh.replace(self.path)
        return end

    def records(self, start: int = 0) -> Iterator[Rows]:
        """Every whole record from a place on, in order; what follows a torn one is left out."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            if file.readline() == _HEADER:
                file.seek(max(start, len(_HEADER)))
                while rows := _read(file):
                    yield rows


def _write(file: BinaryIO, records: Iterable[Rows]) -> int:
    if file.tell() == 0:
        file.write(_HEADER)
    for rows in records:
        body = zlib.compress(msgspec.msgpack.encode(rows), 1)
        file.write(len(body).to_bytes(4, "big") + zlib.crc32(body).to_bytes(4, "big") + body)
    file.flush()
    os.fsync(file.fileno())
    return file.tell()


def _read(file: BinaryIO) -> Rows | None:
    sizes = file.read(_SIZES)
    body = file.read(int.from_bytes(sizes[:4], "big"))
    if len(sizes) < _SIZES or zlib.crc32(body) != int.from_bytes(sizes[4:], "big"):
        return None
    rows: Rows = msgspec.msgpack.decode(zlib.decompress(body))
    return rows
