"""Judges any picture, as a document and as part of a page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from birthmark.surfaces.formats.pictures.svg import STYLE, Picture, embedded, standalone

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "</text></svg><script>alert(1)</script>",
    '" onload="alert(1)',
    "a & b < c > d 'e' \"f\"",
    "]]><!--",
    "\x00\x1b[31m\u202eright\ud800\uffff\n\t",
    "数据" * 40,
    "x" * 5000,
)
TAGS = {"svg", "title", "desc", "style", "rect", "path", "text", "g", "a"}
ATTRIBUTES = {
    "class",
    "width",
    "height",
    "viewBox",
    "role",
    "aria-labelledby",
    "aria-describedby",
    "id",
    "x",
    "y",
    "rx",
}
ATTRIBUTES |= {"d", "stroke-width", "href"}


def check_picture(picture: Picture) -> ElementTree.Element:
    """The document, which is well-formed, has nothing but what is drawn, and nothing outside of its bounds."""
    root = ElementTree.fromstring(standalone(picture))  # noqa: S314 -- our own
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in TAGS
        assert set(element.attrib) <= ATTRIBUTES
        for name in element.get("class", "").split():
            assert name in ("picture", "bar") or re.search(rf"\.{name}\b", STYLE), name
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    assert re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,79}", picture.name)
    _check_bounds(picture, root)
    _check_embedded(picture)
    return root


def _check_bounds(picture: Picture, root: ElementTree.Element) -> None:
    for box in root.iter(f"{SVG}rect"):
        x, y, width, height = (float(box.get(name, "0")) for name in ("x", "y", "width", "height"))
        assert width >= 0
        assert height >= 0
        assert 0 <= x <= x + width <= picture.width + 1
        assert 0 <= y <= y + height <= picture.height + 1
    for text in root.iter(f"{SVG}text"):
        assert text.text
        assert 0 <= float(text.attrib["x"]) <= picture.width
        assert 0 <= float(text.attrib["y"]) <= picture.height


class _Page(HTMLParser):
    """The tags of an HTML page, as a reader of HTML sees them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attributes


def _check_embedded(picture: Picture) -> None:
    page = _Page(embedded(picture))
    assert set(page.tags) <= TAGS - {"style"}
    names = {name for name, _ in page.attributes}
    assert not [name for name in names if name == "style" or name.startswith("on")]
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids)) == 2
    assert all(re.fullmatch(r"[\w.-]{12,}", value or "") for value in ids)


def texts(root: ElementTree.Element, classes: str | None = None) -> list[str]:
    """What is written, or what has just these classes."""
    return [one.text or "" for one in root.iter(f"{SVG}text") if classes in (None, one.get("class"))]


def titles(root: ElementTree.Element) -> list[str]:
    """Of its parts."""
    return [one.text or "" for one in root.iter(f"{SVG}title") if one.get("id") is None]


def links(root: ElementTree.Element) -> list[str]:
    return [one.attrib["href"] for one in root.iter(f"{SVG}a")]


def boxes(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each, without the ground."""
    found = [one for one in root.iter(f"{SVG}rect") if one.get("class") != "ground"]
    corners = [[float(one.attrib[name]) for name in ("x", "y", "width", "height")] for one in found]
    return [(x, y, x + width, y + height) for x, y, width, height in corners]


def overlapping(
    rectangles: list[tuple[float, float, float, float]], slack: float = 0.15
) -> list[tuple[object, object]]:
    """Pairs of which one covers something of the other; found along the left edges."""
    ordered = sorted(rectangles)
    pairs: list[tuple[object, object]] = []
    for number, one in enumerate(ordered):
        for other in ordered[number + 1 :]:
            if other[0] >= one[2] - slack:
                break
            if other[1] < one[3] - slack and one[1] < other[3] - slack:
                pairs.append((one, other))
    return pairs
