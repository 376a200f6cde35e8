"""Pictures of answers about the graph: SVG, and Mermaid diagrams for Markdown pages.

Pure: takes an answer, gives a text. An SVG has a text alternative, follows the reader's choice of light or dark, and
runs no script. Its layout is igraph's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from birthmark.app.answers.impact import ImpactAnswer, ImpactUser
from birthmark.app.answers.use_paths import PathAnswer
from birthmark.graph.network import Node
from birthmark.surfaces.formats.wording import plain
from birthmark.surfaces.text import cells, count, fit
from birthmark.vocabulary import Resolution

_LONGEST = 44  # characters of a name
_CHARACTER, _ROW, _BOX, _GAP, _MARGIN, _PADDING = 7.3, 30, 22, 56, 16, 8
_MOST_DESCRIBED = 40  # uses in the text alternative
_UNSURE = (Resolution.DISPATCH, Resolution.NAME)  # uses that are dashed
_STYLE = """\
text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1f2328; }
rect { fill: #f6f8fa; stroke: #8c959f; }
path { fill: none; stroke: #8c959f; }
.root rect { fill: #ddf4ff; stroke: #0969da; }
.test rect { fill: #dafbe1; stroke: #1a7f37; stroke-dasharray: 4 2; }
.unsure { stroke-dasharray: 2 3; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  rect { fill: #161b22; stroke: #6e7681; }
  path { stroke: #6e7681; }
  .root rect { fill: #0c2d6b; stroke: #58a6ff; }
  .test rect { fill: #0f2d17; stroke: #3fb950; }
}"""
_CLASSES = "  classDef root stroke-width:3px\n  classDef test stroke-dasharray:4 2\n"


class _LabelBox(NamedTuple):
    """A name in the picture, what it is drawn as, and its left edge and middle."""

    label: str
    drawn_as: str
    title: str
    left: float
    middle: float

    @property
    def width(self) -> float:
        return cells(self.label) * _CHARACTER + 2 * _PADDING


def impact_svg(answer: ImpactAnswer) -> str:
    """The entity at the left, its users in columns to the right, each connected with what it uses."""
    parents = _parents(answer)
    boxes = _boxes(answer, parents)
    width = max(box.left + box.width for box in boxes) + _MARGIN
    height = max(box.middle for box in boxes) + _BOX / 2 + _MARGIN
    curves = [
        _curve(boxes[parent], boxes[number], is_sure=user.step.resolution not in _UNSURE)
        for number, (user, parent) in enumerate(zip(answer.users, parents, strict=True), 1)
    ]
    name = escape(plain(answer.indexed.entity.qualified_name))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" '
        f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
        f'<title id="title">What may break when {name} is changed</title>',
        f'<desc id="desc">{escape(_description(answer))}</desc>',
        f"<style>\n{_STYLE}\n</style>",
        *curves,
        *map(_box_element, boxes),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _parents(answer: ImpactAnswer) -> list[int]:
    """Of each user the number of what it is drawn beside; 0 is the entity."""
    numbers: dict[Node, int] = {user.node.node: number for number, user in enumerate(answer.users, 1)}
    return [0 if user.depth == 1 else numbers[user.used.node] for user in answer.users]


def _boxes(answer: ImpactAnswer, parents: Sequence[int]) -> list[_LabelBox]:
    labels = [fit(plain(answer.indexed.entity.qualified_name), _LONGEST)]
    labels += [fit(plain(user.node.name), _LONGEST) for user in answer.users]
    depths = [0, *(user.depth for user in answer.users)]
    lefts = _column_lefts(labels, depths)
    titles = [plain(answer.indexed.entity.path), *(f"{plain(_sentence(user))}" for user in answer.users)]
    drawn_as = ["root", *("test" if user.node.is_test else "user" for user in answer.users)]
    return [
        _LabelBox(label, drawn, title, lefts[depth], middle)
        for label, drawn, title, depth, middle in zip(labels, drawn_as, titles, depths, _rows(parents), strict=True)
    ]


def _column_lefts(labels: Sequence[str], depths: Sequence[int]) -> list[float]:
    """Where each column starts, which is as wide as its longest name."""
    lefts = [float(_MARGIN)]
    for depth in range(max(depths)):
        widest = max(cells(label) for label, its in zip(labels, depths, strict=True) if its == depth)
        lefts.append(lefts[-1] + widest * _CHARACTER + 2 * _PADDING + _GAP)
    return lefts


def _rows(parents: Sequence[int]) -> list[float]:
    """The heights at which names are, as igraph lays out a tree."""
    from igraph import Graph

    tree = Graph(len(parents) + 1, [(parent, child) for child, parent in enumerate(parents, 1)], directed=True)
    across = [position for position, _ in tree.layout_reingold_tilford(mode="out", root=[0])]
    return [(position - min(across)) * _ROW + _MARGIN + _BOX / 2 for position in across]


def _curve(used: _LabelBox, user: _LabelBox, *, is_sure: bool) -> str:
    start, end = used.left + used.width, user.left
    bend = end - _GAP / 2
    drawn_as = "" if is_sure else ' class="unsure"'
    where = (
        f"M{start:.1f} {used.middle:.1f} H{end - _GAP:.1f} C{bend:.1f} {used.middle:.1f} {bend:.1f} {user.middle:.1f}"
    )
    return f'<path{drawn_as} d="{where} {end:.1f} {user.middle:.1f}"/>'


def _box_element(box: _LabelBox) -> str:
    top = box.middle - _BOX / 2
    return (
        f'<g class="{box.drawn_as}"><title>{escape(box.title)}</title>'
        f'<rect x="{box.left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{_BOX}" rx="4"/>'
        f'<text x="{box.left + _PADDING:.1f}" y="{box.middle + 4:.1f}">{escape(box.label)}</text></g>'
    )


def _description(answer: ImpactAnswer) -> str:
    uses = [plain(_sentence(user)) for user in answer.users[:_MOST_DESCRIBED]]
    n_more = len(answer.users) - len(uses)
    rest = [f"and {count(n_more, 'other use')}"] if n_more else []
    return "; ".join([count(len(answer.users), "user"), *uses, *rest])


def _sentence(user: ImpactUser) -> str:
    return f"{user.node.name} uses {user.used.name} at {user.step.path}:{user.step.line}"


# Mermaid


def impact_mermaid(answer: ImpactAnswer) -> str:
    """The entity at the left; arrows go from users to what they use."""
    lines = ["flowchart RL", f"  n0[{_quoted(answer.indexed.entity.qualified_name)}]:::root"]
    for number, (user, parent) in enumerate(zip(answer.users, _parents(answer), strict=True), 1):
        test = ":::test" if user.node.is_test else ""
        arrow = "-.->" if user.step.resolution in _UNSURE else "-->"
        lines.append(f"  n{number}[{_quoted(user.node.name)}]{test} {arrow} n{parent}")
    return "\n".join(lines) + "\n" + _CLASSES


def path_mermaid(answer: PathAnswer) -> str:
    return "flowchart LR\n" + "".join(_path_lines(answer)) + _CLASSES


def _path_lines(answer: PathAnswer) -> Iterator[str]:
    first, last = answer.steps[0].user, len(answer.steps)
    yield f"  n0[{_quoted(first.name)}]:::root\n"
    for number, (_, used, step) in enumerate(answer.steps, 1):
        root = ":::root" if number == last else ""
        use = _quoted(f"{step.edge} at {step.path}:{step.line}")
        yield f"  n{number - 1} -- {use} --> n{number}[{_quoted(used.name)}]{root}\n"


def _quoted(text: str) -> str:
    """In Mermaid's quotes, in which only quotes and what looks like markup are special."""
    codes = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;"}
    return '"' + "".join(codes.get(character, character) for character in plain(text)) + '"'
