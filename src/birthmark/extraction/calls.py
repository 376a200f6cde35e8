"""What a worker is given: the name of a function, and its argument as bytes; its result is bytes, too.

The function is one of any room, found by its name in the worker; so there is one pool, whatever is computed in it. A
CallPool is a way to run calls: `pool.py` does so on this machine, `ray_pool.py` on others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from birthmark.extraction.model import Limits

Function = Callable[[bytes], bytes]

_END = b"\0"  # of the name of a function


class Call(NamedTuple):
    """A pure function that runs in a worker, on what `load` gives there and then; `done` gets its result or None."""

    function: Function
    load: Callable[[], bytes]
    done: Callable[[bytes | None], None]


class Outcome(NamedTuple):
    """The result of a task, or why it has none. One that was exhausted may succeed another time.

    It is sure to fail again if the task itself used up its limits or crashed its worker. A worker that was killed, or
    that waited for a processor, may have been a victim of the machine.
    """

    task: int
    result: bytes | None
    failure: str | None
    is_exhausted: bool = False
    fails_again: bool = False


class CallPool(Protocol):
    """Runs calls, one run at a time."""

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        """The outcomes of encoded calls by their numbers, as they are ready; tasks are taken as there is room."""

    def close(self) -> None: ...


PoolFactory = Callable[[Limits], CallPool]


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
