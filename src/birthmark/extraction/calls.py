"""Calls that run in a worker: the name of a function, and its argument and result as bytes.

The worker finds the function by name, in whatever room, so that one pool serves all computations. A CallPool runs
calls: `pool.py` on this machine, `server/fleet/ray_pool.py` on others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple, Protocol

from birthmark.extraction.model import Limits

Function = Callable[[bytes], bytes]

_END = b"\0"  # ends the name of a function


class Call(NamedTuple):
    """A pure function to run in a worker on the result of `load`; `done` receives its result or None."""

    function: Function
    load: Callable[[], bytes]
    done: Callable[[bytes | None], None]


class Outcome(NamedTuple):
    """The result of a task, or its failure. An exhausted task may succeed another time.

    It `fails_again` if the task itself used up its limits or crashed its worker. A worker that was killed, or waited
    for a processor, may be a victim of the machine.
    """

    task: int
    result: bytes | None
    failure: str | None
    is_exhausted: bool = False
    fails_again: bool = False


class CallPool(Protocol):
    """Run calls, one run at a time."""

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        """Yield the outcomes of encoded calls as they finish; tasks are taken while there is room."""

    def close(self) -> None: ...


PoolFactory = Callable[[Limits], CallPool]


def encode_call(function: Function, argument: bytes) -> bytes:
    return f"{function.__module__}:{function.__qualname__}".encode() + _END + argument


def run_call(payload: bytes) -> bytes:
    """Run an encoded call, in the worker."""
    name, _, argument = payload.partition(_END)
    return _find(name)(argument)


@cache
def _find(name: bytes) -> Function:
    module, _, function = name.decode().partition(":")
    found: Function = getattr(import_module(module), function)
    return found
