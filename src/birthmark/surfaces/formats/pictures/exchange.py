"""The effect of a change on folders: a row of bars each, and arrows for moves between them.

A bar is as long as its number; an arrow is the thicker the more moved.
"""

from __future__ import annotations

import posixpath
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import log2, sqrt
from typing import NamedTuple

from birthmark.app.answers.module_map import ROOT_MODULE
from birthmark.comparison.entity_changes import EntityChange
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.svg import Picture, box_at, file_name, head_at, path_of, text_at, titled
from birthmark.surfaces.text import cells, fit_middle
from birthmark.vocabulary import Change
from birthmark.words import count

_MARGIN, _ROW, _BAR, _HEAD_ROW = 16, 30, 12, 30
_BARS = 240.0  # the longest row of them
_CHARACTER, _SMALL_CHARACTER, _MOST_CHARACTERS = 7.3, 6.8, 44
_MOST_ROWS, _MOST_ARROWS, _MOST_DESCRIBED = 60, 80, 40
_ASIDE, _ASIDE_A_ROW = 30.0, 34.0  # how far an arrow goes aside: the more, the farther apart its rows are
_LEGEND = 450.0  # its width
_KINDS = (("added", "+", "born"), ("modified", "~", "edited"), ("deleted", "\N{MINUS SIGN}", "deleted"))


class ModuleChange(NamedTuple):
    """A folder, and how many of its entities changed how."""

    name: str
    added: int
    modified: int
    deleted: int
    moved_in: int
    moved_out: int

    @property
    def n_changes(self) -> int:
        return self.added + self.modified + self.deleted


class ModuleMove(NamedTuple):
    """The number of entities that moved from one folder to another."""

    source: str
    target: str
    n: int


ModuleLink = Callable[[ModuleChange], str | None]
MOST_ROWS = 25
_DEEPEST = 12


# What a change counts as where it stays in its folder; others by what differs.
_WORDS = {Change.ADDED: "added", Change.DELETED: "deleted", Change.RENAMED: "modified"}
_Counted = tuple[str, str, str]  # the folders of a change, and its word
Exchange = tuple[list[ModuleChange], list[ModuleMove]]  # by name, and the most first


def draw_exchange(
    modules: Sequence[ModuleChange],
    moves: Sequence[ModuleMove],
    title: str = "What changed between folders",
    link: ModuleLink | None = None,
) -> Picture:
    shown = _shown(modules)
    rows = {module.name: _MARGIN + _HEAD_ROW + number * _ROW for number, module in enumerate(shown)}
    left = _MARGIN + max((cells(_label(module)) for module in shown), default=16) * _CHARACTER + 14
    arrows = left + _BARS + 40 + _widest(map(_figures, shown)) + _widest(map(_moved, shown))
    between = [move for move in moves if move.source in rows and move.target in rows]
    drawn = sorted(between, key=lambda move: -move.n)[:_MOST_ARROWS]
    parts = [*_legend(left)] if shown else [text_at(_MARGIN, _MARGIN + 14, "No folder changed.")]
    parts += [*_rows(shown, rows, left, arrows - 10, link), *_arrows(drawn, rows, arrows)]
    n_more, bottom = len(modules) - len(shown), _MARGIN + _HEAD_ROW + len(shown) * _ROW
    parts += [text_at(_MARGIN, bottom + 16, f"and {n_more:,} more", "small faint")] if n_more else []
    aside = max((_reach(move, rows) * 0.75 + 24 for move in drawn), default=0.0)
    width = max(arrows + aside, left + _LEGEND) + _MARGIN
    height = bottom + (28 if n_more else 10)
    return Picture(file_name(title), title, _description(modules, moves), width, height, tuple(parts))


def _shown(modules: Sequence[ModuleChange]) -> list[ModuleChange]:
    """Those with most changes, in their order."""
    by_weight = sorted(range(len(modules)), key=lambda i: -(modules[i].n_changes + _n_moved(modules[i])))
    return [modules[number] for number in sorted(by_weight[:_MOST_ROWS])]


def _n_moved(module: ModuleChange) -> int:
    return module.moved_in + module.moved_out


def _label(module: ModuleChange) -> str:
    return fit_middle(plain(module.name), _MOST_CHARACTERS)


def _legend(x: float) -> Iterator[str]:
    for word, sign, css in _KINDS:
        yield box_at(x, _MARGIN, 10, 10, css, 2)
        yield text_at(x + 15, _MARGIN + 9, f"{sign} {word}", "small faint")
        x += 92
    yield path_of(f"M{x:.1f} {_MARGIN + 5}h16", "line", 2)
    yield head_at(x + 22, _MARGIN + 5, "right")
    yield text_at(x + 28, _MARGIN + 9, "moved to another folder", "small faint")


def _widest(texts: Iterable[str]) -> float:
    return max(map(cells, texts), default=0) * _SMALL_CHARACTER


def _rows(
    modules: Sequence[ModuleChange], rows: dict[str, int], left: float, right: float, link: ModuleLink | None
) -> Iterator[str]:
    longest = max((module.n_changes for module in modules), default=0) or 1
    for module in modules:
        middle = rows[module.name] + _ROW / 2
        name = text_at(left - 14, middle + 4, _label(module), "name end")
        moved = [text_at(right, middle + 4, _moved(module), "small faint end")] if _n_moved(module) else []
        parts = [name, *_bars(module, left, middle, _BARS / longest), *moved]
        yield titled(_sentence(module), parts, link(module) if link is not None else None)


def _bars(module: ModuleChange, x: float, middle: float, scale: float) -> Iterator[str]:
    """Those of a row after each other, then their numbers."""
    for word, _, css in _KINDS:
        number = getattr(module, word)
        if number:
            width = max(number * scale, 3)
            yield box_at(x, middle - _BAR / 2, width, _BAR, css, 2)
            x += width + 1
    if _figures(module):
        yield text_at(x + 6, middle + 4, _figures(module), "small")


def _figures(module: ModuleChange) -> str:
    figures = [f"{sign}{getattr(module, word):,}" for word, sign, _ in _KINDS if getattr(module, word)]
    return "\N{EN SPACE}".join(figures) or ("" if _n_moved(module) else "no change")


def _moved(module: ModuleChange) -> str:
    numbers = ((module.moved_in, "in"), (module.moved_out, "out"))
    return ", ".join(f"{number:,} {way}" for number, way in numbers if number)


def _arrows(moves: Sequence[ModuleMove], rows: dict[str, int], x: float) -> Iterator[str]:
    """The thickest first, so that the thin ones are seen above them; then numbers, where they have space."""
    numbers: dict[tuple[float, float], int] = {}
    for move in moves:
        start, end = rows[move.source] + _ROW / 2, rows[move.target] + _ROW / 2
        start, end = (start + 5, end - 5) if start < end else (start - 5, end + 5)
        aside, width = x + _reach(move, rows), min(1.5 + log2(max(move.n, 1)), 9)
        head = max(8, 2 * width)
        way = f"M{x:.1f} {start:.1f}C{aside:.1f} {start:.1f} {aside:.1f} {end:.1f} {x + head - 2:.1f} {end:.1f}"
        title = f"{count(move.n, 'entity')} moved from {plain(move.source)} to {plain(move.target)}"
        yield titled(title, [path_of(way, "line", width), head_at(x, end, "left", size=head)])
        place = x + (aside - x) * 0.75, (start + end) / 2 + 4
        if all(abs(place[0] - other[0]) > 26 or abs(place[1] - other[1]) > 14 for other in numbers):
            numbers[place] = move.n
    yield from (text_at(*place, f"{n:,}", "small middle halo") for place, n in numbers.items())


def _reach(move: ModuleMove, rows: dict[str, int]) -> float:
    return _ASIDE + _ASIDE_A_ROW * sqrt(abs(rows[move.source] - rows[move.target]) / _ROW)


def _sentence(module: ModuleChange) -> str:
    words = [f"{getattr(module, word):,} {word}" for word, _, _ in _KINDS]
    words += [f"{module.moved_in:,} moved in", f"{module.moved_out:,} moved out"]
    return plain(f"{module.name}: {', '.join(words)}")


def _description(modules: Sequence[ModuleChange], moves: Sequence[ModuleMove]) -> str:
    rows = [_sentence(module) for module in modules[:_MOST_DESCRIBED]]
    went = [plain(f"{move.n:,} from {move.source} to {move.target}") for move in moves[:_MOST_DESCRIBED]]
    n_more = len(modules) - len(rows)
    return "; ".join([count(len(modules), "folder"), *rows, *([f"and {n_more:,} more"] if n_more else []), *went])


def count_exchange(changes: Sequence[EntityChange]) -> Exchange:
    """Count by folders as deep as leaves few enough; where the uppermost are too many, those with most changes."""
    counted = Counter(filter(None, map(_counted, changes)))
    found = _fold(counted, 1)
    for depth in range(2, _DEEPEST):
        deeper = _fold(counted, depth)
        if len(deeper[0]) > MOST_ROWS:
            break
        found = deeper
    modules, moves = found
    return sorted(sorted(modules, key=lambda module: sum(module[1:]), reverse=True)[:MOST_ROWS]), moves


def _counted(change: EntityChange) -> _Counted | None:
    """Return the folders and the change; None if the entity only moved within its folder."""
    places = [place for place in (change.before, change.after) if place is not None]
    first, last = posixpath.dirname(places[0].path), posixpath.dirname(places[-1].path)
    word = _WORDS.get(change.change, "modified" if change.aspects else "")
    return (first, last, word) if word or first != last else None


def _fold(counted: Mapping[_Counted, int], depth: int) -> Exchange:
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    moves: Counter[tuple[str, str]] = Counter()
    for (first, last, word), n in counted.items():
        source, target = _cut(first, depth), _cut(last, depth)
        if source != target:
            moves[source, target] += n
            counts[source]["moved_out"] += n
            counts[target]["moved_in"] += n
        elif word:
            counts[source][word] += n
    modules = [ModuleChange(name, *map(found.__getitem__, ModuleChange._fields[1:])) for name, found in counts.items()]
    return modules, [ModuleMove(*ends, n) for ends, n in moves.most_common()]


def _cut(folder: str, depth: int) -> str:
    return "/".join(folder.split("/")[:depth]) or ROOT_MODULE
