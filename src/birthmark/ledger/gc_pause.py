"""Work without garbage collection: of what is made by the hundred thousand in an update, hardly any holds cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Iterator[None]:
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_collecting:
            gc.enable()


def collect_recent() -> None:
    """Free the few cycles among what was made since the last time: a pairing has some, and holds all its files."""
    gc.collect(0)
