"""Find the comments and attributes before each definition.

Takes a Syntax; returns the LeadingTrivia by the offset of what follows them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from birthmark.model import Span
from birthmark.syntax.parse import Syntax

_VISIBLE = re.compile(rb"\S")


class LeadingTrivia(NamedTuple):
    """The documentation before an offset, and the start of the attributes before it."""

    documentation: Span | None
    start: int


def find_leading_trivia(syntax: Syntax) -> dict[int, LeadingTrivia]:
    """Walk comments and attributes in order; those with only white space between them are one group."""
    source, comments = syntax.source, set(syntax.comments)
    trivia: dict[int, LeadingTrivia] = {}
    documentation: Span | None = None
    attribute_start = -1
    expected = -1
    for span in sorted(comments.union(syntax.attributes)):
        start, end = span
        if start != expected:
            documentation, attribute_start = None, -1
        expected = _next_start(source, end)
        if span in comments:
            documentation = _extend_documentation(source, documentation, span, expected)
        else:
            trivia.setdefault(start, LeadingTrivia(documentation, start))
            attribute_start = start if attribute_start < 0 else attribute_start
        if documentation or attribute_start >= 0:
            trivia[expected] = LeadingTrivia(documentation, attribute_start if attribute_start >= 0 else expected)
    return trivia


def _extend_documentation(source: bytes, documentation: Span | None, comment: Span, following: int) -> Span | None:
    start, end = comment
    end = start + len(source[start:end].rstrip())
    line_start = source.rfind(b"\n", 0, start) + 1
    if source[line_start:start].strip():
        return documentation  # It is on a line with code and documents that.
    if source[end:following].count(b"\n") > 1:
        return None  # A blank line separates it from the definition.
    return (documentation[0] if documentation else start, end)


def _next_start(source: bytes, at: int) -> int:
    found = _VISIBLE.search(source, at)
    return found.start() if found else len(source)
