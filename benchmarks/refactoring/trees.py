"""Sources as nested pieces: lines, and definitions that are made of lines and of other definitions.

Every definition has a number that it keeps however it is edited, moved or renamed; so the place of each is known when
the tree is written, whatever was done to it. Derivations are noted by the edits that make them.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from refactoring.dialects import FUNCTION, GROUP, Dialect

_INDENT = re.compile(r"[ \t]*")


@dataclass(eq=False)
class Definition:
    """Whole lines of a source. `name_at` is the part that has its name; `inner` the lines of a function's body."""

    number: int
    kind: str
    name: str
    parts: list[str | Definition]
    name_at: int
    inner: tuple[int, int] = (0, 0)
    head: str = ""  # of a function, up to its body, on one line
    cuts: list[int] = field(default_factory=list)  # where its statements begin, among the lines of its body
    open_at: int = 0  # of a type: the part after which its members begin

    @property
    def functions(self) -> list[Definition]:
        return [part for part in self.parts if isinstance(part, Definition) and part.kind == FUNCTION]

    @property
    def members(self) -> list[Definition]:
        return [part for part in self.parts if isinstance(part, Definition)]

    @property
    def lines(self) -> list[str]:
        return [line for part in self.parts for line in (part.lines if isinstance(part, Definition) else [part])]

    @property
    def body(self) -> list[str]:
        return [part for part in self.parts[self.inner[0] : self.inner[1]] if isinstance(part, str)]

    def set_body(self, lines: list[str]) -> None:
        first, last = self.inner
        self.parts[first:last] = lines
        self.inner = first, first + len(lines)

    @property
    def indent(self) -> str:
        first = next((line for line in self.lines if line.strip()), "")
        found = _INDENT.match(first)
        return found.group() if found else ""


class Place(NamedTuple):
    """Where the name of a definition is, and which lines are its own."""

    path: str
    line: int
    name: str
    kind: str
    start: int
    end: int


class Derived(NamedTuple):
    """Code of one definition that is in another; `may_be_same` if either may be said to have become the other."""

    old: int
    new: int
    kind: str
    may_be_same: bool = False


@dataclass
class Tree:
    """Files of one language."""

    dialect: Dialect
    files: dict[str, list[str | Definition]]
    n_definitions: int = 0
    touched: set[int] = field(default_factory=set)
    derived: set[Derived] = field(default_factory=set)

    def copy(self) -> Tree:
        return Tree(self.dialect, copy.deepcopy(self.files), self.n_definitions, set(self.touched), set(self.derived))

    def number(self) -> int:
        self.n_definitions += 1
        return self.n_definitions

    def walk(self) -> Iterator[tuple[str, list[str | Definition], Definition]]:
        """Definitions, each with its file and the list that it is in."""
        for path in list(self.files):
            yield from ((path, siblings, definition) for siblings, definition in _walk(self.files[path]))

    def definitions(self, *kinds: str) -> list[Definition]:
        return [found for _, _, found in self.walk() if not kinds or found.kind in kinds]

    def where(self, definition: Definition) -> tuple[str, list[str | Definition]]:
        return next((path, siblings) for path, siblings, found in self.walk() if found is definition)

    def text(self, path: str) -> str:
        return "".join(_lines(self.files[path]))

    def texts(self) -> dict[str, str]:
        return {path: self.text(path) for path in self.files}

    def places(self) -> dict[int, Place]:
        return {number: place for path, parts in self.files.items() for number, place in _places(path, parts, 1)}

    def replace_word(self, old: str, new: str) -> None:
        """In all files, code and comments alike; definitions of that name have the new one."""
        word = re.compile(rf"(?<![\w$]){re.escape(old)}(?![\w$])")
        for parts in self.files.values():
            _replace(parts, word, new)
        for definition in self.definitions():
            definition.head = word.sub(new, definition.head)
            if definition.name == old:
                definition.name = new


def indented(lines: list[str], old: str, new: str) -> list[str]:
    """With another indentation of the whole."""
    return [new + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines]


def reindent(definition: Definition, new: str) -> None:
    _reindent(definition, definition.indent, new)


def _reindent(definition: Definition, old: str, new: str) -> None:
    for at, part in enumerate(definition.parts):
        if isinstance(part, Definition):
            _reindent(part, old, new)
        else:
            definition.parts[at] = indented([part], old, new)[0]


def _walk(parts: list[str | Definition]) -> Iterator[tuple[list[str | Definition], Definition]]:
    for part in list(parts):
        if isinstance(part, Definition):
            yield parts, part
            yield from _walk(part.parts)


def _lines(parts: list[str | Definition]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Definition):
            yield from _lines(part.parts)
        else:
            yield part


def _places(path: str, parts: list[str | Definition], line: int) -> Iterator[tuple[int, Place]]:
    for part in parts:
        if isinstance(part, Definition):
            above = sum(_height(piece) for piece in part.parts[: part.name_at])
            end = line + _height(part) - 1
            if part.kind != GROUP:
                yield part.number, Place(path, line + above, part.name, part.kind, line, end)
            yield from _places(path, part.parts, line)
        line += _height(part)


def _height(part: str | Definition) -> int:
    return part.count("\n") if isinstance(part, str) else sum(_height(piece) for piece in part.parts)


def _replace(parts: list[str | Definition], word: re.Pattern[str], new: str) -> None:
    for at, part in enumerate(parts):
        if isinstance(part, Definition):
            _replace(part.parts, word, new)
        else:
            parts[at] = word.sub(new, part)
