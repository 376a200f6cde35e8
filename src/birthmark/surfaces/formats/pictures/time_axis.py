"""Time on a line: where a moment is, and which dates are written at it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

_LAST = 250_000_000_000  # in the year 9892; no date is later than 9999
_DAY = 86_400
_LEAST_SPAN = 7 * _DAY
_TICK_WIDTH = 76  # pixels that a date needs
# Steps between dates: months, or days where there are no months.
_STEPS = [(0, 1), (0, 2), (0, 7), (0, 14), (1, 0), (2, 0), (3, 0), (6, 0)]
_STEPS += [(12 * years, 0) for years in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)]


class TimeScale(NamedTuple):
    """From `first` at `left` to `last` at `right`."""

    first: int
    last: int
    left: float
    right: float

    def place(self, at: int) -> float:
        share = (_bounded(at) - self.first) / (self.last - self.first)
        return self.left + share * (self.right - self.left)


class Tick(NamedTuple):
    """A date at the line."""

    x: float
    label: str


def scale_of(times: Sequence[int], left: float, right: float) -> TimeScale:
    """All times, with some space around them; none shorter than a week."""
    first, last = _bounded(min(times)), _bounded(max(times))
    space = max((last - first) // 50, (_LEAST_SPAN - (last - first)) // 2, 1)
    return TimeScale(first - space, last + space, left, right)


def place_ticks(scale: TimeScale) -> list[Tick]:
    """As many as have enough space."""
    days_a_tick = (scale.last - scale.first) / _DAY * _TICK_WIDTH / (scale.right - scale.left)
    months, days = next((step for step in _STEPS if step[0] * 30.4 + step[1] >= days_a_tick), _STEPS[-1])
    dates = _months(scale, months) if months else _days(scale, days)
    style = "%Y" if months >= 12 else "%b %Y" if months else "%d %b %Y"
    return [Tick(scale.place(int(date.timestamp())), date.strftime(style).lstrip("0")) for date in dates]


def date_of(at: int) -> str:
    return _moment(at).strftime("%Y-%m-%d")


def _months(scale: TimeScale, step: int) -> Iterator[datetime]:
    first = _moment(scale.first)
    number = -(-(first.year * 12 + first.month - 1) // step) * step
    while number < 9999 * 12:
        date = datetime(number // 12, number % 12 + 1, 1, tzinfo=UTC)
        if date.timestamp() > scale.last:
            return
        if date.timestamp() >= scale.first:
            yield date
        number += step


def _days(scale: TimeScale, step: int) -> Iterator[datetime]:
    date = _moment(scale.first).replace(hour=0, minute=0, second=0) + timedelta(days=1)
    while date.timestamp() <= scale.last:
        yield date
        date += timedelta(days=step)


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(_bounded(at), UTC)


def _bounded(at: int) -> int:
    """As git may have any number for a date."""
    return min(max(at, 0), _LAST)
