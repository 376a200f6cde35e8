"""Exclude other processes with a lock on a file, which ends with its process."""

from __future__ import annotations

import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import Lock

from birthmark.errors import BirthmarkError

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            # Workers, which may outlive a killed writer for a moment, do not inherit this kind of lock.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True


_POLL_SECONDS = 0.05
_threads: defaultdict[Path, Lock] = defaultdict(Lock)  # The system's lock belongs to a process; threads need their own.


@contextmanager
def file_lock(path: Path, wait_seconds: float, what: str) -> Iterator[None]:
    """Hold the lock of a file; after the wait, raise an error that names the process holding it."""
    deadline = time.monotonic() + wait_seconds
    if not _threads[path].acquire(timeout=wait_seconds):
        raise _busy(path, what)
    try:
        with _process_lock(path, deadline, what):
            yield
    finally:
        _threads[path].release()


@contextmanager
def _process_lock(path: Path, deadline: float, what: str) -> Iterator[None]:
    if path.exists() and not path.is_file():
        raise BirthmarkError(f"{path}: is no regular file; run `birthmark doctor`, or remove it")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; check the permissions of the folder") from error
    try:
        try:
            while not _try_lock(descriptor):
                if time.monotonic() >= deadline:
                    raise _busy(path, what)
                time.sleep(_POLL_SECONDS)
            _sign(descriptor)
        except OSError as error:
            raise BirthmarkError(f"{path}: {error.strerror}; check the disk, then run the command again") from error
        yield
    finally:
        os.close(descriptor)


def _sign(descriptor: int) -> None:
    os.ftruncate(descriptor, 0)
    command = " ".join(["birthmark", *sys.argv[1:2]])
    os.pwrite(descriptor, f"process {os.getpid()} ({command})".encode("utf-8", "replace"), 0)


def _busy(path: Path, what: str) -> BirthmarkError:
    return BirthmarkError(f"{what} is being written by {_holder(path)}; wait for it, or stop it")


def _holder(path: Path) -> str:
    """Return the process that signed the lock, if it still runs."""
    try:
        signed = path.read_text("utf-8", "replace").strip()
        number = signed.removeprefix("process ").partition(" ")[0]
        if number.isascii() and number.isdigit() and is_running(int(number)):
            return signed
    except OSError:
        pass
    return "another process"


def is_running(process: int) -> bool:
    """Return True if a process exists, or the system cannot tell."""
    if sys.platform == "win32":
        return True  # Signal 0 would end it there.
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def writer_lock(path: Path, wait_seconds: float) -> AbstractContextManager[None]:
    return file_lock(path, wait_seconds, "the index")
