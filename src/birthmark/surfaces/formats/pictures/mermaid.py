"""Draw what a change reaches, and how one definition comes to use another, as Mermaid diagrams for Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.documents.uses import ImpactDocument, PathDocument, name_of
from birthmark.documents.wording import plain
from birthmark.surfaces.formats.pictures.graph_label import UNSURE
from birthmark.surfaces.formats.pictures.impact_tree import parents_of

_CLASSES = "  classDef root stroke-width:3px\n  classDef test stroke-dasharray:4 2\n"


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
