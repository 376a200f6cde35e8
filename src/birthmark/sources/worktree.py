"""Read files from disk, within limits.

Takes a path; returns its bytes, or raises an error that says what to do. Only regular files are read, because a
repository may contain a pipe, a device or a link to one, which would block or never end.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO

from birthmark.errors import BirthmarkError

# Without O_NONBLOCK, opening a named pipe would block.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


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
