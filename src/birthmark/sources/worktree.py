"""Read files from disk, within limits.

Takes a path; returns its bytes, or raises an error that says what to do. Only regular files are read.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from birthmark.errors import BirthmarkError


def read_file(path: Path, max_bytes: int) -> bytes:
    try:
        # Without O_NONBLOCK, opening a named pipe would block.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        raise BirthmarkError(f"{path}: {_reason(error)}") from error
    try:
        _check_status(path, os.fstat(descriptor), max_bytes)
        # A file may grow while it is read.
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(max_bytes)
    finally:
        os.close(descriptor)


def _check_status(path: Path, status: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
        raise BirthmarkError(f"{path}: is {kind}; name a source file")
    if status.st_size > max_bytes:
        raise BirthmarkError(
            f"{path}: has {status.st_size:,} bytes, more than the limit of {max_bytes:,}; raise --max-bytes to read it"
        )


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file; check the path"
    if isinstance(error, PermissionError):
        return "not allowed to read it; check its permissions"
    return (error.strerror or str(error)) + "; check the path"
