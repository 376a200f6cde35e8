"""Pictures as SVG, and their colours in light and dark: text in, text out. No scripts, nothing loaded.

A Picture is written as a document of its own, or put into a page, whose stylesheet then has `page_rules()`. It has a
title and a description for screen readers. Parts have no ids and no styles: what is drawn has classes only, and a
theme is a set of custom properties. Text has a contrast of at least 4.5 to 1 on every ground that it is written on, in
both themes (tests/surfaces/pictures/test_palette.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple
from zlib import crc32

from birthmark.words import visible

HEAT_STEPS = 5
CHANGES = ("born", "renamed", "edited", "deleted")  # colours of kinds of change, on which numbers are written

LIGHT: Mapping[str, str] = {
    "ground": "#ffffff",
    "ink": "#1f2328",
    "faint": "#59636e",
    "line": "#8c959f",
    "grid": "#d8dee4",
    "box": "#f6f8fa",
    "mark": "#c4320a",
    "root": "#0969da",
    "root-box": "#ddf4ff",
    "test": "#1a7f37",
    "test-box": "#dafbe1",
    "born": "#1a7f37",
    "renamed": "#8250df",
    "edited": "#0969da",
    "documented": "#6e7781",
    "deleted": "#c4320a",
    "heat-1": "#e8eff6",
    "heat-2": "#fae3b8",
    "heat-3": "#f9cf8f",
    "heat-4": "#f5ac63",
    "heat-5": "#ec8352",
}

DARK: Mapping[str, str] = {
    "ground": "#0d1117",
    "ink": "#e6edf3",
    "faint": "#9198a1",
    "line": "#6e7681",
    "grid": "#262c36",
    "box": "#161b22",
    "mark": "#ff9b6a",
    "root": "#58a6ff",
    "root-box": "#0c2d6b",
    "test": "#3fb950",
    "test-box": "#0f2d17",
    "born": "#3fb950",
    "renamed": "#bc8cff",
    "edited": "#58a6ff",
    "documented": "#9198a1",
    "deleted": "#ff9b6a",
    "heat-1": "#1d2733",
    "heat-2": "#3f3323",
    "heat-3": "#5f3d1c",
    "heat-4": "#80431a",
    "heat-5": "#a04518",
}

_SANS = "ui-sans-serif, system-ui, sans-serif"
_MONO = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace'

_RULES = {
    "text": f"font: 13px {_SANS}; fill: {{ink}}",
    ".name": f"font: 12px {_MONO}",
    ".detail": f"font: 10.5px {_MONO}",
    ".strong": "font-weight: 600",
    ".small": "font-size: 11px",
    ".faint": "fill: {faint}",
    ".end": "text-anchor: end",
    ".middle": "text-anchor: middle",
    ".ground": "fill: {ground}",
    ".box": "fill: {box}; stroke: {line}",
    ".line": "fill: none; stroke: {line}",
    ".grid": "fill: none; stroke: {grid}",
    ".head": "fill: {line}",
    ".mark": "stroke: {mark}",
    ".head.mark": "fill: {mark}; stroke: none",
    ".root": "fill: {root-box}; stroke: {root}; stroke-width: 1.5",
    ".test": "fill: {test-box}; stroke: {test}; stroke-dasharray: 4 2",
    ".unsure": "stroke-dasharray: 4 3",
    ".cyclic": "stroke-dasharray: 5 3",
    ".heat": "stroke: {ground}",
    ".heat-0": "fill: {box}; stroke: {line}; stroke-dasharray: 2 2",
    **{f".heat-{step}": f"fill: {{heat-{step}}}" for step in range(1, HEAT_STEPS + 1)},
    **{f".{kind}": f"fill: {{{kind}}}" for kind in CHANGES},
    ", ".join(f".on-{kind}" for kind in CHANGES): "fill: {ground}",
    ".hollow": "fill: {ground}; stroke: {documented}; stroke-width: 2",
    ".halo": "paint-order: stroke; stroke: {ground}; stroke-width: 4px; stroke-linejoin: round",
    "a": "cursor: pointer",
    "a text": "text-decoration: none",
    "a:hover text": "text-decoration: underline",
    "a:hover rect, a:hover path": "stroke: {root}",
    "a:focus-visible": "outline: 2px solid {root}; outline-offset: 1px",
}

_SCOPE = "svg.picture"
_LONGEST_NAME = 80  # characters of the name of a file
_UNWRITABLE = re.compile("[\ufffe\uffff]")  # in XML


# From the point of an arrow's head along one side, and then across, in halves of its size.
_HEADS = {"right": (-2, -1, "v"), "left": (2, -1, "v"), "down": (-1, -2, "h"), "up": (-1, 2, "h")}


class Picture(NamedTuple):
    """An SVG picture. The classes of its parts are those of the palette."""

    name: str  # for a file name: `impact-of-Cart.total`
    title: str
    description: str  # the text alternative
    width: float
    height: float
    parts: tuple[str, ...]


def rules(scope: str) -> str:
    """All rules, for what is inside of `scope`."""
    values = {name: f"var(--picture-{name})" for name in LIGHT}
    return "".join(
        f"{', '.join(f'{scope} {one}' for one in selector.split(', '))} {{ {declarations.format(**values)}; }}\n"
        for selector, declarations in _RULES.items()
    )


def theme(selector: str, colours: Mapping[str, str]) -> str:
    """A theme as the custom properties of what is selected."""
    return f"{selector} {{ {' '.join(f'--picture-{name}: {value};' for name, value in colours.items())} }}\n"


def standalone(picture: Picture) -> str:
    """A whole document."""
    dark = theme(f"  {_SCOPE}", DARK)
    style = f"{theme(_SCOPE, LIGHT)}@media (prefers-color-scheme: dark) {{\n{dark}}}\n{STYLE}"
    return _svg(picture, 'xmlns="http://www.w3.org/2000/svg" ', "", f"<style>\n{style}</style>")


def embedded(picture: Picture) -> str:
    """An element of an HTML page, with ids that no picture with another name or title has."""
    number = crc32(f"{picture.name} {picture.title}".encode("utf-8", "replace"))
    return _svg(picture, "", f"{_slug(picture.name)}-{number:08x}-")


def page_rules() -> str:
    """The stylesheet of pages with pictures. A page whose reader chooses a theme sets `data-theme` of its root."""
    return (
        theme(":root", LIGHT)
        + theme(':root[data-theme="dark"]', DARK)
        + "@media (prefers-color-scheme: dark) {\n"
        + theme('  :root:not([data-theme="light"])', DARK)
        + f"}}\n{_SCOPE} {{ max-width: 100%; height: auto; }}\n{STYLE}"
    )


def _svg(picture: Picture, namespace: str, prefix: str, *heads: str) -> str:
    width, height = f"{picture.width:.0f}", f"{picture.height:.0f}"
    # What is an image to programs that read aloud has no links.
    role = "group" if any("<a " in part for part in picture.parts) else "img"
    return "\n".join(
        [
            f'<svg {namespace}class="picture" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'role="{role}" aria-labelledby="{prefix}title" aria-describedby="{prefix}desc">',
            f'<title id="{prefix}title">{text_of(picture.title)}</title>',
            f'<desc id="{prefix}desc">{text_of(picture.description)}</desc>',
            *heads,
            f'<rect class="ground" width="{width}" height="{height}"/>',
            *picture.parts,
            "</svg>\n",
        ]
    )


# Parts


def text_of(text: str) -> str:
    """A text from a repository, with nothing in it that is markup or cannot be in a document."""
    shown = visible(text.replace("\t", " ").replace("\n", " "))
    return escape(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", shown))


def text_at(x: float, y: float, text: str, classes: str = "") -> str:
    return f'<text{_class(classes)} x="{x:.1f}" y="{y:.1f}">{text_of(text)}</text>'


def box_at(x: float, y: float, width: float, height: float, classes: str, radius: float = 4) -> str:
    rounded = f' rx="{radius:g}"' if radius else ""
    return f'<rect{_class(classes)} x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{rounded}/>'


def path_of(way: str, classes: str, width: float = 1) -> str:
    return f'<path{_class(classes)} d="{way}"' + (f' stroke-width="{width:.1f}"/>' if width != 1 else "/>")


def head_at(x: float, y: float, direction: str, classes: str = "head", size: float = 8) -> str:
    """The head of an arrow that ends there: `right`, `left`, `down` or `up`."""
    right, down, across = _HEADS[direction]
    way = f"l{right * size / 2:g} {down * size / 2:g}{across}{size:g}z"
    return f'<path class="{classes}" d="M{x:.1f} {y:.1f}{way}"/>'


def titled(title: str, parts: Iterable[str], href: str | None = None) -> str:
    """Parts with what is said of them together, as a link if there is one that is no script."""
    inside = f"<title>{text_of(title)}</title>{''.join(parts)}"
    return f'<a href="{text_of(href)}">{inside}</a>' if href and _is_harmless(href) else f"<g>{inside}</g>"


def file_name(*words: str) -> str:
    """Words as a name of a picture that every file system has."""
    return _slug("-".join(words))[:_LONGEST_NAME].strip("-.") or "picture"


def _slug(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text)


def _is_harmless(href: str) -> bool:
    """Nothing but paths, and addresses of the web."""
    scheme, colon, _ = re.split("[/?#]", href, maxsplit=1)[0].partition(":")
    return not colon or scheme.lower() in ("http", "https")


def _class(classes: str) -> str:
    return f' class="{classes}"' if classes else ""


STYLE = rules(_SCOPE)
