"""Find the expressions in the markup of a component, whose names are those of its scripts.

Takes a Syntax of the container and its regions; returns Expressions, each a Region of one piece. What is an expression,
and which parts of it are names that it binds, is said by the `[[expressions]]` of `language.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from birthmark.entities.segments import Region
from birthmark.languages.registry import LanguageSpec, Registry
from birthmark.languages.rules import ExpressionRules
from birthmark.model import Span
from birthmark.syntax.parse import Syntax

_LONGEST = 20_000  # bytes of an expression
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.S)
_TOKEN = re.compile(rb"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|[{}]""", re.S)
_NAMES = "names"
# What is around a group where it is parsed, so that an object is no block, and names are parameters.
_AROUND = {"code": (b"", b""), _NAMES: (b"(", b") => 0")}
_VALUE = (b"(", b")")


class Expression(NamedTuple):
    """Code in the markup; the names that it binds hold in `scope`."""

    region: Region
    scope: Span | None
    strip: str


def find_expressions(
    syntax: Syntax, spec: LanguageSpec, regions: Sequence[Region], registry: Registry
) -> list[Expression]:
    """Return the expressions outside of the regions that are no markup themselves."""
    if not spec.expressions:
        return []
    found = [*_in_attributes(syntax, spec)]
    holes = sorted([*_code(regions, registry), *(one.span() for one in _COMMENT.finditer(syntax.source))])
    for rules in spec.expressions:
        if rules.marks:
            found += _between_marks(syntax.source, rules, holes)
    return found


def _code(regions: Sequence[Region], registry: Registry) -> Iterator[Span]:
    for region in regions:
        spec = registry.named(region.language) if region.language else None
        if spec is None or not spec.is_container:
            yield region.start, region.end


def _in_attributes(syntax: Syntax, spec: LanguageSpec) -> Iterator[Expression]:
    for item in syntax.items:
        name, content = item[5], item[6]
        if item[4].role == "expression" and name and content:
            text = syntax.source[slice(*name)].decode("utf-8", "replace")
            rules = next((one for one in spec.expressions if one.names and re.fullmatch(one.names, text)), None)
            if rules is not None:
                yield from _read_forms(syntax.source, rules, content, (item[0], -item[1]))


def _between_marks(source: bytes, rules: ExpressionRules, holes: Sequence[Span]) -> Iterator[Expression]:
    """Names hold until the end of the block that the expression opens, or of the one around it."""
    open_blocks: list[list[Expression]] = [[]]
    opening, closing = (mark.encode() for mark in rules.blocks or ("\0", "\0"))
    for start, end in _marked(source, rules, holes):
        if source.startswith(closing, start):
            if len(open_blocks) > 1:
                yield from _closed(open_blocks.pop(), end)
            continue
        if source.startswith(opening, start):
            open_blocks.append([])
        for one in _read_forms(source, rules, (start, end), (start, len(source))):
            if one.scope is None:
                yield one
            else:
                open_blocks[-1].append(one)
    for block in open_blocks:
        yield from block


def _closed(block: Sequence[Expression], end: int) -> Iterator[Expression]:
    for one in block:
        yield one._replace(scope=(one.scope[0], end) if one.scope else None)


def _marked(source: bytes, rules: ExpressionRules, holes: Sequence[Span]) -> Iterator[Span]:
    """Return what is between two marks, without white space at its ends."""
    first, last = (mark.encode() for mark in rules.marks)
    at = 0
    for hole_start, hole_end in (*holes, (len(source), len(source))):
        while at <= (start := source.find(first, at, hole_start)):
            start += len(first)
            end = _closing(source, start, min(hole_start, start + _LONGEST), last)
            at = end + len(last) if end >= 0 else start
            text = source[start:end] if end >= 0 else b""
            if text.strip():
                yield start + len(text) - len(text.lstrip()), start + len(text.rstrip())
        at = max(at, hole_end)


def _closing(source: bytes, start: int, limit: int, mark: bytes) -> int:
    """Return the position of the closing mark, outside of strings and inner braces; -1 without one."""
    depth = 0
    for token in _TOKEN.finditer(source, start, limit):
        if token[0] == b"{":
            depth += 1
        elif token[0] == b"}":
            if not depth and source.startswith(mark, token.start()):
                return token.start()
            depth -= 1
            if depth < 0:
                return -1
    return -1


def _read_forms(source: bytes, rules: ExpressionRules, span: Span, scope: Span) -> Iterator[Expression]:
    """Return the groups of the first form that it has."""
    found = next((found for form in _compiled(rules.forms) if (found := form.fullmatch(source, *span))), None)
    if found is None:
        return
    for group in found.groupdict():
        start, end = found.span(group)
        if start < end:
            kind = group.rstrip("0123456789")
            before, after = _AROUND.get(kind, _VALUE)
            text = b"".join((before, source[start:end], after))
            region = Region("expression", None, start, end, text, ((len(before), start),))
            yield Expression(region, scope if kind == _NAMES else None, rules.strip)


@cache
def _compiled(forms: tuple[str, ...]) -> tuple[re.Pattern[bytes], ...]:
    return tuple(re.compile(form.encode(), re.S) for form in forms)
