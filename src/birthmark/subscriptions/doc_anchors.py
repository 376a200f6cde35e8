"""Find the marks and REFs that documents name in comments: `<!-- birthmark: src/app.py::load -->`.

Takes the text of a document; gives Anchors with the lines of the paragraph that each is about: the one it is in; where
it is alone, or with a heading, also what follows up to the next paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

DOCUMENTS = (".md", ".markdown", ".mdx")
_LINK = re.compile(r"<!--\s*birthmark:\s*(?P<ref>\S.*?)\s*-->|\{/\*\s*birthmark:\s*(?P<expression>\S.*?)\s*\*/\}")
_FENCE = re.compile(r"\s{0,3}(?P<fence>`{3,}|~{3,})")
_CODE = re.compile(r"(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)")
_NO_TEXT = re.compile(r"\s*(?:#.*|(?:<!--.*?-->|\{/\*.*?\*/\}|\s)*)")  # a heading, or nothing but comments

Lines = tuple[int, int]


class DocAnchor(NamedTuple):
    """A REF in a document: its line, where it is in the text, and the lines of its paragraph."""

    line: int
    ref: str
    span: tuple[int, int]
    paragraph: Lines


def find_anchors(text: str) -> Iterator[DocAnchor]:
    """Yield the anchors of a document; links in code are examples, not anchors."""
    lines = text.split("\n")
    is_code = list(_code_lines(lines))
    blocks = list(_blocks(lines, is_code))
    start = 0
    for number, line in enumerate(lines, 1):
        if not is_code[number - 1]:
            for link in _LINK.finditer(_CODE.sub(lambda code: " " * len(code[0]), line)):
                group = "ref" if link["ref"] else "expression"
                span = start + link.start(group), start + link.end(group)
                yield DocAnchor(number, link[group], span, _paragraph(lines, blocks, number))
        start += len(line) + 1


def replace_refs(text: str, replacements: Iterable[tuple[DocAnchor, str]]) -> str:
    """A text with other REFs at some anchors; all else stays as it is."""
    for anchor, ref in sorted(replacements, key=lambda one: one[0].span, reverse=True):
        text = text[: anchor.span[0]] + ref + text[anchor.span[1] :]
    return text


def is_document(path: str) -> bool:
    return path.lower().endswith(DOCUMENTS)


def _code_lines(lines: list[str]) -> Iterator[bool]:
    """Yield for each line whether it is part of a fenced block."""
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            yield True
            closes = found is not None and found["fence"].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        else:
            yield found is not None
            fence = found["fence"] if found is not None else ""


def _blocks(lines: list[str], is_code: list[bool]) -> Iterator[Lines]:
    """Yield the first and last lines of blocks, which are separated by blank lines outside of code."""
    first = None
    for number, line in enumerate([*lines, ""], 1):
        is_blank = not line.strip() and not (number <= len(lines) and is_code[number - 1])
        if not is_blank and first is None:
            first = number
        elif is_blank and first is not None:
            yield first, number - 1
            first = None


def _paragraph(lines: list[str], blocks: list[Lines], line: int) -> Lines:
    own = next(i for i, (first, last) in enumerate(blocks) if first <= line <= last)
    end = own
    while end + 1 < len(blocks) and not _has_text(lines, blocks[end]):
        end += 1
    return blocks[own][0], blocks[end][1]


def _has_text(lines: list[str], block: Lines) -> bool:
    return any(_NO_TEXT.fullmatch(line) is None for line in lines[block[0] - 1 : block[1]])
