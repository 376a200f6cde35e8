"""The map of modules as SVG: layers from the highest down, with what each module uses.

Boxes of a layer are in rows of bounded width, ordered so that few lines cross: each near the middle of what it is
connected with in the layers above. The modules of a cycle have a dashed frame and its number, and are below each
other, so that the uses that close it are those that point up; they are drawn in the colour of marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from math import log2
from typing import NamedTuple

from birthmark.documents.whole_graph import ModuleDocument, ModulesDocument, ModuleUseDocument
from birthmark.surfaces.formats.pictures.svg import Picture, box_at, file_name, head_at, path_of, text_at, titled
from birthmark.surfaces.text import cells, fit_middle
from birthmark.words import count

_WIDEST = 1200  # of a row of boxes
_MARGIN, _LEFT = 24, 84  # around everything, and beside it for the names of layers
_GAP, _ROW_GAP, _LAYER_GAP = 28, 34, 74
_HEIGHT, _HEAD = 46, 6  # of a box, and how much of a line its head covers
_CHARACTER, _PADDING = 7.4, 12
_MOST_CHARACTERS = 44  # of a name
_MOST_NAMED = 60  # modules and uses that the description lists


class ModuleBox(NamedTuple):
    """A module and where it is drawn."""

    module: ModuleDocument
    x: float
    y: float
    width: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def draw_modules(found: ModulesDocument, link: Callable[[ModuleDocument], str | None] | None = None) -> Picture:
    boxes = place_boxes(found)
    width = max((box.x + box.width for box in boxes.values()), default=300) + _MARGIN
    height = max((box.y + _HEIGHT for box in boxes.values()), default=60) + _MARGIN + _ROW_GAP
    n_layers = len({box.module.layer for box in boxes.values()})
    title = f"{count(len(found.modules), 'module')} in {count(n_layers, 'layer')}"
    parts = (*_lines(found, boxes), *_layers(boxes.values(), link or (lambda module: None)))
    return Picture(file_name("modules"), title, describe_modules(found), width, height, parts)


def describe_modules(found: ModulesDocument) -> str:
    """The same in words: layers and cycles, and the most frequent uses."""
    by_layer = groupby(found.modules[:_MOST_NAMED], lambda module: module.layer)
    layers = [f"layer {layer}: {', '.join(module.name for module in modules)}" for layer, modules in by_layer]
    cycles = [f"cycle {number}: {', '.join(names)}" for number, names in enumerate(found.cycles, 1)]
    uses = [f"{use.user} uses {use.used} ({use.uses})" for use in found.uses[:_MOST_NAMED]]
    return ". ".join([*layers, *cycles, *uses]) + "." if found.modules else "There is no module."


def place_boxes(found: ModulesDocument) -> dict[str, ModuleBox]:
    """The box of each module, by its name; no two overlap."""
    neighbours: dict[str, list[str]] = {module.name: [] for module in found.modules}
    for use in found.uses:
        neighbours[use.used].append(use.user)
        neighbours[use.user].append(use.used)
    boxes: dict[str, ModuleBox] = {}
    y: float = _MARGIN
    layer = None
    for (above, _), group in groupby(sorted(found.modules, key=_row_of, reverse=True), _row_of):
        y += _LAYER_GAP - _ROW_GAP if layer not in (None, above) else 0
        layer = above
        ordered = sorted(group, key=lambda module: _wanted_place(module, neighbours, boxes))
        for row in _rows(ordered):
            x = _LEFT + max(0.0, (_WIDEST - _row_width(row)) / 2)
            for module in row:
                boxes[module.name] = ModuleBox(module, x, y, _width(module))
                x += _width(module) + _GAP
            y += _HEIGHT + _ROW_GAP
    return _shifted(boxes)


def _row_of(module: ModuleDocument) -> tuple[int, int]:
    return module.layer, module.level


def _wanted_place(
    module: ModuleDocument, neighbours: dict[str, list[str]], boxes: dict[str, ModuleBox]
) -> tuple[float, str]:
    placed = [boxes[name].middle for name in neighbours[module.name] if name in boxes]
    return (sum(placed) / len(placed) if placed else _LEFT + _WIDEST / 2), module.name


def _rows(modules: list[ModuleDocument]) -> Iterator[list[ModuleDocument]]:
    row: list[ModuleDocument] = []
    for module in modules:
        if row and _row_width([*row, module]) > _WIDEST:
            yield row
            row = []
        row.append(module)
    if row:
        yield row


def _row_width(row: list[ModuleDocument]) -> float:
    return sum(_width(module) + _GAP for module in row) - _GAP


def _width(module: ModuleDocument) -> float:
    return max(cells(_label(module)) * _CHARACTER, len(_figures(module)) * 6.0) + 2 * _PADDING


def _shifted(boxes: dict[str, ModuleBox]) -> dict[str, ModuleBox]:
    """To the left, where all rows are narrow."""
    unused = min((box.x for box in boxes.values()), default=_LEFT) - _LEFT
    return {name: box._replace(x=box.x - unused) for name, box in boxes.items()}


def _label(module: ModuleDocument) -> str:
    return fit_middle(module.name, _MOST_CHARACTERS)


def _figures(module: ModuleDocument) -> str:
    cycle = "" if module.cycle is None else f"cycle {module.cycle}, "
    return f"{cycle}{count(module.files, 'file')}, {count(module.entities, 'definition')}"


def _layers(boxes: Iterable[ModuleBox], link: Callable[[ModuleDocument], str | None]) -> Iterator[str]:
    for layer, group in groupby(boxes, lambda box: box.module.layer):
        inside = list(group)
        yield text_at(_MARGIN, inside[0].y + _HEIGHT / 2 + 4, f"layer {layer}", "small faint")
        yield from (_box(box, link(box.module)) for box in inside)


def _box(box: ModuleBox, href: str | None) -> str:
    module = box.module
    uses = f"uses {module.used_modules} (in {module.outgoing_uses} places)"
    coupling = f"{uses}, used by {module.user_modules} ({module.incoming_uses})"
    parts = [
        box_at(box.x, box.y, box.width, _HEIGHT, "box" if module.cycle is None else "box mark cyclic", 6),
        text_at(box.x + _PADDING, box.y + 19, _label(module)),
        text_at(box.x + _PADDING, box.y + 36, _figures(module), "small faint"),
    ]
    return titled(f"{module.name}: {_figures(module)}, {coupling}", parts, href)


def _lines(found: ModulesDocument, boxes: dict[str, ModuleBox]) -> Iterator[str]:
    """Yield the lines, those that close a cycle last, so that they lie above the rest."""
    for use in sorted(found.uses, key=lambda use: (use.closing, use.user, use.used)):
        yield _line(use, boxes[use.user], boxes[use.used])


def _line(use: ModuleUseDocument, user: ModuleBox, used: ModuleBox) -> str:
    classes, head = ("line mark", "head mark") if use.closing else ("line", "head")
    way, x, y, direction = _way(user, used)
    parts = [path_of(way, classes, min(1 + log2(use.uses) / 2, 6)), head_at(x, y, direction, head)]
    return titled(f"{use.user} uses {use.used} in {count(use.uses, 'place')}", parts)


def _way(user: ModuleBox, used: ModuleBox) -> tuple[str, float, float, str]:
    """From the bottom of the user down to the top of what it uses; within a row, around below or above.

    Also where it ends, and in which direction. It is drawn up to the head, which ends there.
    """
    if user.y < used.y:
        start, end, bend = user.y + _HEIGHT, used.y, (used.y - user.y - _HEIGHT) / 2
        return _curve(user.middle, start, start + bend, end - bend, used.middle, end - _HEAD), used.middle, end, "down"
    if user.y > used.y:
        start, end, bend = user.y, used.y + _HEIGHT, (user.y - used.y - _HEIGHT) / 2
        x = used.middle + _GAP / 2
        return _curve(user.middle, start, start - bend, end + bend, x, end + _HEAD), x, end, "up"
    is_right = user.x < used.x
    side, direction, sign = (user.y, "down", -1) if is_right else (user.y + _HEIGHT, "up", 1)
    bent = side + sign * _ROW_GAP
    return _curve(user.middle, side, bent, bent, used.middle, side + sign * _HEAD), used.middle, side, direction


def _curve(x: float, y: float, bend: float, other_bend: float, end_x: float, end_y: float) -> str:
    return f"M{x:.1f} {y:.1f}C{x:.1f} {bend:.1f} {end_x:.1f} {other_bend:.1f} {end_x:.1f} {end_y:.1f}"
