"""Keep the indexes of a fleet up to date until it is stopped.

What a forge announced is refreshed at once, what failed when it is due again, and everything once in a period. Gives
what was done, without end; a database that is away for a while is a Trouble.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile
from typing import NamedTuple

from birthmark.app.indexing.watch import Trouble
from birthmark.errors import BirthmarkError
from birthmark.server.fleet.catalog import CatalogReader, FleetRepository
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import RefreshRequest, refresh_fleet

EVERY_SECONDS = 300.0
_LOOK_SECONDS = 2.0  # between looks at the catalog
_RETRY_SECONDS = 5.0
_PORTION = 256  # repositories that are given to a cluster at once


class Pace(NamedTuple):
    """The interval between full refreshes, and the clock."""

    every: float = EVERY_SECONDS
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], object] = time.sleep


def watch_fleet(url: str, request: RefreshRequest, pace: Pace) -> Iterator[RefreshedRepository | Trouble]:
    catalog, seen, period_ends = CatalogReader(url), set[str](), pace.clock() + pace.every
    while True:
        if pace.clock() >= period_ends:
            seen, period_ends = set[str](), pace.clock() + pace.every
        before = len(seen)
        try:
            for done in _refresh_portion(url, catalog, request, seen, pace):
                seen.add(done.name)
                yield done
        except BirthmarkError as error:
            yield Trouble(str(error))
            pace.sleep(_RETRY_SECONDS)
        if len(seen) == before:
            pace.sleep(_LOOK_SECONDS)


def _refresh_portion(
    url: str, catalog: CatalogReader, request: RefreshRequest, seen: set[str], pace: Pace
) -> Iterator[RefreshedRepository]:
    """None is begun after a while, since something may be announced meanwhile."""
    ends = pace.clock() + _LOOK_SECONDS
    due = find_due(catalog.read(), seen, time.time())
    in_time = due[:_PORTION] if request.cluster else takewhile(lambda _: pace.clock() <= ends, due)
    return refresh_fleet(url, in_time, request)


def find_due(known: Iterable[FleetRepository], seen: set[str], now: float) -> list[FleetRepository]:
    """Return the repositories that are due, those with announced pushes first."""
    due = [one for one in known if one.next_try <= now and (one.changed_at or one.failures or one.name not in seen)]
    return sorted(due, key=lambda one: not one.changed_at)
