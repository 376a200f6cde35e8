"""End commands on Ctrl-C and SIGTERM: at once while modules are imported, cleanly while a server runs.

An import can lose the exception that a signal raises, or turn it into another one, as enumerations do.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ending_at_once() -> Iterator[None]:
    """End at once on Ctrl-C meanwhile, where nothing has to be removed or stopped yet."""
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        yield
        return
    signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _end(_: int, __: FrameType | None) -> None:
    os.write(2, b"birthmark: stopped\n")
    os._exit(130)


_SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if hasattr(signal, "SIGALRM") else [])]
_AGAIN_SECONDS = 0.01


@contextmanager
def stopping_cleanly() -> Iterator[Callable[[], None]]:
    """End this command on Ctrl-C and SIGTERM; workers ignore them, as this process ends its workers.

    Python drops what a signal raises in some places, such as finalizers. What is yielded raises it once more.
    """
    owner, is_asked = os.getpid(), False

    def stop(_: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        if os.getpid() != owner:
            return
        is_asked = True
        if _is_forking(frame):  # What is raised there is lost; the alarm comes back to it.
            signal.setitimer(signal.ITIMER_REAL, _AGAIN_SECONDS)
            return
        raise KeyboardInterrupt

    def check() -> None:
        if is_asked:
            raise KeyboardInterrupt

    before: list[tuple[signal.Signals, Callable[..., object] | int | None]] = [
        (number, signal.signal(number, stop)) for number in _SIGNALS
    ]
    try:
        yield check
    except KeyboardInterrupt:
        from birthmark.surfaces.cli.terminal.output import say  # Not before a command is loaded.

        say("stopped")
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _is_forking(frame: FrameType | None) -> bool:
    """Return whether a worker is just being started, in multiprocessing's `_launch`."""
    while frame is not None and frame.f_code.co_name != "_launch":
        frame = frame.f_back
    return frame is not None
