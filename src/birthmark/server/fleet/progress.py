"""The progress of refreshes: written into the catalog by the machine that runs one, and read by all.

What takes less than some seconds is not written. What was written long ago is of a machine that went away.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

import msgspec

from birthmark.app.workspace.freshness import Progress
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import CatalogReader, FleetProgress, FleetRepository, change

_WRITE_SECONDS = 2.0
_READ_SECONDS = 1.0
_OLD_SECONDS = 60


def written_progress(url: str, name: str, shown: Progress | None) -> Progress:
    """Shows it here, if that is wanted, and has it in the catalog now and then; failing to is no failure."""
    written = time.monotonic()

    def show(stage: str, done: int, total: int) -> None:
        nonlocal written
        if time.monotonic() - written >= _WRITE_SECONDS:
            written, found = time.monotonic(), FleetProgress(stage, done, total, int(time.time()))
            with suppress(BirthmarkError):
                change(url, name, lambda known: msgspec.structs.replace(known, progress=found))
        if shown is not None:
            shown(stage, done, total)

    return show


def current_progress(repository: FleetRepository, now: float) -> FleetProgress | None:
    found = repository.progress
    return found if found is not None and now - found.at < _OLD_SECONDS else None


def total_progress(repositories: Iterable[FleetRepository], now: float) -> FleetProgress | None:
    """Return the combined progress of all running refreshes, or None if there are none."""
    found = {one.name: progress for one in repositories if (progress := current_progress(one, now))}
    if not found:
        return None
    (name, first), n_others = next(iter(found.items())), len(found) - 1
    stage = f"{name}: {first.stage}" + (f", and {n_others:,} more" if n_others else "")
    done, total = (sum(getattr(one, field) for one in found.values()) for field in ("done", "total"))
    return FleetProgress(stage, done, total, int(now))


@contextmanager
def watching(url: str, shown: Progress | None) -> Iterator[None]:
    """Show what other machines write, meanwhile."""
    if shown is None:
        yield
        return
    stop = Event()
    thread = Thread(target=_watch, args=(url, shown, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch(url: str, shown: Progress, stop: Event) -> None:
    catalog = CatalogReader(url)
    while not stop.wait(_READ_SECONDS):
        with suppress(BirthmarkError):
            if found := total_progress(catalog.read(), time.time()):
                shown(found.stage, found.done, found.total)
