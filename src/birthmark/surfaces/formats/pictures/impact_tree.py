"""What may break when an entity is changed, as a tree: the entity at the left, its users in columns to the right.

Each is connected with what it uses; unsure uses are dashed, tests have a dashed frame. The layout is igraph's.
"""

from __future__ import annotations

from collections.abc import Sequence

from birthmark.app.answers.uses.impact import ImpactAnswer, ImpactUser
from birthmark.documents.wording import plain
from birthmark.graph.network import Node
from birthmark.surfaces.formats.pictures.graph_label import (
    UNSURE,
    GraphLink,
    LabelBox,
    draw_box,
    label_of,
    label_of_indexed,
    width_of,
)
from birthmark.surfaces.formats.pictures.svg import Picture, file_name, path_of
from birthmark.words import count

_ROW, _BOX, _GAP, _MARGIN = 30, 22, 56, 16
_MOST_DESCRIBED = 40  # uses in the text alternative


def draw_impact(answer: ImpactAnswer, link: GraphLink | None = None) -> Picture:
    parents = parents_of(answer)
    boxes = _boxes(answer, parents)
    name = answer.indexed.entity.qualified_name
    titles = [f"{name} in {answer.indexed.entity.path}", *map(_title, answer.users)]
    curves = [
        _curve(boxes[parent], boxes[number], is_sure=user.step.resolution not in UNSURE)
        for number, (user, parent) in enumerate(zip(answer.users, parents, strict=True), 1)
    ]
    drawn = [draw_box(box, plain(title), link) for box, title in zip(boxes, titles, strict=True)]
    width = max(box.right for box in boxes) + _MARGIN
    height = max(box.top for box in boxes) + _BOX + _MARGIN
    title = f"What may break when {plain(name)} is changed"
    return Picture(file_name("impact-of", name), title, _description(answer), width, height, (*curves, *drawn))


def parents_of(answer: ImpactAnswer) -> list[int]:
    """Of each user the number of what it is drawn beside; 0 is the entity."""
    numbers: dict[Node, int] = {user.node.node: number for number, user in enumerate(answer.users, 1)}
    return [0 if user.depth == 1 else numbers[user.used.node] for user in answer.users]


def _boxes(answer: ImpactAnswer, parents: Sequence[int]) -> list[LabelBox]:
    labels = [label_of_indexed(answer.indexed), *(label_of(user.node) for user in answer.users)]
    widths = [width_of(label) for label in labels]
    depths = [0, *(user.depth for user in answer.users)]
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


def _description(answer: ImpactAnswer) -> str:
    uses = [plain(_sentence(user)) for user in answer.users[:_MOST_DESCRIBED]]
    n_more = len(answer.users) - len(uses)
    rest = [f"and {count(n_more, 'other use')}"] if n_more else []
    return "; ".join([count(len(answer.users), "user"), *uses, *rest])


def _title(user: ImpactUser) -> str:
    return f"{'test ' if user.node.is_test else ''}{_sentence(user)}"


def _sentence(user: ImpactUser) -> str:
    return f"{user.node.name} uses {user.used.name} at {user.step.path}:{user.step.line}"
