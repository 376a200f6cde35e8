"""Read a source: parse it, run the language's query, return plain values.

Takes bytes, a LanguageSpec and a Level; returns a Syntax. No tree-sitter object leaves this room, and broken
source is ordinary input: its Syntax has errors.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tree_sitter import Node

from birthmark.languages.registry import LanguageSpec
from birthmark.model import Level, Span
from birthmark.syntax.canonical import mask_source
from birthmark.syntax.grammar import load_grammar
from birthmark.syntax.lines import Lines
from birthmark.syntax.query import Item

_LONE_SURROGATES = re.compile("[\udc80-\udcff]")
_MAX_ERRORS = 100  # enough for a report


class TreeCuts:
    """The offsets at which a source may be cut; it holds the tree, so it is valid only in this process."""

    __slots__ = ("_root",)

    def __init__(self, root: Node) -> None:
        self._root = root

    def __call__(self, span: Span, limit: int) -> list[int]:
        """The starts of syntax nodes inside a span; nodes longer than the limit are descended into."""
        start, end = span
        points, nodes = set(), [self._root.descendant_for_byte_range(start, end - 1) or self._root]
        while nodes:
            for child in nodes.pop().children:
                if child.end_byte <= start or child.start_byte >= end:
                    continue
                points.add(child.start_byte)
                if child.end_byte - child.start_byte > limit:
                    nodes.append(child)
        return sorted(point for point in points if start < point < end)


class Syntax(NamedTuple):
    """The syntax of a source, as spans."""

    source: bytes
    mask: bytes
    comments: list[Span]
    attributes: list[Span]
    wraps: list[Span]
    excluded: list[Span]
    items: list[Item]
    errors: list[int]  # offsets
    lines: Lines
    cut_points: TreeCuts


def read_syntax(source: bytes, spec: LanguageSpec, level: Level = Level.NODES) -> Syntax:
    grammar = load_grammar(spec)
    tree = grammar.parser.parse(_parseable(source))
    trivia, items = grammar.query(level).run(tree.root_node)
    mask = mask_source(source, _outermost(trivia["string"]), trivia["comment"], trivia["block"], grammar.spaces)
    return Syntax(
        source,
        mask,
        trivia["comment"],
        _longest(trivia["attribute"]),
        trivia["wrap"],
        trivia["exclude"],
        items,
        _find_errors(tree.root_node),
        Lines(source),
        TreeCuts(tree.root_node),
    )


def _parseable(source: bytes) -> bytes:
    """A source of the same length that every lexer and predicate accepts: without NUL, and valid UTF-8."""
    if b"\0" in source:
        source = source.replace(b"\0", b"\x01")  # Lexers read NUL as the end of the input.
    if source.isascii():
        return source
    text = source.decode("utf-8", "surrogateescape")
    return _LONE_SURROGATES.sub("_", text).encode() if _LONE_SURROGATES.search(text) else source


def _outermost(spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _longest(spans: list[Span]) -> list[Span]:
    """In order; of those with one start the longest."""
    return sorted(dict(sorted(spans)).items())


def _find_errors(root: Node) -> list[int]:
    """The offsets at which the parser found or repaired an error. A query might not terminate."""
    errors: list[int] = []
    nodes = [root] if root.has_error else []
    while nodes and len(errors) < _MAX_ERRORS:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            errors.append(node.start_byte)
        nodes += [child for child in node.children if child.has_error]
    return sorted(set(errors))
