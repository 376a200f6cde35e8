"""Lines of JSON about requests: an audit file with all that writes, and a log with all there are.

A line is written at once and as a whole, so that several processes may have one file. Queries and bodies are left out:
they say what a person looks for.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from birthmark.errors import BirthmarkError
from birthmark.surfaces.http.observing.observation import Observation, Observer

_STANDARD_ERROR = 2


class RequestLine(msgspec.Struct, frozen=True):
    """A line of both files."""

    at: str
    person: str | None
    method: str
    path: str
    status: int
    ms: float
    bytes: int
    write: bool


def log_requests(path: Path) -> Observer:
    descriptor = _open(path)
    return lambda found: os.write(descriptor, _line(found))


def audit_writes(path: Path) -> Observer:
    """Attempts that were refused, too."""
    descriptor = _open(path)
    return lambda found: os.write(descriptor, _line(found)) if found.is_write else None


def check_file(path: Path) -> None:
    descriptor = _open(path)
    if descriptor != _STANDARD_ERROR:
        os.close(descriptor)


def _open(path: Path) -> int:
    if str(path) == "-":
        return _STANDARD_ERROR
    try:
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; name a file that can be written") from error


def _line(found: Observation) -> bytes:
    at = datetime.fromtimestamp(found.at, UTC).isoformat(timespec="milliseconds")
    ms = round(found.seconds * 1000, 1)
    line = RequestLine(at, found.person, found.method, found.path, found.status, ms, found.n_bytes, found.is_write)
    return msgspec.json.encode(line) + b"\n"
