"""Pictures of uses: a tree of what may break, as SVG and for Mermaid, and the way from one definition to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from birthmark.documents.uses import ImpactDocument, ImpactUserDocument, PathDocument, name_of
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.neighbourhood import (
    PADDING,
    UNSURE,
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

_ROW, _BOX, _GAP, _MARGIN = 30, 22, 56, 16
_MOST_DESCRIBED = 40  # uses in the text alternative
_ARROW = 52
_INDENT = 24  # of an arrow in its boxes
_CHARACTER, _MOST_CHARACTERS = 6.4, 70
_LEAST_WIDTH = 320.0
_CLASSES = "  classDef root stroke-width:3px\n  classDef test stroke-dasharray:4 2\n"


def draw_impact(document: ImpactDocument, link: GraphLink | None = None) -> Picture:
    parents = parents_of(document)
    boxes = _boxes(document, parents)
    name = document.entity.qualified_name
    titles = [
        f"{name} in {document.entity.path}",
        *(f"{'test ' if user.is_test else ''}{_sentence(user)}" for user in document.results),
    ]
    curves = [
        _curve(boxes[parent], boxes[number], is_sure=user.resolution not in UNSURE)
        for number, (user, parent) in enumerate(zip(document.results, parents, strict=True), 1)
    ]
    drawn = [draw_box(box, plain(title), link) for box, title in zip(boxes, titles, strict=True)]
    width = max(box.right for box in boxes) + _MARGIN
    height = max(box.top for box in boxes) + _BOX + _MARGIN
    title = f"What may break when {plain(name)} is changed"
    return Picture(file_name("impact-of", name), title, _description(document), width, height, (*curves, *drawn))


def parents_of(document: ImpactDocument) -> list[int]:
    """Return the number of what each user is drawn beside; 0 is the entity."""
    numbers = {user.entity.mark: number for number, user in enumerate(document.results, 1) if user.entity is not None}
    return [0 if user.depth == 1 else numbers.get(user.through, 0) for user in document.results]


def _boxes(document: ImpactDocument, parents: Sequence[int]) -> list[LabelBox]:
    users = (label_of(user.entity, user.site.path, is_test=user.is_test) for user in document.results)
    labels = [label_of(document.entity, ""), *users]
    widths = [width_of(label) for label in labels]
    depths = [0, *(user.depth for user in document.results)]
    lefts = _column_lefts(widths, depths)
    return [
        LabelBox(label, lefts[depth], top, width, is_root=not depth)
        for label, width, depth, top in zip(labels, widths, depths, _tops(parents), strict=True)
    ]


def _column_lefts(widths: Sequence[float], depths: Sequence[int]) -> list[float]:
    """Return the left edge of each column; a column is as wide as its widest box."""
    lefts = [float(_MARGIN)]
    for depth in range(max(depths)):
        widest = max(width for width, its in zip(widths, depths, strict=True) if its == depth)
        lefts.append(lefts[-1] + widest + _GAP)
    return lefts


def _tops(parents: Sequence[int]) -> list[float]:
    """The heights at which boxes are, as igraph lays out a tree."""
    from igraph import Graph

    tree = Graph(len(parents) + 1, [(parent, child) for child, parent in enumerate(parents, 1)], directed=True)
    across = [position for position, _ in tree.layout_reingold_tilford(mode="out", root=[0])]
    return [(position - min(across)) * _ROW + _MARGIN for position in across]


def _curve(used: LabelBox, user: LabelBox, *, is_sure: bool) -> str:
    bend = user.left - _GAP / 2
    way = (
        f"M{used.right:.1f} {used.middle:.1f}H{user.left - _GAP:.1f}"
        f"C{bend:.1f} {used.middle:.1f} {bend:.1f} {user.middle:.1f} {user.left:.1f} {user.middle:.1f}"
    )
    return path_of(way, "line" if is_sure else "line unsure")


def _description(document: ImpactDocument) -> str:
    uses = [plain(_sentence(user)) for user in document.results[:_MOST_DESCRIBED]]
    n_more = len(document.results) - len(uses)
    rest = [f"and {count(n_more, 'other use')}"] if n_more else []
    return "; ".join([count(len(document.results), "user"), *uses, *rest])


def _sentence(user: ImpactUserDocument) -> str:
    return f"{name_of(user.entity, user.site.path)} uses {user.through_name} at {user.site.path}:{user.site.line}"


def draw_path(document: PathDocument, link: GraphLink | None = None) -> Picture:
    edges = [edge_of(step) for step in document.steps]
    labels = [_first_label(document), *(edge.label for edge in edges)]
    labels += [] if edges else [label_of(document.end, "")]
    boxes = _path_boxes(labels)
    bottom = boxes[-1].top + boxes[-1].height + _MARGIN
    words = [_words(edge) for edge in edges]
    widths = [box.width for box in boxes] + [cells(text) * _CHARACTER + _INDENT + PADDING for text in words]
    names = plain(document.start.qualified_name), plain(document.end.qualified_name)
    return Picture(
        file_name("path-from", names[0], "to", names[1]),
        f"How {names[0]} comes to use {names[1]}",
        _path_description(labels, edges),
        max(*widths, _LEAST_WIDTH) + 2 * _MARGIN,
        bottom,
        (*_arrows(boxes, edges), *(draw_box(box, f"{box.label.name} in {box.label.path}", link) for box in boxes)),
    )


def _first_label(document: PathDocument) -> GraphLabel:
    if not document.steps:
        return label_of(document.start, "")
    first = document.steps[0]
    return label_of(first.user, first.site.path, is_test=first.user_is_test)


def _path_boxes(labels: list[GraphLabel]) -> list[LabelBox]:
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


def _path_description(labels: list[GraphLabel], edges: list[GraphEdge]) -> str:
    if not edges:
        return "No use leads there, as far as is known"
    uses = [
        plain(f"{user.name} {edge.word} {edge.label.name} at {edge.site}")
        for user, edge in zip(labels, edges, strict=False)
    ]
    return "; ".join([count(len(edges), "use"), *uses])


def impact_mermaid(document: ImpactDocument) -> str:
    """The entity at the left; arrows go from users to what they use."""
    lines = ["flowchart RL", f"  n0[{_quoted(document.entity.qualified_name)}]:::root"]
    for number, (user, parent) in enumerate(zip(document.results, parents_of(document), strict=True), 1):
        test = ":::test" if user.is_test else ""
        arrow = "-.->" if user.resolution in UNSURE else "-->"
        lines.append(f"  n{number}[{_quoted(name_of(user.entity, user.site.path))}]{test} {arrow} n{parent}")
    return "\n".join(lines) + "\n" + _CLASSES


def path_mermaid(document: PathDocument) -> str:
    return "flowchart LR\n" + "".join(_path_lines(document)) + _CLASSES


def _path_lines(document: PathDocument) -> Iterator[str]:
    first, last = document.steps[0], len(document.steps)
    yield f"  n0[{_quoted(name_of(first.user, first.site.path))}]:::root\n"
    for number, step in enumerate(document.steps, 1):
        root = ":::root" if number == last else ""
        use = _quoted(f"{step.edge} at {step.site.path}:{step.site.line}")
        yield f"  n{number - 1} -- {use} --> n{number}[{_quoted(name_of(step.used, step.used_path))}]{root}\n"


def _quoted(text: str) -> str:
    """In Mermaid's quotes, in which only quotes and what looks like markup are special."""
    codes = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;"}
    return '"' + "".join(codes.get(character, character) for character in plain(text)) + '"'
