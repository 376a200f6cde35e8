"""A timeline of changes: an axis, and a row of marks for each kind of change.

A mark is a link to its commit. Where a row has few, marks of nearly the same time are above each other; where
it has many, it is a row of bars with their numbers. The life of a definition is one of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from birthmark.documents.changes import HistoryEventDocument
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.svg import Picture, box_at, file_name, path_of, text_at, titled
from birthmark.vocabulary import Aspect, Change, HistoryChange
from birthmark.words import count

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


_LEFT, _RIGHT, _TOP, _AXIS = 212, 24, 12, 30
_BIN, _WIDE_BIN = 14, 36  # pixels whose moments are above each other, and those that are one bar
_DEEPEST = 4  # marks above each other
_MARK = 14  # from one to the next
_LOW_BAR, _HIGH_BAR, _ROW_GAP = 18, 46, 14
_MOST_NAMED, _MOST_DESCRIBED = 6, 30  # moments in the title of a bar, and in the text alternative


class Moment(NamedTuple):
    """A commit, and what it did."""

    at: int  # Unix seconds
    changes: tuple[str, ...]  # `introduced`, `body change`, `rename`
    label: str  # date and subject
    author: str
    anchor: str


class MomentKind(NamedTuple):
    """A row of the picture."""

    name: str
    css: str
    shape: str  # around its middle
    words: frozenset[str]


_Cluster = tuple[float, tuple[Moment, ...]]  # moments that are drawn at one place
_CIRCLE = "m-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0z"
_CROSS = "m-6 -3.5l2.5 -2.5 3.5 3.5 3.5 -3.5 2.5 2.5 -3.5 3.5 3.5 3.5 -2.5 2.5 -3.5 -3.5 -3.5 3.5 -2.5 -2.5 3.5 -3.5z"
_BORN_WORDS = {HistoryChange.INTRODUCED, Change.BORN, Change.ADDED, Change.REVIVED}
_RENAMED_WORDS: set[str] = {HistoryChange.RENAME, HistoryChange.MOVED, HistoryChange.CONTAINER}


_RENAMED_WORDS |= {Change.RENAMED, Change.MOVED, Change.RELOCATED}


_SLIGHT_WORDS = {HistoryChange.DOCUMENTATION, HistoryChange.FORMAT, Aspect.DOCUMENTATION, Aspect.FORMATTING}
_BORN = MomentKind("born", "born", "m0 -7l7 7 -7 7 -7 -7z", frozenset(_BORN_WORDS))
_RENAMED = MomentKind("renamed, moved", "renamed", "m-5 -6.5l12 6.5 -12 6.5z", frozenset(_RENAMED_WORDS))
_EDITED = MomentKind("edited", "edited", _CIRCLE, frozenset())
_SLIGHT = MomentKind("documentation, format", "hollow", _CIRCLE, frozenset(_SLIGHT_WORDS))
_DELETED = MomentKind("deleted", "deleted", _CROSS, frozenset({Change.DELETED}))
KINDS = (_BORN, _RENAMED, _EDITED, _SLIGHT, _DELETED)
MomentLink = Callable[[Moment], str | None]


def scale_of(times: Sequence[int], left: float, right: float) -> TimeScale:
    """All times, with some space around them; none shorter than a week."""
    first, last = _bounded(min(times)), _bounded(max(times))
    space = max((last - first) // 50, (_LEAST_SPAN - (last - first)) // 2, 1)
    return TimeScale(first - space, last + space, left, right)


def place_ticks(scale: TimeScale) -> list[tuple[float, str]]:
    """Return the ticks that fit."""
    days_a_tick = (scale.last - scale.first) / _DAY * _TICK_WIDTH / (scale.right - scale.left)
    months, days = next((step for step in _STEPS if step[0] * 30.4 + step[1] >= days_a_tick), _STEPS[-1])
    dates = _months(scale, months) if months else _days(scale, days)
    style = "%Y" if months >= 12 else "%b %Y" if months else "%d %b %Y"
    return [(scale.place(int(date.timestamp())), date.strftime(style).lstrip("0")) for date in dates]


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
    """Clamp a date, since git accepts any number."""
    return min(max(at, 0), _LAST)


def to_anchor(moment: Moment) -> str | None:
    return f"#{moment.anchor}" if moment.anchor else None


def draw_timeline(
    moments: Sequence[Moment], title: str, width: float = 960, link: MomentLink | None = to_anchor
) -> Picture:
    name = file_name(title)
    if not moments:
        empty = text_at(width / 2, 34, "There is no change to show.", "middle")
        return Picture(name, title, "There is no change to show.", width, 60, (empty,))
    ordered = sorted(moments, key=lambda moment: moment.at)
    scale = scale_of([moment.at for moment in ordered], _LEFT, width - _RIGHT)
    rows: list[str] = []
    y = float(_TOP)
    for kind in KINDS:
        its = [moment for moment in ordered if kind_of(moment) is kind]
        if its:
            height, parts = _row(kind, its, scale, y, link)
            rows += parts
            y += height + _ROW_GAP
    return Picture(name, title, _description(ordered), width, y + _AXIS, (*_axis(scale, y), *rows))


def kind_of(moment: Moment) -> MomentKind:
    """Return the kind of the largest change; documentation and formatting count only by themselves."""
    for kind in (_BORN, _DELETED, _RENAMED):
        if not kind.words.isdisjoint(moment.changes):
            return kind
    is_slight = bool(moment.changes) and _SLIGHT.words.issuperset(moment.changes)
    return _SLIGHT if is_slight else _EDITED


def _row(
    kind: MomentKind, moments: list[Moment], scale: TimeScale, top: float, link: MomentLink | None
) -> tuple[float, list[str]]:
    """Its height and its parts."""
    clusters = _clusters(moments, scale, _BIN)
    deepest = max(len(its) for _, its in clusters)
    if deepest <= _DEEPEST:
        height = max(deepest * _MARK, 20)
        parts = [part for cluster in clusters for part in _marks(kind, cluster, top + height, link)]
    else:
        height = _HIGH_BAR
        clusters = _clusters(moments, scale, _WIDE_BIN)
        most = max(len(its) for _, its in clusters)
        parts = [_bar(kind, cluster, most, top + height, link) for cluster in clusters]
    return height, [*_row_head(kind, len(moments), top + height), *parts]


def _clusters(moments: list[Moment], scale: TimeScale, width: float) -> list[_Cluster]:
    bins: dict[int, list[Moment]] = {}
    for moment in moments:
        bins.setdefault(int((scale.place(moment.at) - scale.left) // width), []).append(moment)
    return [(scale.left + (number + 0.5) * width, tuple(its)) for number, its in bins.items()]


def _row_head(kind: MomentKind, n_moments: int, bottom: float) -> Iterator[str]:
    yield path_of(f"M22 {bottom - 8:.1f}{kind.shape}", kind.css)
    yield text_at(36, bottom - 4, kind.name, "small")
    yield text_at(_LEFT - 8, bottom - 4, f"{n_moments:,}", "small faint end")


def _marks(kind: MomentKind, cluster: _Cluster, bottom: float, link: MomentLink | None) -> Iterator[str]:
    x, moments = cluster
    for number, moment in enumerate(moments):
        mark = path_of(f"M{x:.1f} {bottom - 8 - number * _MARK:.1f}{kind.shape}", kind.css)
        yield titled(_sentence(moment), [mark], link(moment) if link is not None else None)


def _bar(kind: MomentKind, cluster: _Cluster, most: int, bottom: float, link: MomentLink | None) -> str:
    """It links to the newest of its moments."""
    (x, moments), n_moments = cluster, len(cluster[1])
    if n_moments == 1:
        return next(_marks(kind, cluster, bottom, link))
    height = _LOW_BAR + (_HIGH_BAR - _LOW_BAR) * n_moments / most
    box = box_at(x - _WIDE_BIN / 2 + 1, bottom - height, _WIDE_BIN - 2, height, f"bar {kind.css}", 3)
    number = text_at(x, bottom - height + 13, f"{n_moments:,}", f"small middle on-{kind.css}")
    return titled(_bar_title(kind, moments), [box, number], link(moments[-1]) if link is not None else None)


def _bar_title(kind: MomentKind, moments: Sequence[Moment]) -> str:
    between = f"{date_of(moments[0].at)} to {date_of(moments[-1].at)}"
    named = "; ".join(map(_sentence, moments[: -_MOST_NAMED - 1 : -1]))
    n_more = len(moments) - _MOST_NAMED
    return f"{len(moments):,} {kind.name}, {between}: {named}" + (f"; and {n_more:,} more" if n_more > 0 else "")


def _axis(scale: TimeScale, y: float) -> Iterator[str]:
    for x, label in place_ticks(scale):
        yield path_of(f"M{x:.1f} {_TOP - 4}V{y:.1f}", "grid")
        yield text_at(x, y + 17, label, "small faint middle")
    yield path_of(f"M{scale.left - 6:.1f} {y:.1f}H{scale.right + 6:.1f}", "line")


def _sentence(moment: Moment) -> str:
    by = f" ({moment.author})" if moment.author else ""
    return plain(f"{', '.join(moment.changes) or 'change'}: {moment.label}{by}")


def _description(moments: Sequence[Moment]) -> str:
    """From the newest on."""
    between = f"{count(len(moments), 'change')}, {date_of(moments[0].at)} to {date_of(moments[-1].at)}"
    named = [_sentence(moment) for moment in moments[: -_MOST_DESCRIBED - 1 : -1]]
    n_more = len(moments) - len(named)
    return "; ".join([between, *named, *([f"and {n_more:,} more"] if n_more else [])])


def draw_life(name: str, events: Sequence[HistoryEventDocument], link: MomentLink | None = to_anchor) -> Picture:
    return draw_timeline([_moment_of(event) for event in events], f"The life of {name}", link=link)


def _moment_of(event: HistoryEventDocument) -> Moment:
    label = f"{event.date[:10]} {event.subject}"
    return Moment(_seconds(event.date), tuple(map(str, event.changes)), label, event.author, f"e{event.commit[:12]}")


def _seconds(date: str) -> int:
    """Zero where git holds a time that no calendar has."""
    return int(datetime.fromisoformat(date).timestamp()) if date else 0
