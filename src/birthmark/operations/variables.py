"""The local variables and parameters of a body: which is which after an edit, and how their declarations changed.

A variable is found again by its name in the same block, by its name alone, or, when it was renamed, by its declaration
and its uses, which then all stand in the places of the old ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from birthmark.matching.bodies import Weave
from birthmark.model import Node, Span
from birthmark.operations.aspects import RENAME
from birthmark.operations.blocks import Block, Interior
from birthmark.operations.signatures import Signature, parse_signature

TYPES = frozenset({"VARIABLE", "CONSTANT", "PARAMETER"})
_ANNOTATION = re.compile(r"@(?!interface\b)[\w$.]+\s*(?:\((?:[^()]|\([^()]*\))*\))?")
_LEADS = re.compile(r"^(?:(?:for|if|while|with|switch|match|case|await|async|else|do|try|when|in)\b\s*)+")
_PATTERN = re.compile(r".*\binstanceof\b", re.DOTALL)
_TYPE_BEHIND = re.compile(r"\s*:(?![:=])\s*([^=;{]+)|((?:\s*\[\s*\])+)|\s+([*\[\]\w.]+(?:\[[^\]]*\])?[\w.]*)")
_STARTS = frozenset("{};")
_MOST = 0.5  # of the uses that must stand in the places of the old ones


class Variable(NamedTuple):
    """A local name: where it is declared, in which block, and how."""

    name: str
    span: Span
    name_at: int
    block: int  # the innermost around its declaration
    is_parameter: bool
    position: int | None
    signature: Signature
    annotations: tuple[str, ...]


def read_variables(interior: Interior, span: Span, blocks: Sequence[Block]) -> list[Variable]:
    """In the order of their declarations; a name that is bound again in the same block is the same variable."""
    found: dict[tuple[str, int], Variable] = {}
    for node in interior.nodes:
        if node.type in TYPES and span[0] <= node.start_byte and node.end_byte <= span[1]:
            variable = _read_variable(interior, node, blocks, span[0])
            found.setdefault((variable.name, variable.block), variable)
    return sorted(found.values(), key=lambda variable: variable.name_at)


def _read_variable(interior: Interior, node: Node, blocks: Sequence[Block], floor: int) -> Variable:
    where = (node.start_byte, node.end_byte)
    block = next((i for i in range(len(blocks) - 1, -1, -1) if _holds(blocks[i].span, where)), -1)
    text = _declaration(interior.mask, node, floor)
    annotations = tuple(sorted("".join(found.split()) for found in _ANNOTATION.findall(text)))
    signature = parse_signature(" ".join(_ANNOTATION.sub(" ", text).split()), node.name)
    is_parameter = node.type == "PARAMETER"
    return Variable(
        node.name, where, _name_at(interior.mask, node), block, is_parameter, node.position, signature, annotations
    )


def _holds(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _name_at(mask: bytes, node: Node) -> int:
    name = node.name.encode("utf-8", "surrogateescape")
    value = _value_start(mask, node)
    places = [
        m.start() for m in re.finditer(rb"(?<![\w$])%b(?![\w$])" % re.escape(name), mask[node.start_byte : value])
    ]
    return node.start_byte + (places[-1] if places else 0)


def _value_start(mask: bytes, node: Node) -> int:
    """Where what it starts with begins; what is declared stands before that."""
    depth = 0
    for at in range(node.start_byte, node.end_byte):
        character = mask[at]
        if depth <= 0 and character == 0x3D and mask[at + 1] != 0x3D and at > node.start_byte:
            return at
        depth += (character in b"([{") - (character in b")]}")
    return node.end_byte


def _declaration(mask: bytes, node: Node, floor: int) -> str:
    """Modifiers, type and name, without what it starts with."""
    name_at = _name_at(mask, node)
    end = name_at + len(node.name.encode("utf-8", "surrogateescape"))
    start = node.start_byte if node.type == "PARAMETER" else _statement_start(mask, name_at, floor)
    before = _clear(mask[start:name_at])
    behind = _TYPE_BEHIND.match(_clear(mask[end : max(end, _behind_end(mask, end, node))]))
    type_ = next((group for group in behind.groups() if group), "") if behind else ""
    before = _first_declarator(_PATTERN.sub("", _LEADS.sub("", before.strip())))
    return f"{before} {node.name}{': ' + type_ if type_ else ''}".strip()


def _behind_end(mask: bytes, end: int, node: Node) -> int:
    return min(_value_start(mask, node), node.end_byte)


def _clear(text: bytes) -> str:
    return text.translate(bytes.maketrans(b"\0\2", b"  ")).decode("utf-8", "replace")


def _statement_start(mask: bytes, at: int, floor: int) -> int:
    """Back to the last `;`, bracket of a block, label, or parenthesis that is still open."""
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
    """Of `int a = 1, ` before a `b`, the `int`."""
    depth = 0
    for at, character in enumerate(before):
        depth += (character in "([{<") - (character in ")]}>")
        if depth == 0 and character == ",":
            first = before[:at].partition("=")[0].rstrip()
            return first.rpartition(" ")[0]
    return "" if "=" in before else before


def align_variables(
    old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], weave: Weave
) -> dict[int, int]:
    """New variable to old variable; `blocks` are the paired ones.

    A declaration that stands where another did, with most of its uses, says more than a name that is used again.
    """
    aligner = _Aligner(old, new, {**blocks, -1: -1}, weave)
    for propose in (aligner.same_place, aligner.renamed_in_place, aligner.same_name, aligner.renamed):
        propose()
    return aligner.pairs


class _Aligner:
    def __init__(self, old: Sequence[Variable], new: Sequence[Variable], blocks: dict[int, int], weave: Weave) -> None:
        self.old, self.new, self.blocks, self.weave = old, new, blocks, weave
        self.pairs: dict[int, int] = {}
        self.old_at = {token.start: index for index, token in enumerate(weave.old)}
        self.new_at = {token.start: index for index, token in enumerate(weave.new)}
        self.old_uses = Counter(token.text for token in weave.old)
        self.new_uses = Counter(token.text for token in weave.new)
        self.joined = Counter(
            (weave.old[i].text, weave.new[j].text) for kept in (weave.same, weave.swapped) for i, j in kept.items()
        )

    def same_place(self) -> None:
        """Of the same name in the same block, unless another one has taken its place there."""
        places = {(variable.name, variable.block): i for i, variable in enumerate(self.old)}
        for j, variable in enumerate(self.new):
            i = places.get((variable.name, self.blocks.get(variable.block, -2)))
            if i is not None and self.old[i].is_parameter == variable.is_parameter and not self._is_replaced(i, j):
                self.pairs[j] = i

    def _is_replaced(self, i: int, j: int) -> bool:
        if self._are_woven(i, j):
            return False
        others = [k for k in range(len(self.new)) if k != j and self._are_woven(i, k)]
        return any(self._joined(i, k) >= self._joined(i, j) for k in others)

    def renamed_in_place(self) -> None:
        lost, free = self._left()
        woven = [(self._joined(i, j), -i, j) for i in lost for j in free if self._are_woven(i, j)]
        for joined, i, j in sorted(woven, reverse=True):
            if self.old[-i].name == self.new[j].name or joined > 1 or self._is_used_once(-i, j):
                self._pair(-i, j)

    def _is_used_once(self, i: int, j: int) -> bool:
        return 1 in (self.old_uses[_encode(self.old[i].name)], self.new_uses[_encode(self.new[j].name)])

    def same_name(self) -> None:
        """The only ones of their name that are left."""
        lost, free = self._left()
        for j in free:
            ours = [i for i in lost if self.old[i].name == self.new[j].name]
            theirs = [k for k in free if self.new[k].name == self.new[j].name]
            if len(ours) == len(theirs) == 1:
                self._pair(ours[0], j)

    def renamed(self) -> None:
        """Those most of whose uses stand in the places of the old ones, and the same parameters of a signature."""
        lost, free = self._left()
        scored = []
        for i in lost:
            for j in free:
                share, is_placed = self._share(i, j), self._are_placed(i, j)
                if self.old[i].is_parameter == self.new[j].is_parameter and (share > _MOST or (is_placed and share)):
                    scored.append((share + is_placed, -abs(i - j), i, j))
        for _, _, i, j in sorted(scored, reverse=True):
            self._pair(i, j)

    def _pair(self, i: int, j: int) -> None:
        if j not in self.pairs and i not in self.pairs.values():
            self.pairs[j] = i

    def _joined(self, i: int, j: int) -> int:
        """How many mentions of the one stand where the other's stood."""
        return self.joined[_encode(self.old[i].name), _encode(self.new[j].name)]

    def _share(self, i: int, j: int) -> float:
        fewest = min(self.old_uses[_encode(self.old[i].name)], self.new_uses[_encode(self.new[j].name)])
        return self._joined(i, j) / max(1, fewest)

    def _left(self) -> tuple[list[int], list[int]]:
        lost = set(range(len(self.old))).difference(self.pairs.values())
        return sorted(lost), [j for j in range(len(self.new)) if j not in self.pairs]

    def _are_woven(self, i: int, j: int) -> bool:
        at_old, at_new = self.old_at.get(self.old[i].name_at), self.new_at.get(self.new[j].name_at)
        if at_old is None or at_new is None:
            return False
        return self.weave.same.get(at_old) == at_new or self.weave.swapped.get(at_old) == at_new

    def _are_placed(self, i: int, j: int) -> bool:
        """Whether both are the same parameter of signatures that are alike."""
        old, new = self.old[i], self.new[j]
        return old.is_parameter and old.position == new.position and old.signature.type == new.signature.type


def _encode(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def variable_changes(old: Variable, new: Variable) -> list[str]:
    """A history of a variable is that of its declaration."""
    before, after = old.signature, new.signature
    changes = [RENAME] if old.name != new.name else []
    changes += ["type change"] if before.type != after.type else []
    changes += ["modifier change"] if before.modifiers != after.modifiers else []
    return changes + (["annotation change"] if old.annotations != new.annotations else [])
