"""Read sources into a Tree, with tree-sitter and the node types of a Dialect.

A definition is known only if it has its lines for itself. What is above it without a blank line in between, comments
and attributes, belongs to it.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from functools import cache

from tree_sitter import Language, Node, Parser

from refactoring.dialects import FUNCTION, GROUP, TYPE, Dialect
from refactoring.trees import Definition, Tree

_ATTACHED = re.compile(r"\s*(//|/\*|\*|@|#\[|#(?!\s*(?:include|define|if|el|end|region|pragma|!))|\[\w)")
_NAME = re.compile(r"[A-Za-z_$][\w$]*[?!]?")
_BODIES = frozenset({"class_body", "function_body", "enum_class_body", "enum_body", "template_body", "block"})
_LISTS = frozenset({"block", "statements", "statement_list", "body_statement", "statement_block", "compound_statement"})
_OPAQUE = frozenset(
    "block compound_statement statement_block object object_type object_literal formal_parameters parameter_list "
    "arguments argument_list value_arguments lambda_literal arrow_function function_expression function_body "
    "init_declaration computed_property getter setter do_block".split()
)  # what is in them is part of something, not a definition of its own
_SOLE = re.compile(r"\s*[;,]?\s*(//.*|#.*)?")


def read_tree(dialect: Dialect, sources: dict[str, str]) -> Tree:
    tree = Tree(dialect, {})
    for path, text in sources.items():
        tree.files[path] = _Reader(dialect, tree, text).read()
    return tree


def has_errors(dialect: Dialect, text: str) -> bool:
    return _parser(dialect.grammar, dialect.symbol).parse(text.encode()).root_node.has_error


@cache
def _parser(grammar: str, symbol: str) -> Parser:
    return Parser(Language(getattr(importlib.import_module(grammar), symbol)()))


class _Reader:
    """One source, cut into lines, and the definitions that have lines of their own."""

    def __init__(self, dialect: Dialect, tree: Tree, text: str) -> None:
        self.dialect, self.tree = dialect, tree
        self.lines = text.splitlines(keepends=True)
        self.source = "".join(self.lines).encode()

    def read(self) -> list[str | Definition]:
        root = _parser(self.dialect.grammar, self.dialect.symbol).parse(self.source).root_node
        return self._parts(root, 0, 0, len(self.lines))[0]

    def _parts(self, node: Node, first: int, least: int, last: int) -> tuple[list[str | Definition], dict[int, int]]:
        """The parts of some lines, definitions from `least` on; and by line the part that it is, if it is in none."""
        parts: list[str | Definition] = []
        index: dict[int, int] = {}
        at = self._copy(parts, index, first, least)
        for found, name in self._inside(node):
            start, end = self._span(found, at)
            if start < at or end > last or not self._is_sole(found):
                continue
            at = self._copy(parts, index, at, start)
            parts.append(self._definition(found, name, start, end))
            at = end
        self._copy(parts, index, at, last)
        return parts, index

    def _copy(self, parts: list[str | Definition], index: dict[int, int], start: int, end: int) -> int:
        for line in range(start, end):
            index[line] = len(parts)
            parts.append(self.lines[line])
        return end

    def _inside(self, node: Node) -> Iterator[tuple[Node, Node | None]]:
        """The outermost definitions under a node; a field of a function is none."""
        for child in node.named_children:
            kind = None if _is_mention(child) else self.dialect.nodes.get(child.type)
            name = self._name_node(child) if kind else None
            if kind and (name is not None or kind == GROUP):
                yield child, name
            elif child.type not in _OPAQUE or (child.type == "block" and self.dialect.is_indented):
                yield from self._inside(child)

    def _name_node(self, node: Node) -> Node | None:
        found: Node | None = node
        for step in self.dialect.names.get(node.type, ("name",)):
            found = _step(found, step) if found else None
        while found is not None and (inner := found.child_by_field_name("declarator") or _qualified(found)) is not None:
            found = inner
        return found if found is not None and _NAME.fullmatch(_text(found)) else None

    def _span(self, node: Node, least: int) -> tuple[int, int]:
        """Its lines, with those of what is around it alone and of what is above it."""
        start, end = node.start_point[0], node.end_point[0] + (node.end_point[1] > 0)
        while start - 1 >= least and _ATTACHED.match(self.lines[start - 1]):
            start -= 1
        if start > least and self.lines[start - 1].lstrip().startswith("template"):
            start -= 1
        return start, end

    def _is_sole(self, node: Node) -> bool:
        (row, column), (last, end) = node.start_point, node.end_point
        before = self.lines[row].encode()[:column].decode(errors="replace").strip()
        after = self.lines[last].encode()[end:].decode(errors="replace") if last < len(self.lines) else ""
        return before in _BEFORE and bool(_SOLE.fullmatch(after.rstrip("\n")))

    def _definition(self, node: Node, name: Node | None, start: int, end: int) -> Definition:
        kind, body = self.dialect.nodes[node.type], _body(node)
        text = _text(name) if name is not None else _text(node.child_by_field_name("type"))
        line = name.start_point[0] if name is not None else node.start_point[0]
        if kind in (TYPE, GROUP) and body is not None and end - start > 1:
            opened = self._open_line(node, body)
            parts, index = self._parts(body, start, opened + 1, end)
            open_at = index[opened]
            return Definition(self.tree.number(), kind, text, parts, index.get(line, 0), open_at=open_at)
        lines: list[str | Definition] = list(self.lines[start:end])
        found = Definition(self.tree.number(), kind, text, lines, line - start)
        if kind == FUNCTION and body is not None:
            found.inner = self._inner(node, body, start, end)
            found.cuts = _cuts(body, start + found.inner[0], start + found.inner[1])
            found.head = " ".join(self.source[node.start_byte : body.start_byte].decode(errors="replace").split())
        return found

    def _open_line(self, node: Node, body: Node) -> int:
        if self.dialect.is_indented:
            return body.start_point[0] - 1
        return node.start_point[0] if self.dialect.has_end else body.start_point[0]

    def _inner(self, node: Node, body: Node, start: int, end: int) -> tuple[int, int]:
        """The lines of the body alone, without brackets."""
        first = body.start_point[0] - start
        if self.dialect.is_indented:
            return (first, end - start) if body.start_point[0] > node.start_point[0] else (0, 0)
        if self.dialect.has_end:
            return (first, end - start - 1) if body.start_point[0] > node.start_point[0] else (0, 0)
        is_block = _text(body).startswith("{") and end - start - 1 > first
        return (first + 1, end - start - 1) if is_block else (0, 0)


_BEFORE = frozenset({"", "export", "export default", "async", "typedef", "static", "decl", 'extern "C"'})


def _is_mention(node: Node) -> bool:
    """Of a type that is defined elsewhere, or of a method of a single object."""
    if node.type in ("struct_specifier", "class_specifier"):
        return node.child_by_field_name("body") is None
    return node.type == "singleton_method" and _text(node.child_by_field_name("object")) != "self"


def _step(node: Node, step: str) -> Node | None:
    named = node.child_by_field_name(step)
    return named or next((child for child in node.named_children if child.type == step), None)


def _qualified(node: Node) -> Node | None:
    return node.child_by_field_name("name") if node.type in ("qualified_identifier", "template_function") else None


def _body(node: Node) -> Node | None:
    found = node.child_by_field_name("body") or next((one for one in node.named_children if one.type in _BODIES), None)
    if found is None and node.type == "type_declaration":  # Go
        spec = _step(node, "type_spec")
        found = spec.child_by_field_name("type") if spec else None
    return found


def _cuts(body: Node, first: int, last: int) -> list[int]:
    """Where statements begin, among these lines; what begins in the middle of a line belongs to what is before it."""
    while len(body.named_children) == 1 and body.named_children[0].type in _LISTS:
        body = body.named_children[0]
    cuts, least = [], first
    for child in body.named_children:
        row = child.start_point[0]
        if least <= row < last:
            cuts.append(row - first)
        least = max(least, child.end_point[0] + (child.end_point[1] > 0))
    return cuts


def _text(node: Node | None) -> str:
    return node.text.decode(errors="replace") if node is not None and node.text else ""
