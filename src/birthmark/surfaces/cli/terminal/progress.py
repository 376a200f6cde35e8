"""A bar that shows how far an update of the index is, on a terminal; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from birthmark.app.workspace.freshness import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


@contextmanager
def progress_bar(delay: float = 0.0) -> Iterator[Progress]:
    """`delay` seconds must have passed before it appears."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    started = time.monotonic()
    bars: list[Bar] = []

    def show(stage: str, done: int, total: int) -> None:
        if not bars and time.monotonic() - started >= delay:
            bars.append(_start())
        for bar in bars:
            bar.update(bar.task_ids[0], description=stage, completed=done, total=total)

    try:
        yield show
    finally:
        for bar in bars:
            bar.stop()


def _start() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    bar.add_task("finding files", total=None)
    bar.start()
    return bar
