"""Pictures as SVG: text in, text out. No scripts, nothing loaded, light and dark as the reader's system has it.

A picture has a title and a description, which programs that read aloud use instead of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from birthmark.surfaces.text import visible

_STYLE = """\
svg { --ground: #ffffff; --ink: #1f2328; --faint: #59636e; --line: #8c959f; --box: #f6f8fa; --mark: #c4320a; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #0d1117; --ink: #e6edf3; --faint: #9198a1; --line: #6e7681; --box: #161b22; --mark: #ff9b6a; }
}
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: var(--ink); }
.faint { fill: var(--faint); font-size: 11px; }
.ground { fill: var(--ground); }
.box { fill: var(--box); stroke: var(--line); }
.line { fill: none; stroke: var(--line); }
.mark { stroke: var(--mark); }
.head { fill: var(--line); }
.head.mark { fill: var(--mark); }
"""


def picture(width: float, height: float, title: str, description: str, parts: Iterable[str]) -> str:
    """A whole document. Classes of the parts: faint, box, line, and `mark` for what is to be seen first."""
    size = f"{width:.0f}", f"{height:.0f}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
            f'viewBox="0 0 {size[0]} {size[1]}" role="img" aria-labelledby="title desc">',
            f'<title id="title">{text_of(title)}</title>',
            f'<desc id="desc">{text_of(description)}</desc>',
            f"<style>\n{_STYLE}</style>",
            _head("head", "head"),
            _head("marked-head", "head mark"),
            f'<rect class="ground" width="{size[0]}" height="{size[1]}"/>',
            *parts,
            "</svg>\n",
        ]
    )


def text_of(text: str) -> str:
    """A text from a repository, with nothing in it that is markup or cannot be in a document."""
    return escape(visible(text.replace("\t", " ").replace("\n", " ")))


def _head(name: str, classes: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="{classes}" d="M0 0 8 4 0 8z"/></marker>'
    )
