"""Draw an entity among its neighbours: its users at the left, what it uses at the right.

The boxes and labels here also make impact trees and paths: a name, or two lines with kind and file as well. A side with
many neighbours has two columns, and the lines of the outer one lead through the gaps of the inner one. Several uses by
the same neighbour are one line, which is dashed where all of them are unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import UseDocument, name_of
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.svg import Picture, box_at, file_name, head_at, path_of, text_at, titled
from birthmark.surfaces.text import cells, fit, fit_middle
from birthmark.vocabulary import Resolution
from birthmark.words import count

PADDING = 8
UNSURE = (Resolution.DISPATCH, Resolution.NAME)  # uses that are dashed
_HEIGHTS = (22, 36)  # of boxes with one line and with two
_MOST_CHARACTERS, _MOST_DETAIL = 40, 44  # of a name, and of the line below it
_CHARACTER, _SMALL_CHARACTER = 7.3, 6.4
_MARGIN, _HEAD_ROW = 16, 30
_ROW, _GAP = 44, 84  # between boxes of a column, and beside the centre
_STAGGER, _COLUMN_GAP = 27, 20  # of a box from the one before it, where there are two columns; and between them
_LEAST_WIDTH = 200.0  # of a side, for its head
_FEW = 12  # that are one column
_MOST = 40  # of a side that are drawn
_MOST_SITES = 5  # that the title of a neighbour names
_MOST_DESCRIBED = 40


class GraphLabel(NamedTuple):
    """A definition or the top level of a file, as it is written and linked."""

    name: str
    kind: str
    path: str
    ref: str  # by which it is linked: its mark, or the path of a top level
    is_test: bool = False


class GraphEdge(NamedTuple):
    """A use, with its far end."""

    label: GraphLabel
    word: str  # `calls`, `inherits`
    site: str  # `path:line`
    is_sure: bool = True


GraphLink = Callable[[GraphLabel], str | None]


class LabelBox(NamedTuple):
    """A label and where it is drawn; with one line where there is no detail."""

    label: GraphLabel
    left: float
    top: float
    width: float
    detail: str = ""
    is_root: bool = False

    @property
    def height(self) -> int:
        return _HEIGHTS[bool(self.detail)]

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def middle(self) -> float:
        return self.top + self.height / 2


def label_of(entity: EntityDocument | None, path: str, *, is_test: bool = False) -> GraphLabel:
    """Return the label of a definition, or of the top level of the file with the path."""
    if entity is None:
        return GraphLabel(name_of(None, path), "file", path, path, is_test)
    return GraphLabel(entity.qualified_name, entity.kind, entity.path, entity.mark, is_test)


def edge_of(use: UseDocument) -> GraphEdge:
    """Return a use, seen from the user."""
    site = f"{use.site.path}:{use.site.line}"
    label = label_of(use.used, use.used_path, is_test=use.used_is_test)
    return GraphEdge(label, use.edge, site, use.resolution not in UNSURE)


def detail_of(label: GraphLabel, *words: str) -> str:
    """The line below a name: kind, other words and file."""
    said = ", ".join(filter(None, [label.kind, "test" if label.is_test else "", *words]))
    shown = fit(plain(said), _MOST_DETAIL // 2)
    return f"{shown} · {fit_middle(plain(label.path), _MOST_DETAIL - cells(shown))}"


def width_of(label: GraphLabel, detail: str = "") -> float:
    name = cells(_shown_name(label)) * _CHARACTER
    return max(name, cells(detail) * _SMALL_CHARACTER) + 2 * PADDING


def draw_box(box: LabelBox, title: str, link: GraphLink | None) -> str:
    drawn_as = "box root" if box.is_root else "box test" if box.label.is_test else "box"
    x = box.left + PADDING
    parts = [box_at(box.left, box.top, box.width, box.height, drawn_as)]
    parts.append(text_at(x, box.top + 15, _shown_name(box.label), "name"))
    if box.detail:
        parts.append(text_at(x, box.top + 29, box.detail, "detail faint"))
    return titled(title, parts, link(box.label) if link is not None else None)


def _shown_name(label: GraphLabel) -> str:
    return fit_middle(plain(label.name), _MOST_CHARACTERS)


class Neighbour(NamedTuple):
    """All uses between the entity and one other."""

    label: GraphLabel
    edges: tuple[GraphEdge, ...]

    @property
    def is_sure(self) -> bool:
        return any(edge.is_sure for edge in self.edges)

    @property
    def words(self) -> str:
        """Describe the kinds of use unless all are calls, and mark unsure ones."""
        words = [*dict.fromkeys(edge.word for edge in self.edges)]
        return ", ".join((words if words != ["calls"] else []) + ([] if self.is_sure else ["unsure"]))


class _Column(NamedTuple):
    """One side of the picture: its boxes, how many are left out, and where it ends."""

    neighbours: list[Neighbour]
    boxes: list[LabelBox]
    n_more: int
    bottom: float


def draw_neighbourhood(
    centre: GraphLabel,
    users: Sequence[GraphEdge],
    used: Sequence[GraphEdge],
    link: GraphLink | None = None,
    all_users: str | None = None,
    all_used: str | None = None,
) -> Picture:
    """`all_users` and `all_used` are what "and 212 more" links to."""
    its_users, its_used = _neighbours(users), _neighbours(used)
    left, left_width = _place(its_users, is_left=True)
    right, right_width = _place(its_used, is_left=False)
    start = _MARGIN + left_width + _GAP
    middle = _placed_centre(centre, start, max(left.bottom, right.bottom))
    right = right._replace(boxes=[box._replace(left=box.left + middle.right + _GAP) for box in right.boxes])
    width = middle.right + _GAP + right_width + _MARGIN
    ends = (_MARGIN, middle.right + _GAP)
    parts = [
        *_heads(ends, len(its_users), len(its_used)),
        *_lines(left, right, middle),
        *_boxes(centre, left, right, link),
        draw_box(middle, f"{centre.name} in {centre.path}", link),
        *_more(left, ends[0], "users", all_users),
        *_more(right, ends[1], "used", all_used),
    ]
    height = max(left.bottom, right.bottom) + _MARGIN
    title = f"{plain(centre.name)}, its users and what it uses"
    description = _description(centre, its_users, its_used)
    return Picture(file_name("neighbours-of", centre.name), title, description, width, height, tuple(parts))


def _neighbours(edges: Sequence[GraphEdge]) -> list[Neighbour]:
    """In the order of their first edge."""
    by_label: dict[GraphLabel, list[GraphEdge]] = {}
    for edge in edges:
        by_label.setdefault(edge.label, []).append(edge)
    return [Neighbour(label, tuple(its)) for label, its in by_label.items()]


def _place(neighbours: list[Neighbour], *, is_left: bool) -> tuple[_Column, float]:
    """Boxes of a side, and its width; those at the right are counted from its left edge."""
    shown = neighbours[:_MOST]
    details = [detail_of(one.label, one.words) for one in shown]
    widths = [width_of(one.label, detail) for one, detail in zip(shown, details, strict=True)]
    n_columns = 1 if len(shown) <= _FEW else 2
    step = _ROW if n_columns == 1 else _STAGGER
    columns = [max(widths[first::n_columns], default=0.0) for first in range(n_columns)]
    lefts = _column_lefts(columns, is_left=is_left)
    boxes = [
        LabelBox(one.label, lefts[i % n_columns], _MARGIN + _HEAD_ROW + i * step, columns[i % n_columns], details[i])
        for i, one in enumerate(shown)
    ]
    n_more = len(neighbours) - len(shown)
    bottom = max((box.top + box.height for box in boxes), default=_MARGIN + _HEAD_ROW + 22.0) + (28 if n_more else 0)
    return _Column(shown, boxes, n_more, bottom), max(sum(columns) + _COLUMN_GAP * (n_columns - 1), _LEAST_WIDTH)


def _column_lefts(columns: Sequence[float], *, is_left: bool) -> list[float]:
    """The first column is the one beside the centre."""
    if not is_left:
        return [0.0, columns[0] + _COLUMN_GAP]
    outer = columns[1] + _COLUMN_GAP if len(columns) > 1 else 0.0
    return [_MARGIN + outer, float(_MARGIN)]


def _placed_centre(centre: GraphLabel, left: float, bottom: float) -> LabelBox:
    detail = detail_of(centre)
    box = LabelBox(centre, left, 0, width_of(centre, detail), detail, is_root=True)
    return box._replace(top=(_MARGIN + _HEAD_ROW + bottom - box.height) / 2)


def _heads(ends: tuple[float, float], n_users: int, n_used: int) -> Iterator[str]:
    yield text_at(ends[0], _MARGIN + 12, count(n_users, "user") if n_users else "no user is known", "strong")
    yield text_at(ends[1], _MARGIN + 12, f"uses {n_used:,}" if n_used else "uses nothing that is known", "strong")


def _lines(left: _Column, right: _Column, centre: LabelBox) -> Iterator[str]:
    for one, box in zip(left.neighbours, left.boxes, strict=True):
        yield _line(box.right, box.middle, centre.left - _GAP, centre.left - 6, centre.middle, one)
    if left.boxes:
        yield head_at(centre.left, centre.middle, "right")
    for one, box in zip(right.neighbours, right.boxes, strict=True):
        yield _line(box.left - 6, box.middle, centre.right + _GAP, centre.right, centre.middle, one)
        yield head_at(box.left, box.middle, "right")


def _line(x: float, y: float, bend: float, end_x: float, end_y: float, neighbour: Neighbour) -> str:
    """Level as far as the column goes, then a curve."""
    middle = (bend + end_x) / 2
    way = f"M{x:.1f} {y:.1f}H{bend:.1f}C{middle:.1f} {y:.1f} {middle:.1f} {end_y:.1f} {end_x:.1f} {end_y:.1f}"
    return path_of(way, "line" if neighbour.is_sure else "line unsure")


def _boxes(centre: GraphLabel, left: _Column, right: _Column, link: GraphLink | None) -> Iterator[str]:
    for one, box in zip(left.neighbours, left.boxes, strict=True):
        yield draw_box(box, _sentence(one.label, centre, one), link)
    for one, box in zip(right.neighbours, right.boxes, strict=True):
        yield draw_box(box, _sentence(centre, one.label, one), link)


def _sentence(user: GraphLabel, used: GraphLabel, between: Neighbour) -> str:
    sites = [edge.site for edge in between.edges]
    more = f" and {len(sites) - _MOST_SITES:,} more" if len(sites) > _MOST_SITES else ""
    words = " and ".join(dict.fromkeys(edge.word for edge in between.edges))
    doubt = "" if between.is_sure else ", which is unsure"
    test = "test " if user.is_test else ""
    return plain(f"{test}{user.name} {words} {used.name} at {', '.join(sites[:_MOST_SITES])}{more}{doubt}")


def _more(side: _Column, x: float, what: str, href: str | None) -> Iterator[str]:
    if side.n_more:
        text = f"and {side.n_more:,} more"
        yield titled(f"{text}: {what}", [text_at(x, side.bottom - 8, text, "strong")], href)


def _description(centre: GraphLabel, users: Sequence[Neighbour], used: Sequence[Neighbour]) -> str:
    sentences = [_sentence(one.label, centre, one) for one in users[:_MOST_DESCRIBED]]
    sentences += [_sentence(centre, one.label, one) for one in used[:_MOST_DESCRIBED]]
    counted = f"{count(len(users), 'user')}, and {len(used):,} that {plain(centre.name)} uses"
    return "; ".join([counted, *sentences])
