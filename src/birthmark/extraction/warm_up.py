"""Make workers cheap for a process that starts them again and again.

A worker is a copy of the process that starts it: it need not compile what that has compiled, and all memory of that
process is copied, used or not.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable
from contextlib import suppress

from birthmark.extraction.pool import forking
from birthmark.extraction.read import read_source
from birthmark.languages.registry import load_registry

_warm: set[str] = set()


def warm_languages(languages: Iterable[str]) -> None:
    """Compile languages, once in a process: up to 80 ms each."""
    registry = load_registry()
    with forking:
        for language in set(languages) - _warm:
            read_source("", b"", registry.languages[language], registry)
            _warm.add(language)


def release_memory() -> None:
    """Give back what a large update has left behind: a worker of a process of 260 MB costs 20 ms, of 50 MB four."""
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # Only one C library has it.
        ctypes.CDLL(None).malloc_trim(0)
