"""A formatter of its own: another indentation, calls wrapped at their commas, other blank lines. No token changes."""

from __future__ import annotations

import re

from refactoring.trees import Definition, Tree

_LONG = 60  # characters
_QUOTED = re.compile(r"[\"'`#]|//|/\*|\*/|<<")
_UNITS = {"\t": "    ", "  ": "    ", "    ": "  "}


def reformat(tree: Tree) -> None:
    for path, parts in tree.files.items():
        unit = _unit(tree.text(path))
        _format(tree, parts, unit, _UNITS.get(unit, unit))


def _format(tree: Tree, parts: list[str | Definition], unit: str, new: str) -> None:
    for at, part in enumerate(parts):
        if isinstance(part, Definition):
            _format(tree, part.parts, unit, new)
        else:
            parts[at] = _wrapped(_reindented(part, unit, new), new)


def _unit(text: str) -> str:
    """By which the lines of a file are indented."""
    indents = {
        line[: len(line) - len(line.lstrip())] for line in text.splitlines() if line[:1] in " \t" and line.strip()
    }
    plain = [indent for indent in indents if set(indent) == {"\t"} or (set(indent) == {" "} and len(indent) > 1)]
    return "\t" if "\t" in plain else min(plain, key=len, default="    ")


def _reindented(line: str, unit: str, new: str) -> str:
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    depth, rest = divmod(len(indent), len(unit))
    return new * depth + " " * rest + line[len(indent) :] if indent.startswith(unit) else line


def _wrapped(line: str, unit: str) -> str:
    """A long call is broken after the commas in its outermost brackets."""
    if len(line) < _LONG or _QUOTED.search(line) or line.count("(") != line.count(")"):
        return line
    indent, depth, out = line[: len(line) - len(line.lstrip())] + unit * 2, 0, ""
    for at, character in enumerate(line):
        depth += {"(": 1, ")": -1}.get(character, 0)
        is_break = character == "," and depth == 1 and line[at + 1 : at + 2] == " " and "<" not in line
        out += f",\n{indent}" if is_break else character if not out.endswith(indent) or character != " " else ""
    return out
