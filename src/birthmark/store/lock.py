"""One writer of an index at a time."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from birthmark.file_lock import file_lock


def writer_lock(path: Path, wait_seconds: float) -> AbstractContextManager[None]:
    return file_lock(path, wait_seconds, "the index")
