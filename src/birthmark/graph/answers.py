"""Answers that are kept, each with the answers and lookups in the snapshot that it was made from.

Where a chain of answers leads back to one that is still being made, or is cut off because it is too long, what was
found on the way depends on where the chain began: such answers are kept only until that one is made. So an answer does
not depend on earlier questions, except for answers that need each other, of which any may be the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import xxhash

_Value = TypeVar("_Value")
Known = dict[Any, "Answer"]

_MADE = -1  # the position of an answer that is not being made
_FIRST = -1  # before all positions
_NONE = 1 << 30  # behind all positions
_PARTS = re.compile(r"\w+")


class Answer:
    """A value with the lookups and answers it was made from."""

    __slots__ = ("is_cut", "leans_on", "made_from", "position", "value")

    def __init__(self, value: object, position: int) -> None:
        self.value: Any = value
        self.made_from: tuple[str | Answer, ...] = ()
        self.position = position
        self.leans_on = _NONE  # the position of the first answer that was used before it was made
        self.is_cut = False  # whether a chain was cut off


class Answers:
    """Makes answers, and knows what is read meanwhile."""

    def __init__(self) -> None:
        self.made_from: set[str | Answer] = set()  # of the answer that is being made
        self.making: list[Answer] = []
        self.passing: list[tuple[int, Known, Hashable]] = []  # what is kept only until an answer is made

    def read(self, lookup: str) -> None:
        """Note that something was looked up in the snapshot."""
        self.made_from.add(lookup)

    def reaches(self, depth: int) -> bool:
        """Return True if a chain may go on; if not, answers on the way depend on where it began."""
        if depth <= 0 and self.making:
            self.making[-1].is_cut = True
        return depth > 0

    def once(self, known: Known, key: Hashable, make: Callable[..., _Value], *arguments: object) -> _Value | None:
        """Return what is known under a key, or is made now; None if it is being made, further out."""
        answer = known.get(key)
        if answer is None:
            answer = self._make(known, key, make, arguments)
        if self.making:
            last = self.making[-1]
            leans_on = answer.leans_on if answer.position == _MADE else answer.position
            if leans_on < last.leans_on:
                last.leans_on = leans_on
            if answer.is_cut:
                last.is_cut = True
        self.made_from.add(answer)
        return answer.value  # type: ignore[no-any-return]

    def bounded(self, known: Known, key: Hashable, make: Callable[..., _Value], *arguments: object) -> _Value | None:
        """The same, where chains are cut off at a length of their own, wherever they began."""
        is_cut = self.making[-1].is_cut if self.making else False
        value = self.once(known, key, make, *arguments)
        if self.making:
            self.making[-1].is_cut = is_cut
        return value

    def _make(self, known: Known, key: Hashable, make: Callable[..., _Value], arguments: tuple[object, ...]) -> Answer:
        position = len(self.making)
        answer = known[key] = Answer(None, position)
        self.making.append(answer)
        outer, self.made_from = self.made_from, set()
        try:
            answer.value = make(*arguments)
        except BaseException:
            del known[key]
            raise
        finally:
            self.making.pop()
            answer.made_from, self.made_from = tuple(self.made_from), outer
            answer.position = _MADE
        self._drop_passing(position)
        if answer.leans_on == position:  # It was used for itself: those in the same circle would find something else.
            answer = self._keep_for_others(answer, known, key)
        elif answer.leans_on != _NONE or answer.is_cut:
            self.passing.append((min(answer.leans_on, _FIRST if answer.is_cut else _NONE), known, key))
        if not position:
            self._drop_passing(_FIRST)
        return answer

    def _keep_for_others(self, answer: Answer, known: Known, key: Hashable) -> Answer:
        """Those that find it later depend on who asked first; the one that asked for it does not."""
        self.passing.append((_FIRST, known, key))
        answer.leans_on = _FIRST
        own = Answer(answer.value, _MADE)
        own.made_from, own.is_cut = answer.made_from, answer.is_cut
        return own

    def _drop_passing(self, position: int) -> None:
        """Forget what was found while the answer at a position was unfinished."""
        if not self.passing:
            return
        for leans_on, known, key in self.passing:
            if leans_on >= position:
                known.pop(key, None)
        self.passing = [one for one in self.passing if one[0] < position]


def lookups_of(made_from: Iterable[str | Answer]) -> set[str]:
    """All that was looked up for some answers, and for those they were made from."""
    found: set[str] = set()
    seen: set[Answer] = set()
    stack = [made_from]
    while stack:
        for one in stack.pop():
            if isinstance(one, str):
                found.add(one)
            elif one not in seen:
                seen.add(one)
                stack.append(one.made_from)
    return found


def parts_of(written: str) -> list[str]:
    """The names in a path, or in the name of a module."""
    return _PARTS.findall(written)


def name_lookup(name: str) -> str:
    return f"name:{name}"


def base_lookup(name: str) -> str:
    return f"base:{name}"


def argument_lookup(alias: str) -> str:
    return f"argument:{alias}"


def module_lookup(part: str) -> str:
    return f"module:{part}"


def file_lookup(path: str) -> str:
    return f"file:{path}"


def parameters_lookup(path: str, function: str) -> str:
    return f"parameters:{path}:{function}"


def inner_lookup(path: str, function: str) -> str:
    """Return the lookup of the names inside of a function and of its result."""
    return f"inner:{path}:{function}"


def around_lookup(folder: str) -> str:
    """The files in a folder that say what it is: a package, a crate, the place of installed packages."""
    return f"around:{folder}"


def lookups_around(path: str) -> list[str]:
    """Return the lookups that the place of a file depends on: its folder, and all folders above."""
    folders = path.split("/")[:-1]
    return [around_lookup("/".join(folders[:length])) for length in range(len(folders) + 1)]


def number_of(lookup: str) -> int:
    """A short form, in which two lookups are rarely the same; then a file is resolved once too often."""
    return xxhash.xxh32_intdigest(lookup.encode())


def place_of(lookup: str) -> tuple[str, str] | None:
    """The file and the function in which something was looked up, "" for all else in the file; None for no one file."""
    kind, _, rest = lookup.partition(":")
    if kind == "file":
        return rest, ""
    path, _, function = rest.rpartition(":")
    return (path, function) if kind in ("inner", "parameters") else None
