"""Answers about the graph as Mermaid diagrams, for Markdown pages."""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.app.answers.uses.impact import ImpactAnswer
from birthmark.app.answers.uses.use_paths import PathAnswer
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.graph_label import UNSURE
from birthmark.surfaces.formats.pictures.impact_tree import parents_of

_CLASSES = "  classDef root stroke-width:3px\n  classDef test stroke-dasharray:4 2\n"


def impact_mermaid(answer: ImpactAnswer) -> str:
    """The entity at the left; arrows go from users to what they use."""
    lines = ["flowchart RL", f"  n0[{_quoted(answer.indexed.entity.qualified_name)}]:::root"]
    for number, (user, parent) in enumerate(zip(answer.users, parents_of(answer), strict=True), 1):
        test = ":::test" if user.node.is_test else ""
        arrow = "-.->" if user.step.resolution in UNSURE else "-->"
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
