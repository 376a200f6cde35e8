"""Pictures as SVG: text in, text out. No scripts, nothing loaded, light and dark as the reader has it.

A Picture is written as a document of its own, or put into a page, whose stylesheet then has `page_rules()`. It has a
title and a description, which programs that read aloud use instead of it. Parts have no ids and no styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NamedTuple
from zlib import crc32

from birthmark.surfaces.formats.pictures.palette import DARK, LIGHT, rules, theme
from birthmark.words import visible

_SCOPE = "svg.picture"
_LONGEST_NAME = 80  # characters of the name of a file
_UNWRITABLE = re.compile("[\ufffe\uffff]")  # in XML
# From the point of an arrow's head along one side, and then across, in halves of its size.
_HEADS = {"right": (-2, -1, "v"), "left": (2, -1, "v"), "down": (-1, -2, "h"), "up": (-1, 2, "h")}

STYLE = rules(_SCOPE)


class Picture(NamedTuple):
    """What is drawn. Classes of the parts are those of the palette."""

    name: str  # for a file name: `impact-of-Cart.total`
    title: str
    description: str  # the text alternative
    width: float
    height: float
    parts: tuple[str, ...]


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
