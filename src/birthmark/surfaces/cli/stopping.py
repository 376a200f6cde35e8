"""How commands end that run until they are stopped."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from birthmark.surfaces.cli.terminal.output import say

_SIGNALS = [signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if hasattr(signal, "SIGALRM") else [])]
_AGAIN_SECONDS = 0.01


@contextmanager
def stopping_cleanly() -> Iterator[Callable[[], None]]:
    """Ctrl-C and SIGTERM end this command; workers ignore them, as this process ends its workers.

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
        say("stopped")
    finally:
        for number, handler in before:
            signal.signal(number, handler)


def _is_forking(frame: FrameType | None) -> bool:
    """Whether a worker is just being started, in multiprocessing's `_launch`."""
    while frame is not None and frame.f_code.co_name != "_launch":
        frame = frame.f_back
    return frame is not None
