"""What a worker is given: the name of a function, and its argument as bytes; its result is bytes, too.

The function is one of any room, found by its name in the worker; so there is one pool, whatever is computed in it. Any
way to run calls elsewhere attaches here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import NamedTuple

Function = Callable[[bytes], bytes]

_END = b"\0"  # of the name of a function


class Call(NamedTuple):
    """A pure function that runs in a worker, on what `load` gives there and then; `done` gets its result or None."""

    function: Function
    load: Callable[[], bytes]
    done: Callable[[bytes | None], None]


def encode_call(function: Function, argument: bytes) -> bytes:
    return f"{function.__module__}:{function.__qualname__}".encode() + _END + argument


def run_call(payload: bytes) -> bytes:
    """What a worker does."""
    name, _, argument = payload.partition(_END)
    return _find(name)(argument)


@cache
def _find(name: bytes) -> Function:
    module, _, function = name.decode().partition(":")
    found: Function = getattr(import_module(module), function)
    return found
