"""What may break when an entity is changed, as a tree: the entity at the left, its users in columns to the right.

Each is connected with what it uses; unsure uses are dashed, tests have a dashed frame. The layout is igraph's.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.documents.uses import ImpactDocument, ImpactUserDocument, name_of
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.graph_label import (
    UNSURE,
    GraphLink,
    LabelBox,
    draw_box,
    label_of,
    width_of,
)
from birthmark.surfaces.formats.pictures.svg import Picture, file_name, path_of
from birthmark.words import count

_ROW, _BOX, _GAP, _MARGIN = 30, 22, 56, 16
_MOST_DESCRIBED = 40  # uses in the text alternative


def draw_impact(document: ImpactDocument, link: GraphLink | None = None) -> Picture:
    parents = parents_of(document)
    boxes = _boxes(document, parents)
    name = document.entity.qualified_name
    titles = [f"{name} in {document.entity.path}", *map(_title, document.results)]
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
    """Where each column starts, which is as wide as its widest box."""
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


def _title(user: ImpactUserDocument) -> str:
    return f"{'test ' if user.is_test else ''}{_sentence(user)}"


def _sentence(user: ImpactUserDocument) -> str:
    return f"{name_of(user.entity, user.site.path)} uses {user.through_name} at {user.site.path}:{user.site.line}"
