"""Find the regions of a container that are in other languages.

Takes a Syntax of the container; returns Regions with the text to parse and the mapping of its offsets to the file. The
text of a fence in a quote, or of a notebook cell, is joined from pieces of the file.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from birthmark.languages.registry import LanguageSpec, Registry
from birthmark.model import Span
from birthmark.syntax.parse import Syntax
from birthmark.syntax.query import Item

_FRONT_MATTER = re.compile(rb"\A(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_JSON_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"', re.S)
_JSON_ESCAPE = re.compile(rb"(?:\\u[dD][89abAB][0-9a-fA-F]{2})?\\(?:u[0-9a-fA-F]{4}|.)", re.S)
_TAG_LANGUAGE = re.compile(r"""\b(?:lang|type)\s*=\s*["']?([\w/+.#-]+)""", re.I)
_INFO_LANGUAGE = re.compile(r"[\w+#-][\w+#.-]*")
_CELL_MAGIC = re.compile(rb"\s*%%(\w+)")
_LINE_MAGIC = re.compile(rb"^(\s*)[%!?](?=[\w!%])", re.M)
_PLAIN_TYPES = frozenset({"module", "babel"})  # no languages: the default of the segment applies


class Region(NamedTuple):
    """A segment in its container.

    Each piece is (offset in text, offset in container), ascending; within a piece both advance equally.
    """

    type: str
    language: str | None
    start: int
    end: int
    text: bytes
    pieces: tuple[Span, ...]


def find_regions(syntax: Syntax, spec: LanguageSpec, registry: Registry) -> tuple[Region, ...]:
    """Return the regions in source order, without overlaps."""
    default = notebook_language(syntax.source) if spec.decode == "json" else None
    regions = [_front_matter(syntax.source, spec)]
    regions += [_read_region(syntax, item, spec, registry, default) for item in _first_by_content(syntax.items)]
    found = sorted((region for region in regions if region), key=lambda region: region.start)
    return tuple(_without_overlaps(found))


def to_container(region: Region, offset: int) -> int:
    """Map an offset in the region's text to the container."""
    at, base = region.pieces[bisect_right(region.pieces, (offset, 1 << 62)) - 1]
    return base + offset - at


def span_to_container(region: Region, span: Span) -> Span:
    """Map a span to the container; its end by the byte before it, to leave out a following gap."""
    start = to_container(region, span[0])
    return (start, to_container(region, span[1] - 1) + 1 if span[1] > span[0] else start)


def runs_to_container(region: Region, start: int, run: bytes) -> Iterator[tuple[int, bytes]]:
    """Cut bytes at an offset of the region's text at the ends of its pieces; yield them with container offsets."""
    ends = [*(at for at, _ in region.pieces[1:]), len(region.text)]
    for (at, base), end in zip(region.pieces, ends, strict=True):
        first, last = max(at, start), min(end, start + len(run))
        if first < last:
            yield base + first - at, run[first - start : last - start]


def notebook_language(source: bytes) -> str | None:
    """Return the language of a notebook's kernel, if it names one."""
    try:
        metadata = json.loads(source)["metadata"]
        named = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get("language")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return str(named).lower() if named else None


def _first_by_content(items: list[Item]) -> list[Item]:
    """Keep the first match of each region, which may match with and without a named language."""
    by_content: dict[Span | None, Item] = {}
    for item in sorted((item for item in items if item[4].role == "segment"), key=lambda item: item[2]):
        by_content.setdefault(item[6], item)
    return [item for content, item in by_content.items() if content]


def _read_region(
    syntax: Syntax, item: Item, spec: LanguageSpec, registry: Registry, default: str | None
) -> Region | None:
    type_, content = item[4].kind, item[6]
    assert content is not None  # _first_by_content keeps only items with one
    label = item[7].get("language")
    language = read_language(syntax.source[label[0] : label[1]]) if label else None
    language = language or default or spec.embedded.get(type_)
    if spec.decode == "json":
        text, pieces = decode_json(syntax.source, content)
        text, language = read_magics(text, language, registry)
    else:
        text, pieces = _cut(syntax.source, content, syntax.excluded)
    if not text:
        return None
    known = registry.named(language) if language else None
    return Region(type_, known.name if known else language, content[0], content[1], text, pieces)


def read_language(label: bytes) -> str | None:
    """Read a tag's `lang` or `type`, or a fence's info string: `js {1,3}`, `{.python}`, `python:a.py`."""
    text = label.decode("utf-8", "replace").strip().lower()
    if text.startswith("<"):
        named = _TAG_LANGUAGE.search(text)
        language = re.split(r"[/+]", named[1])[-1].removeprefix("x-") if named else ""
        return None if language in _PLAIN_TYPES else language or None
    named = _INFO_LANGUAGE.search(text)
    return named[0].strip(".") if named else None


def _cut(source: bytes, content: Span, excluded: list[Span]) -> tuple[bytes, tuple[Span, ...]]:
    start, end = content
    texts: list[bytes] = []
    pieces: list[Span] = []
    length = 0
    for hole_start, hole_end in [*excluded[bisect_left(excluded, (start, 0)) :], (end, end)]:
        hole_start, hole_end = min(hole_start, end), min(hole_end, end)
        if hole_start > start or not pieces:
            texts.append(source[start:hole_start])
            pieces.append((length, start))
            length += hole_start - start
        start = max(start, hole_end)
        if start >= end:
            break
    return b"".join(texts), tuple(pieces)


def decode_json(source: bytes, content: Span) -> tuple[bytes, tuple[Span, ...]]:
    """Join the JSON strings of a span; runs without escapes, and escapes, are pieces."""
    texts: list[bytes] = []
    pieces: list[Span] = []
    length = 0
    for string in _JSON_STRING.finditer(source, *content):
        at, end = string.span(1)
        while at < end:
            escape = _JSON_ESCAPE.search(source, at, end) if source.find(b"\\", at, end) >= 0 else None
            plain_end = escape.start() if escape else end
            runs = [(at, source[at:plain_end])]
            if escape:
                runs.append((plain_end, _unescape(escape[0])))
            for position, text in runs:
                if text:
                    texts.append(text)
                    pieces.append((length, position))
                    length += len(text)
            at = escape.end() if escape else end
    return b"".join(texts), tuple(pieces)


def _unescape(escape: bytes) -> bytes:
    try:
        return str(json.loads(b'"' + escape + b'"')).encode("utf-8", "replace")
    except ValueError:
        return escape


def read_magics(text: bytes, language: str | None, registry: Registry) -> tuple[bytes, str | None]:
    """Read the language in `%%bash`; turn lines for the kernel or shell into comments."""
    cell = _CELL_MAGIC.match(text)
    if cell and cell[1] not in (b"time", b"timeit", b"capture", b"prun"):
        return text, cell[1].decode().lower()
    spec = registry.named(language) if language else None
    if spec is not None and spec.has_magics:
        text = _LINE_MAGIC.sub(rb"\1#", text)
    return text, language


def _front_matter(source: bytes, spec: LanguageSpec) -> Region | None:
    match = _FRONT_MATTER.match(source) if spec.front_matter else None
    if match is None or not match[2]:
        return None
    language = "toml" if match[1] == b"+++" else spec.front_matter
    start, end = match.span(2)
    return Region("front_matter", language, start, end, match[2], ((0, start),))


def _without_overlaps(regions: list[Region]) -> list[Region]:
    kept: list[Region] = []
    for region in regions:
        if not kept or region.start >= kept[-1].end:
            kept.append(region)
    return kept
