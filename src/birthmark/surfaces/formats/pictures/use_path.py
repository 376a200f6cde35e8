"""How one thing comes to use another: a chain from the user down to what it uses in the end, each use with its line."""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.documents.uses import PathDocument
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.graph_label import (
    PADDING,
    GraphEdge,
    GraphLabel,
    GraphLink,
    LabelBox,
    detail_of,
    draw_box,
    edge_of,
    label_of,
    width_of,
)
from birthmark.surfaces.formats.pictures.svg import Picture, file_name, head_at, path_of, text_at
from birthmark.surfaces.text import cells, fit_middle
from birthmark.words import count

_MARGIN, _ARROW = 16, 52
_INDENT = 24  # of an arrow in its boxes
_CHARACTER, _MOST_CHARACTERS = 6.4, 70
_LEAST_WIDTH = 320.0


def draw_path(document: PathDocument, link: GraphLink | None = None) -> Picture:
    edges = [edge_of(step) for step in document.steps]
    labels = [_first_label(document), *(edge.label for edge in edges)]
    labels += [] if edges else [label_of(document.end, "")]
    boxes = _boxes(labels)
    bottom = boxes[-1].top + boxes[-1].height + _MARGIN
    words = [_words(edge) for edge in edges]
    widths = [box.width for box in boxes] + [cells(text) * _CHARACTER + _INDENT + PADDING for text in words]
    names = plain(document.start.qualified_name), plain(document.end.qualified_name)
    return Picture(
        file_name("path-from", names[0], "to", names[1]),
        f"How {names[0]} comes to use {names[1]}",
        _description(labels, edges),
        max(*widths, _LEAST_WIDTH) + 2 * _MARGIN,
        bottom,
        (*_arrows(boxes, edges), *(draw_box(box, f"{box.label.name} in {box.label.path}", link) for box in boxes)),
    )


def _first_label(document: PathDocument) -> GraphLabel:
    if not document.steps:
        return label_of(document.start, "")
    first = document.steps[0]
    return label_of(first.user, first.site.path, is_test=first.user_is_test)


def _boxes(labels: list[GraphLabel]) -> list[LabelBox]:
    boxes: list[LabelBox] = []
    top = float(_MARGIN)
    for number, label in enumerate(labels):
        detail = detail_of(label)
        is_end = number in (0, len(labels) - 1)
        boxes.append(LabelBox(label, _MARGIN, top, width_of(label, detail), detail, is_end))
        top += boxes[-1].height + _ARROW
    return boxes


def _arrows(boxes: list[LabelBox], edges: list[GraphEdge]) -> Iterator[str]:
    x = _MARGIN + _INDENT
    if not edges:
        yield text_at(
            x + PADDING, boxes[1].top - _ARROW / 2 + 4, "no use leads there, as far as is known", "small faint"
        )
    for box, edge in zip(boxes[1:], edges, strict=False):
        start, end = box.top - _ARROW, box.top
        yield path_of(f"M{x} {start:.1f}V{end - 6:.1f}", "line" if edge.is_sure else "line unsure", 1.5)
        yield head_at(x, end, "down")
        yield text_at(x + PADDING + 4, start + _ARROW / 2 + 3, _words(edge), "detail")


def _words(edge: GraphEdge) -> str:
    return fit_middle(plain(f"{edge.word}{'' if edge.is_sure else ', unsure'} · {edge.site}"), _MOST_CHARACTERS)


def _description(labels: list[GraphLabel], edges: list[GraphEdge]) -> str:
    if not edges:
        return "No use leads there, as far as is known"
    uses = [
        plain(f"{user.name} {edge.word} {edge.label.name} at {edge.site}")
        for user, edge in zip(labels, edges, strict=False)
    ]
    return "; ".join([count(len(edges), "use"), *uses])
