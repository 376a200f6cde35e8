"""What a worker process does, and what the system says of one.

Takes tasks as bytes through a pipe; gives the results as bytes, each with its status in the first one.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection

from birthmark.extraction.model import Limits
from birthmark.isolation import leave_folder

Work = Callable[[bytes], bytes]

_COLLECT_EVERY = 256
_FAULTS = {signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL}


def serve(
    tasks: Connection, results: Connection, parents_ends: Iterable[Connection], work: Work, limits: Limits
) -> None:
    """Run tasks until the parent ends, which closes its ends of the pipes."""
    for end in parents_ends:
        end.close()
    _die_with_parent()
    leave_folder()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(limits.memory_bytes)
    gc.freeze()
    gc.disable()  # What a task makes holds few cycles, and is gone with it; what stays is looked through once.
    n_done = 0
    with suppress(EOFError, OSError):
        while True:
            results.send_bytes(_answer(work, tasks.recv_bytes()))
            n_done += 1
            if n_done % _COLLECT_EVERY == 0:
                gc.collect(0)
    os._exit(0)


def _die_with_parent() -> None:
    """A worker in an endless parse does not see its pipe close; on Linux the system ends it with its parent."""
    if sys.platform == "linux":
        import ctypes

        set_death_signal = 1
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def _answer(work: Work, payload: bytes) -> bytes:
    try:
        return b"+" + work(payload)
    except MemoryError:
        return b"!took more memory than allowed; raise the limit or ignore the file"
    except Exception as error:  # whatever it is, it concerns one file
        return b"-failed: " + f"{type(error).__name__}: {error}".encode()


def _limit_memory(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # not on this platform
        return
    used = _address_space()
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (used + memory_bytes, used + memory_bytes))


def _address_space() -> int:
    """What the process has mapped before its first task; the limit comes on top of it."""
    try:
        with open("/proc/self/statm", "rb") as statm:
            return int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 1 << 30


def cpu_seconds(pid: int | None) -> float | None:
    """The processor time a process has used; None where the system does not say."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def is_crash(code: int | None) -> bool:
    """Tell whether a process ended by its own fault; SIGKILL comes from others, as from a system without memory."""
    return code is not None and -code in _FAULTS


def describe_exit(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit {code}"
