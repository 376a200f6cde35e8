"""Definitions and uses in pictures of the graph: a box with a name, or two lines with kind and file as well.

Neighbourhoods, impact trees and paths are all made of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.uses import UseDocument, name_of
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.svg import box_at, text_at, titled
from birthmark.surfaces.text import cells, fit, fit_middle
from birthmark.vocabulary import Resolution

PADDING = 8
UNSURE = (Resolution.DISPATCH, Resolution.NAME)  # uses that are dashed
_HEIGHTS = (22, 36)  # of boxes with one line and with two
_MOST_CHARACTERS, _MOST_DETAIL = 40, 44  # of a name, and of the line below it
_CHARACTER, _SMALL_CHARACTER = 7.3, 6.4


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
