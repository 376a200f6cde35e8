"""Read the local variables and parameters of a body, and compare their declarations.

A declaration is the text between the start of its statement and its value: modifiers, annotations, type and name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from birthmark.entities.signatures import parse_signature
from birthmark.extraction.model import Interior
from birthmark.matching.bodies.blocks import Block
from birthmark.matching.bodies.token_alignment import Token
from birthmark.matching.bodies.variables import Variable
from birthmark.model import Node, Span
from birthmark.vocabulary import HistoryChange

TYPES = frozenset({"VARIABLE", "CONSTANT", "PARAMETER"})
_ANNOTATION = re.compile(r"@(?!interface\b)[\w$.]+\s*(?:\((?:[^()]|\([^()]*\))*\))?")
_LEADS = re.compile(r"^(?:(?:for|if|while|with|switch|match|case|await|async|else|do|try|when|in)\b\s*)+")
_PATTERN = re.compile(r".*\binstanceof\b", re.DOTALL)
_TYPE_BEHIND = re.compile(r"\s*:(?![:=])\s*([^=;{]+)|((?:\s*\[\s*\])+)|\s+([*\[\]\w.]+(?:\[[^\]]*\])?[\w.]*)")
_STARTS = frozenset("{};")
_GOES_ON = frozenset(",<&|?")  # ends of lines in the middle of a type


def read_variables(interior: Interior, span: Span, blocks: Sequence[Block], tokens: Sequence[Token]) -> list[Variable]:
    """Return variables in the order of their declarations; a name bound again in the same block is one variable."""
    found: dict[tuple[str, int], Variable] = {}
    lines = _statement_lines(tokens)
    for node in interior.nodes:
        if node.type in TYPES and span[0] <= node.start_byte and node.end_byte <= span[1]:
            variable = _read_variable(interior, node, blocks, span, lines)
            found.setdefault((variable.name, variable.block), variable)
    return sorted(found.values(), key=lambda variable: variable.name_at)


def _statement_lines(tokens: Sequence[Token]) -> dict[int, int]:
    """Return the start of each token's statement, by the start of the token."""
    firsts: dict[int, int] = {}
    for token in tokens:
        firsts.setdefault(token.statement, token.start)
    return {token.start: firsts[token.statement] for token in tokens}


def _read_variable(
    interior: Interior, node: Node, blocks: Sequence[Block], span: Span, lines: dict[int, int]
) -> Variable:
    where = (node.start_byte, node.end_byte)
    text = _declaration(interior.mask, node, span[0], lines)
    annotations = tuple(sorted("".join(found.split()) for found in _ANNOTATION.findall(text)))
    signature = parse_signature(" ".join(_ANNOTATION.sub(" ", text).split()), node.name)
    name_at, around = _name_at(interior.mask, node), _block_around(blocks, where)
    block = blocks[around] if around >= 0 else None
    return Variable(
        node.name,
        where,
        name_at,
        around,
        node.type == "PARAMETER",
        node.position,
        signature.type,
        signature.modifiers,
        annotations,
        _role(node, name_at, block),
        block.span if block is not None else span,
        _value_span(interior.mask, node, name_at, block, lines),
    )


def _role(node: Node, name_at: int, block: Block | None) -> str:
    """Return the declaring construct: a signature, a statement, or the head of a block."""
    if node.type == "PARAMETER":
        return "parameter"
    return block.sort if block is not None and name_at < block.head[1] else "local"


def _value_span(mask: bytes, node: Node, name_at: int, block: Block | None, lines: dict[int, int]) -> Span:
    """Return the span of the initial value; for a loop variable or a lambda's parameter, of the iterated value."""
    start = _value_start(mask, node)
    if start < node.end_byte or block is None or name_at >= block.head[1]:
        return start, node.end_byte
    if node.type == "PARAMETER":
        return lines.get(block.span[0], block.span[0]), block.span[0]
    return name_at + len(node.name.encode("utf-8", "surrogateescape")), block.head[1]


def find_variable(variables: Sequence[Variable], blocks: Sequence[Block], node: Node) -> int | None:
    """Return the variable that a node declares, or binds again."""
    key = (node.name, _block_around(blocks, (node.start_byte, node.end_byte)))
    return next((i for i, variable in enumerate(variables) if (variable.name, variable.block) == key), None)


def _block_around(blocks: Sequence[Block], span: Span) -> int:
    return next((i for i in range(len(blocks) - 1, -1, -1) if _holds(blocks[i].span, span)), -1)


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _name_at(mask: bytes, node: Node) -> int:
    name = node.name.encode("utf-8", "surrogateescape")
    value = _value_start(mask, node)
    offsets = [
        m.start() for m in re.finditer(rb"(?<![\w$])%b(?![\w$])" % re.escape(name), mask[node.start_byte : value])
    ]
    return node.start_byte + (offsets[-1] if offsets else 0)


def _value_start(mask: bytes, node: Node) -> int:
    """Return the offset of the initial value, which ends the declaration."""
    depth = 0
    for at in range(node.start_byte, node.end_byte):
        character = mask[at]
        if depth <= 0 and character == 0x3D and mask[at + 1] != 0x3D and at > node.start_byte:
            return at
        depth += (character in b"([{") - (character in b")]}")
    return node.end_byte


def _declaration(mask: bytes, node: Node, floor: int, lines: dict[int, int]) -> str:
    """Return modifiers, type and name without the initial value."""
    name_at = _name_at(mask, node)
    end = name_at + len(node.name.encode("utf-8", "surrogateescape"))
    start = node.start_byte
    if node.type != "PARAMETER":
        start = _declaration_start(mask, _statement_start(mask, name_at, floor), lines.get(name_at, floor))
    before = _clear(mask[start:name_at])
    behind = _TYPE_BEHIND.match(_clear(mask[end : max(end, _behind_end(mask, end, node))]))
    type_ = next((group for group in behind.groups() if group), "") if behind else ""
    before = _first_declarator(_PATTERN.sub("", _LEADS.sub("", before.strip())))
    return f"{before} {node.name}{': ' + type_ if type_ else ''}".strip()


def _declaration_start(mask: bytes, start: int, line: int) -> int:
    """Return the start of a declaration: lines above belong to it if they are annotations or end within a type."""
    above = _ANNOTATION.sub("", _clear(mask[start:line])).strip()
    return line if above and above[-1] not in _GOES_ON else start


def _behind_end(mask: bytes, end: int, node: Node) -> int:
    return min(_value_start(mask, node), node.end_byte)


def _clear(text: bytes) -> str:
    return text.translate(bytes.maketrans(b"\0\2", b"  ")).decode("utf-8", "replace")


def _statement_start(mask: bytes, at: int, floor: int) -> int:
    """Return the offset behind the last `;`, block bracket, label, or open parenthesis."""
    depth = 0
    for index in range(at - 1, floor - 1, -1):
        character = chr(mask[index])
        if character in ")]" or (character == "}" and depth):
            depth += 1
        elif character in "([" or (character == "{" and depth):
            depth -= 1
            if depth < 0:
                return index + 1
        elif depth == 0 and (character in _STARTS or 0x0E < mask[index] < 0x20 or _is_label(mask, index)):
            return index + 1
    return floor


def _is_label(mask: bytes, at: int) -> bool:
    return mask[at : at + 1] == b":" and b":" not in (mask[at - 1 : at], mask[at + 1 : at + 2])


def _first_declarator(before: str) -> str:
    """Return the text before the first declarator: `int` for a `b` in `int a = 1, b`."""
    depth = 0
    for at, character in enumerate(before):
        depth += (character in "([{<") - (character in ")]}>")
        if depth == 0 and character == ",":
            first = before[:at].partition("=")[0].rstrip()
            return first.rpartition(" ")[0]
    return "" if "=" in before else before


def variable_changes(old: Variable, new: Variable) -> list[HistoryChange]:
    """Return the changes of a variable's declaration."""
    changes = [HistoryChange.RENAME] if old.name != new.name else []
    is_typed = old.is_parameter == new.is_parameter or (old.type and new.type)  # A lambda's parameter need not.
    changes += [HistoryChange.TYPE] if old.type != new.type and is_typed else []
    changes += [HistoryChange.MODIFIER] if old.modifiers != new.modifiers else []
    return changes + ([HistoryChange.ANNOTATION] if old.annotations != new.annotations else [])
