"""A treemap: tiles as large as what they show, in five steps of heat. The layout is squarify's.

What would be too small to be seen is one tile together, which says how many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from squarify import normalize_sizes, squarify

from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.svg import HEAT_STEPS, Picture, box_at, file_name, text_at, titled
from birthmark.surfaces.text import cells, fit, fit_middle
from birthmark.words import count

_MARGIN, _LEGEND = 8, 30
_LEAST_AREA, _MOST = 16.0, 3000  # of a tile that is drawn by itself, in square pixels; and how many are
_LEAST_TOTAL = 1e-9  # of sizes that can be divided; below it all tiles are the same
_CHARACTER, _SMALL_CHARACTER = 7.3, 6.3
_PADDING, _LEAST_HEIGHT, _LEAST_HEIGHT_OF_TWO = 6, 22, 40
_LEAST_CELLS = 7  # of a name that is cut
_SWATCH, _MOST_LEGEND = 22, 24
_MOST_DESCRIBED = 40
TileLink = Callable[["Tile"], str | None]


class Tile(NamedTuple):
    """A tile of the map, such as a file or a folder."""

    name: str
    size: float
    heat: float | None  # from 0 to 1; None where it is not known
    label: str  # the second line
    path: str


class PlacedTile(NamedTuple):
    """A tile and where it is drawn."""

    tile: Tile
    x: float
    y: float
    width: float
    height: float


def draw_treemap(
    tiles: Sequence[Tile],
    title: str,
    width: float = 960,
    height: float = 480,
    link: TileLink | None = None,
    legend: tuple[str, str] = ("colder", "hotter"),
) -> Picture:
    placed = place_tiles(tiles, width, height)
    parts = [_draw(one, link, legend[1]) for one in placed] or [
        text_at(width / 2, height / 2, "There is nothing to show.", "middle")
    ]
    return Picture(
        file_name(title),
        title,
        _description(tiles),
        width,
        height,
        (*parts, *_legend(placed, legend, height - _MARGIN), *_rest(placed, width - _MARGIN, height - _MARGIN)),
    )


def place_tiles(tiles: Sequence[Tile], width: float, height: float) -> list[PlacedTile]:
    """From the largest on, without overlap; what is too small is the last one."""
    across, down = width - 2 * _MARGIN, height - 2 * _MARGIN - _LEGEND
    shown = _fold_small(sorted(tiles, key=lambda tile: (-tile.size, tile.name, tile.path)), across * down)
    sizes = normalize_sizes([tile.size for tile in shown], across, down)
    return [
        PlacedTile(tile, one["x"], one["y"], one["dx"], one["dy"])
        for tile, one in zip(shown, squarify(sizes, _MARGIN, _MARGIN, across, down), strict=True)
    ]


def _fold_small(tiles: list[Tile], area: float) -> list[Tile]:
    """Tiles from the largest to the smallest; those that are too small, or without a size, as one."""
    total = sum(max(tile.size, 0) for tile in tiles)
    if total < _LEAST_TOTAL:
        return [tile._replace(size=1) for tile in tiles[:_MOST]]
    shown = [tile for tile in tiles[:_MOST] if tile.size * area >= _LEAST_AREA * total]
    if len(shown) == len(tiles):
        return shown
    rest = sum(max(tile.size, 0) for tile in tiles[len(shown) :])
    size = max(rest, total / 80)  # so large that it is seen
    name = f"{len(tiles) - len(shown):,} more"
    return [*shown, Tile(name, size, None, "too small to be shown", "")]


def step_of(heat: float | None) -> int:
    """From 1 to 5; 0 where it is not known."""
    return 0 if heat is None else min(int(max(heat, 0.0) * HEAT_STEPS), HEAT_STEPS - 1) + 1


def _draw(placed: PlacedTile, link: TileLink | None, hotter: str) -> str:
    tile, step = placed.tile, step_of(placed.tile.heat)
    inset = min(1.0, placed.width / 8, placed.height / 8)  # also of what is narrower than a pixel
    width, height = placed.width - 2 * inset, placed.height - 2 * inset
    radius = 3 if min(width, height) > 16 else 0
    box = box_at(placed.x + inset, placed.y + inset, width, height, f"heat heat-{step}", radius)
    heat = f"; {hotter}: {step} of {HEAT_STEPS}" if step else ""
    href = link(tile) if link is not None and tile.path else None
    return titled(f"{plain(tile.path or tile.name)}: {plain(tile.label)}{heat}", [box, *_texts(placed)], href)


def _texts(placed: PlacedTile) -> Iterator[str]:
    """Yield the lines that fit. Names are not cut too short, nor is the second line cut."""
    if placed.height < _LEAST_HEIGHT:
        return
    width, x = placed.width - 2 * _PADDING, placed.x + _PADDING + 1
    name, label = plain(placed.tile.name), plain(placed.tile.label)
    n_cells = int(width / _CHARACTER)
    name = _without_folders(name, n_cells)
    if n_cells < min(cells(name), _LEAST_CELLS):
        return
    yield text_at(x, placed.y + 17, fit_middle(name, n_cells), "name")
    if placed.height >= _LEAST_HEIGHT_OF_TWO and cells(label) * _SMALL_CHARACTER <= width:
        yield text_at(x, placed.y + 33, label, "small")


def _without_folders(name: str, n_cells: int) -> str:
    """Drop leading folders until the path fits; the last part always stays."""
    start = 0
    while cells(name[start:]) > n_cells and 0 < (end := name.find("/", start) + 1) < len(name):
        start = end
    return name[start:]


def _legend(placed: Sequence[PlacedTile], legend: tuple[str, str], bottom: float) -> Iterator[str]:
    steps = {step_of(one.tile.heat) for one in placed}
    legend = fit(plain(legend[0]), _MOST_LEGEND), fit(plain(legend[1]), _MOST_LEGEND)
    x, top = float(_MARGIN), bottom - 16
    if steps - {0}:
        yield text_at(x, bottom - 4, legend[0], "small faint")
        x += cells(legend[0]) * _SMALL_CHARACTER + 8
        for step in range(1, HEAT_STEPS + 1):
            yield box_at(x, top, _SWATCH, 14, f"heat heat-{step}", 2)
            x += _SWATCH + 2
        yield text_at(x + 6, bottom - 4, legend[1], "small faint")
        x += 6 + cells(legend[1]) * _SMALL_CHARACTER + 24
    if 0 in steps and len(steps) > 1:
        yield box_at(x, top, _SWATCH, 14, "heat heat-0", 2)
        yield text_at(x + _SWATCH + 8, bottom - 4, "no figure", "small faint")


def _rest(placed: Sequence[PlacedTile], right: float, bottom: float) -> Iterator[str]:
    if placed and not placed[-1].tile.path:
        yield text_at(right, bottom - 4, f"{placed[-1].tile.name}, too small to be shown", "small faint end")


def _description(tiles: Sequence[Tile]) -> str:
    largest = sorted(tiles, key=lambda tile: (-tile.size, tile.name, tile.path))[:_MOST_DESCRIBED]
    n_more = len(tiles) - len(largest)
    rest = [f"and {n_more:,} more"] if n_more else []
    return "; ".join([count(len(tiles), "tile"), *(plain(f"{one.name}: {one.label}") for one in largest), *rest])
