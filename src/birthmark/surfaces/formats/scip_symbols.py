"""Symbols and positions of SCIP.

A symbol is the scheme, an empty package and a descriptor for each folder, for the file, for each definition around it
and for itself; no two definitions of a file have the same. A position is that of a used name: the index knows the line
at which an expression starts; the name may be further right, or on a later line. Where it is not found, the position
is the line itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from birthmark.model import Entity

_MOST_LINES = 20  # of an expression that are searched
_WORD = rb"(?<![\w$]){}(?![\w$])"


class Position(NamedTuple):
    """Lines and bytes in them, from 0; the end is exclusive."""

    line: int
    start: int
    end_line: int
    end: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the range in SCIP's form, which has three numbers if it is on one line."""
        return (self.line, self.start, self.end) if self.line == self.end_line else self


class SourceLines:
    """A source, by its lines."""

    def __init__(self, source: bytes) -> None:
        self.lines = source.split(b"\n")
        self._starts = [0]
        for line in self.lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._taken: set[Position] = set()

    def span(self, start: int, end: int) -> Position:
        """Return the range of a byte span, cut at the end of the source."""
        return Position(*self._point(start), *self._point(max(start, end)))

    def _point(self, offset: int) -> tuple[int, int]:
        offset = min(offset, self._starts[-1] - 1)
        line = bisect_right(self._starts, offset) - 1
        return line, offset - self._starts[line]

    def offsets(self, position: Position) -> tuple[int, int]:
        """The bytes of the source that are there."""
        return self._starts[position.line] + position.start, self._starts[position.end_line] + position.end

    def find(self, line: int, *groups: Sequence[str]) -> Position:
        """Return the first place of one of the names at a line or after it; the first group of names is tried first.

        A place is given once; where a name has no other one, its first place is given again.
        """
        first = line - 1
        following = range(first, min(first + _MOST_LINES, len(self.lines)))
        for names in groups:
            patterns = [_pattern(name) for name in names if name]
            for lines in (following[:1], following[1:]):
                found = [place for pattern in patterns for at in lines for place in self._places(pattern, at)]
                if found:
                    chosen = next((place for place in found if place not in self._taken), found[0])
                    self._taken.add(chosen)
                    return chosen
        return self._whole(first)

    def _places(self, pattern: re.Pattern[bytes], line: int) -> Iterator[Position]:
        for match in pattern.finditer(self.lines[line]):
            yield Position(line, match.start(), line, match.end())

    def _whole(self, line: int) -> Position:
        """A line without the space around its text."""
        if not 0 <= line < len(self.lines):
            return Position(max(line, 0), 0, max(line, 0), 0)
        text = self.lines[line]
        start = len(text) - len(text.lstrip())
        return Position(line, start, line, max(start, len(text.rstrip())))

    def indent(self, line: int) -> int:
        return self._whole(line - 1).start


_PREFIX = "birthmark . . . "  # scheme, and no manager, name and version of a package
_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_TYPE, _TERM, _NAMESPACE, _METHOD, _MACRO = "#", ".", "/", "().", "!"

# The kinds of definitions in other programs: the suffix of a symbol of SCIP, its number there, and its name in LSP.
KINDS = {
    "mod": (_NAMESPACE, 29, "Module"),
    "namespace": (_NAMESPACE, 30, "Namespace"),
    "class": (_TYPE, 7, "Class"),
    "interface": (_TYPE, 21, "Interface"),
    "struct": (_TYPE, 49, "Struct"),
    "enum": (_TYPE, 11, "Enum"),
    "trait": (_TYPE, 53, "Interface"),
    "impl": (_TYPE, 33, "Class"),
    "fn": (_METHOD, 17, "Function"),
    "method": (_METHOD, 26, "Method"),
    "constructor": (_METHOD, 9, "Constructor"),
    "field": (_TERM, 15, "Field"),
    "const": (_TERM, 8, "Constant"),
    "var": (_TERM, 61, "Variable"),
    "typedef": (_TYPE, 55, "TypeParameter"),
    "macro": (_MACRO, 25, "Function"),
    "member": (_TERM, 12, "EnumMember"),
    "table": (_TYPE, 54, "Struct"),
    "view": (_TYPE, 54, "Struct"),
}


@lru_cache(1 << 12)
def _pattern(name: str) -> re.Pattern[bytes]:
    return re.compile(_WORD.replace(b"{}", re.escape(name.encode("utf-8", "replace"))))


def file_symbol(path: str) -> str:
    return _PREFIX + "".join(_identifier(part) + _NAMESPACE for part in path.split("/"))


def symbols_of(path: str, entities: Sequence[Entity]) -> list[str]:
    """Return the symbols of a file. Repeated names are numbered, except for the first."""
    symbols: list[str] = []
    taken: set[str] = set()
    for entity in entities:
        outer = symbols[entity.container] if 0 <= entity.container < len(symbols) else file_symbol(path)
        symbol = outer + "".join(_identifier(name) + _TYPE for name in _missing(entity, entities))
        symbol += _identifier(entity.name) + KINDS[entity.kind][0]
        number = 0
        numbered = symbol
        while numbered in taken:
            number += 1
            numbered = _numbered(symbol, number)
        taken.add(numbered)
        symbols.append(numbered)
    return symbols


def _missing(entity: Entity, entities: Sequence[Entity]) -> list[str]:
    """Containers that are named, but are not around it in the file, as in `void Shop::open()`."""
    around = entities[entity.container].qualified_name if entity.container >= 0 else ""
    parent = entity.parent or ""
    if around and not f"{parent}.".startswith(f"{around}."):
        return []
    return [name for name in parent[len(around) :].split(".") if name]


def _numbered(symbol: str, number: int) -> str:
    """A method has a place for that; what else has a name twice gets a descriptor more."""
    if symbol.endswith(_METHOD):
        return f"{symbol.removesuffix(_METHOD)}(+{number})."
    return f"{symbol}+{number}:"


def _identifier(name: str) -> str:
    """Return the name, between backticks if necessary."""
    if _SIMPLE.fullmatch(name):
        return name
    return f"`{name.replace('`', '``') or ' '}`"
