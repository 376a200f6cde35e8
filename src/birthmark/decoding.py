"""Types that msgspec reads, each prepared once and by one thread at a time.

What msgspec finds out about a type is kept with the type while it is still incomplete: two threads that use a type for
the first time at the same moment can crash the process. Whatever is decoded or converted where there may be threads
takes its decoder, or its type, from here.
"""

from __future__ import annotations

from threading import RLock
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_lock = RLock()
_decoders: dict[object, msgspec.msgpack.Decoder[Any]] = {}


def msgpack_decoder(kind: type[T]) -> msgspec.msgpack.Decoder[T]:
    found = _decoders.get(kind)
    if found is None:
        with _lock:
            found = _decoders.setdefault(kind, msgspec.msgpack.Decoder(kind))
    return found


def prepared(kind: type[T]) -> type[T]:
    """The type itself, for `msgspec.json.decode` and `msgspec.convert`, which now know all of it."""
    msgpack_decoder(kind)
    return kind
