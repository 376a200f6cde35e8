"""Attach the comments and attributes that stand before a definition.

Takes a Syntax; gives, for each offset at which something starts, the Lead that stands right before it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from birthmark.model import Span
from birthmark.syntax.parse import Syntax

_VISIBLE = re.compile(rb"\S")


class Lead(NamedTuple):
    """The documentation before an offset, and where the attributes before it start."""

    documentation: Span | None
    start: int


def find_leads(syntax: Syntax) -> dict[int, Lead]:
    """Walk comments and attributes in order; those with only white space between them are one group."""
    source, comments = syntax.source, set(syntax.comments)
    leads: dict[int, Lead] = {}
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
            leads.setdefault(start, Lead(documentation, start))
            attribute_start = start if attribute_start < 0 else attribute_start
        if documentation or attribute_start >= 0:
            leads[expected] = Lead(documentation, attribute_start if attribute_start >= 0 else expected)
    return leads


def _extend_documentation(source: bytes, documentation: Span | None, comment: Span, following: int) -> Span | None:
    start, end = comment
    end = start + len(source[start:end].rstrip())
    line_start = source.rfind(b"\n", 0, start) + 1
    if source[line_start:start].strip():
        return documentation  # It stands behind code and speaks of that.
    if source[end:following].count(b"\n") > 1:
        return None  # A blank line parts it from what follows.
    return (documentation[0] if documentation else start, end)


def _next_start(source: bytes, at: int) -> int:
    found = _VISIBLE.search(source, at)
    return found.start() if found else len(source)
