"""Signals that a process inherited as ignored: under nohup, or in the background of a script.

What it starts would ignore them as well, so that no test could end it by one. A signal with a handler is not passed
on: a handler that does nothing leaves this process as it is.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_NAMES = ("SIGHUP", "SIGINT", "SIGQUIT")


@contextmanager
def handle_ignored_signals() -> Iterator[None]:
    """Ignore by a handler what is ignored now."""
    known = [signal.Signals[name] for name in _NAMES if hasattr(signal, name)]
    ignored = [number for number in known if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, lambda *_: None)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)
