"""Make workers cheap for a process that starts them again and again.

A worker is a copy of the process that starts it: it need not compile what that has compiled, and all memory of that
process is copied, used or not.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable
from contextlib import suppress

from birthmark.extraction.codec import Task, encode_task
from birthmark.extraction.kept_analyses import keep_analyses, load_analyses
from birthmark.extraction.model import ReadOptions
from birthmark.extraction.native_outline import analyses
from birthmark.extraction.pool import forking
from birthmark.extraction.task import run_task
from birthmark.model import Level
from birthmark.store.port import Store

_warm: set[tuple[str, Level]] = set()


def warm_languages(
    languages: Iterable[str], level: Level, store: Store | None = None, *, is_writable: bool = False
) -> None:
    """Compile languages for a level, once in a process; what takes most of the time is kept in the store."""
    with forking:
        cold = [language for language in sorted(set(languages)) if (language, level) not in _warm]
        known = load_analyses(store) if cold and store is not None else {}
        analyses.update(known)
        for language in cold:
            run_task(encode_task(Task(b"", language, level, ReadOptions())))
            _warm.add((language, level))
        if cold and store is not None and is_writable:
            keep_analyses(store, known, analyses)


def release_memory() -> None:
    """Give back what a large update has left behind: a worker of a process of 260 MB costs 20 ms, of 50 MB four."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # Only one C library has it.
        ctypes.CDLL(None).malloc_trim(0)
