"""Parse a source, run the language's query, and return plain values.

Takes bytes, a LanguageSpec and a Level; returns a Syntax. No tree-sitter object leaves this room, and the Syntax of
broken source lists its errors. A Grammar is compiled once per process. All queries of a level are compiled into one,
because each query walks the whole tree; patterns that the level does not need are disabled.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from tree_sitter import Language, Node, Parser, Query, QueryError

from birthmark.errors import LanguageError
from birthmark.languages.registry import LanguageSpec
from birthmark.model import Level, Span
from birthmark.syntax.canonical import compile_spaces, mask_source
from birthmark.syntax.lines import Lines
from birthmark.syntax.query import CompiledQuery, Item

_LONE_SURROGATES = re.compile("[\udc80-\udcff]")
_MAX_ERRORS = 100  # enough for a report
_DEFINITIONS = ("segments.scm", "entities.scm", "references.scm")
_ALL = (*_DEFINITIONS, "bindings.scm", "occurrences.scm", "nodes.scm")
_LEVEL_FILES = {
    Level.ENTITIES: _DEFINITIONS,
    Level.OUTLINE: _ALL,
    Level.NODES: _ALL,
    Level.INTERIOR: _ALL,
}

_grammars: dict[str, tuple[LanguageSpec, Grammar]] = {}


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
    cut_points: Callable[[Span, int], list[int]]  # holds the tree, so it is valid only in this process


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
        lambda span, limit: _cut_points(tree.root_node, span, limit),
    )


def _cut_points(root: Node, span: Span, limit: int) -> list[int]:
    """Return the starts of syntax nodes inside a span, also of those within nodes longer than the limit."""
    start, end = span
    points, nodes = set(), [root.descendant_for_byte_range(start, end - 1) or root]
    while nodes:
        for child in nodes.pop().children:
            if child.end_byte <= start or child.start_byte >= end:
                continue
            points.add(child.start_byte)
            if child.end_byte - child.start_byte > limit:
                nodes.append(child)
    return sorted(point for point in points if start < point < end)


def _parseable(source: bytes) -> bytes:
    """Return a source of the same length that all lexers and predicates accept: valid UTF-8 without NUL."""
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
    """Return the spans in order, of those with the same start the longest."""
    return sorted(dict(sorted(spans)).items())


def _find_errors(root: Node) -> list[int]:
    """Return the offsets of errors and repairs of the parser; a query for them might not terminate."""
    errors: list[int] = []
    nodes = [root] if root.has_error else []
    while nodes and len(errors) < _MAX_ERRORS:
        node = nodes.pop()
        if node.is_error or node.is_missing:
            errors.append(node.start_byte)
        nodes += [child for child in node.children if child.has_error]
    return sorted(set(errors))


def query_text(spec: LanguageSpec, level: Level) -> str:
    return "\n".join(spec.queries.get(file, "") for file in _LEVEL_FILES[level])


def load_grammar(spec: LanguageSpec) -> Grammar:
    """Return the compiled grammar of a language; a changed spec of the same name is compiled again."""
    known = _grammars.get(spec.name)
    if known is None or known[0] is not spec:
        known = _grammars[spec.name] = (spec, Grammar(spec))
    return known[1]


class Grammar:
    """A tree-sitter language with its parser, its combined queries and its white space rule."""

    def __init__(self, spec: LanguageSpec) -> None:
        self.spec = spec
        self.capsule = _load_capsule(spec)
        self.language = Language(self.capsule)
        self.parser = Parser(self.language)
        self._queries: dict[Level, CompiledQuery] = {}

    def query(self, level: Level) -> CompiledQuery:
        if level not in self._queries:
            text = query_text(self.spec, level)
            self._queries[level] = CompiledQuery(self._compile(text), text, level)
        return self._queries[level]

    @cached_property
    def spaces(self) -> re.Pattern[bytes]:
        """Return the pattern of white space that separates tokens, see `canonical`."""
        return compile_spaces(self.operators)

    @property
    def operators(self) -> list[str]:
        """Return the tokens without a name."""
        language = self.language
        kinds = (
            language.node_kind_for_id(kind)
            for kind in range(language.node_kind_count)
            if not language.node_kind_is_named(kind)
        )
        return [kind for kind in kinds if kind]

    def _compile(self, text: str) -> Query:
        try:
            return Query(self.language, text)
        except QueryError as error:
            raise LanguageError(
                f"language {self.spec.name}: bad query: {error}; see docs/how-to/add-a-language.md"
            ) from error


def _load_capsule(spec: LanguageSpec) -> object:
    try:
        return getattr(importlib.import_module(spec.grammar), spec.symbol)()
    except (ImportError, AttributeError) as error:
        raise LanguageError(f"language {spec.name}: {error}; install the package of {spec.grammar}") from error
