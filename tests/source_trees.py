"""Sources of which it is known, without Birthmark, where each function is.

A SourceTree is made of pieces of text, some of which are Things: functions and methods. Generated files know their
pieces, real Python is read by `ast`, and real Go, Rust and JavaScript by the rule that a function ends at the first `}`
in the first column.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from random import Random
from typing import NamedTuple

WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north otter plain quill".split()
BRACES = {
    ".go": re.compile(r"func (\w+)\(.*\{$"),
    ".rs": re.compile(r"(?:pub(?:\([a-z]+\))? )?fn (\w+).*\{$"),
    ".js": re.compile(r"function (\w+)\(.*\{$"),
}
_SMALLEST = 3  # lines of a real function that is taken


class PieceLines(NamedTuple):
    """Where a thing's piece starts in its file, and what the thing is called."""

    path: str
    name: str
    start_line: int
    n_lines: int


@dataclass
class Thing:
    """A function that was made once: who it is, whatever it is called and wherever it is."""

    uid: int
    name: str
    container: str  # its qualified name, or empty
    insert_at: int  # the line of the piece before which its body may be edited
    indent: str


@dataclass
class Piece:
    """Lines of a file; of one thing, or of none."""

    lines: list[str]
    thing: Thing | None = None


@dataclass
class SourceTree:
    """The truth: all files by path."""

    random: Random
    files: dict[str, list[Piece]] = field(default_factory=dict)
    is_generated: bool = False
    n_made: int = 0

    def number(self) -> int:
        self.n_made += 1
        return self.n_made

    def pieces(self) -> Iterator[tuple[str, int, Piece, Thing]]:
        for path in sorted(self.files):
            for index, piece in enumerate(self.files[path]):
                if piece.thing is not None:
                    yield path, index, piece, piece.thing

    def places(self) -> dict[int, PieceLines]:
        places = {}
        for path, pieces in self.files.items():
            line = 1
            for piece in pieces:
                if piece.thing is not None:
                    name = ".".join(filter(None, [piece.thing.container, piece.thing.name]))
                    places[piece.thing.uid] = PieceLines(path, name, line, len(piece.lines))
                line += len(piece.lines)
        return places

    def text(self, path: str) -> str:
        return "".join(line + "\n" for piece in self.files[path] for line in piece.lines)


# Generated sources


class Template(NamedTuple):
    """How functions are written in a language; a container holds methods."""

    extension: str
    head: str
    line: str
    tail: str = ""
    prologue: str = ""
    container: str = ""
    method: str = ""
    container_tail: str = "}"


TEMPLATES = (
    Template(
        ".py", "def {}(x):", "{} = {}({}, {})", container="class {}:", method="def {}(self, x):", container_tail=""
    ),
    Template(".js", "function {}(x) {{", "let {} = {}({}, {});", "}", "", "class {} {{", "{}(x) {{"),
    Template(".ts", "export function {}(x: number): void {{", "const {} = {}({}, {});", "}"),
    Template(".go", "func {}(x int) {{", "{} := {}({}, {})", "}", "package main"),
    Template(
        ".rs", "pub fn {}(x: u32) {{", "let {} = {}({}, {});", "}", "", "impl {} {{", "pub fn {}(&self, x: u32) {{"
    ),
    Template(".java", "", "int {} = {}({}, {});", "}", "", "class {} {{", "void {}(int x) {{"),
    Template(".rb", "def {}(x)", "{} = {}({}, {})", "end", "", "class {}", "def {}(x)", "end"),
    Template(".c", "void {}(int x) {{", "int {} = {}({}, {});", "}"),
)


def generate(random: Random, n_files: int = 4) -> SourceTree:
    """A tree in one language, whose functions call each other."""
    tree, template = SourceTree(random, is_generated=True), random.choice(TEMPLATES)
    for _ in range(n_files):
        path = f"{random.choice(WORDS)}/{random.choice(WORDS)}_{tree.number()}{template.extension}"
        tree.files[path] = _generate_file(tree, template)
    names = [thing.name for _, _, _, thing in tree.pieces()]
    for _, _, piece, thing in tree.pieces():
        call = template.line.format(f"called_{tree.number()}", random.choice(names), "x", random.randrange(100))
        piece.lines.insert(thing.insert_at + 1, thing.indent + call)
    return tree


def _generate_file(tree: SourceTree, template: Template) -> list[Piece]:
    is_container = bool(template.container) and (not template.head or tree.random.random() < 0.4)
    container = f"{tree.random.choice(WORDS).title()}{tree.number()}" if is_container else ""
    pieces = [Piece([template.prologue, ""])] if template.prologue else []
    pieces += [Piece([template.container.format(container)])] if container else []
    for _ in range(tree.random.randrange(2, 5)):
        pieces += [generate_function(tree, template, container), Piece([""])]
    return pieces + [Piece([template.container_tail])] * bool(container and template.container_tail)


def generate_function(tree: SourceTree, template: Template, container: str) -> Piece:
    choose, outer = tree.random.choice, "    " if container else ""
    name = f"{choose(WORDS)}_{choose(WORDS)}_{tree.number()}"
    head = (template.method if container else template.head).format(name)
    body = [
        template.line.format(
            f"{choose(WORDS)}_{tree.number()}",
            f"{choose(WORDS)}_{choose(WORDS)}",
            choose(WORDS),
            tree.random.randrange(10**6),
        )
        for _ in range(tree.random.randrange(1, 8))
    ]
    indent = outer + "    "
    lines = [outer + head, *(indent + line for line in body), *([outer + template.tail] if template.tail else [])]
    return Piece(lines, Thing(tree.number(), name, container, 1, indent))


# Real sources


def read_tree(random: Random, sources: dict[str, str]) -> SourceTree:
    """Functions of real files as things, as far as their names and their texts are unlike all others."""
    tree = SourceTree(random)
    for path, source in sources.items():
        tree.files[path] = _cut(tree, path, source)
    counts: dict[str, int] = {}
    for source in sources.values():
        for word in re.findall(r"(?:\bdef|\bfunction|\bfunc|\bfn|\bclass) (\w+)", source):
            counts[word] = counts.get(word, 0) + 1
    for _, _, piece, thing in tree.pieces():
        if counts.get(thing.name, 0) != 1:
            piece.thing = None
    return tree


def _cut(tree: SourceTree, path: str, source: str) -> list[Piece]:
    lines, extension = source.split("\n")[:-1], PurePosixPath(path).suffix
    found = _python_functions(source) if extension == ".py" else _brace_functions(lines, BRACES[extension])
    pieces, done = [], 0
    for one in found:
        start = _above(lines, one.start, done)
        pieces.append(Piece(lines[done:start]))
        is_taken = one.end - one.start >= _SMALLEST
        thing = Thing(tree.number(), one.name, one.container, one.insert_at - start, one.indent) if is_taken else None
        pieces.append(Piece(lines[start : one.end], thing))
        done = one.end
    return [*pieces, Piece(lines[done:])]


def _above(lines: list[str], start: int, done: int) -> int:
    """Comments and attributes directly above belong to a function."""
    while start > done and re.match(r"\s*(#|//|/\*|\*)", lines[start - 1]):
        start -= 1
    return start


class RealFunction(NamedTuple):
    """Lines from zero; `end` is the line after the last one."""

    start: int
    end: int
    name: str
    container: str
    insert_at: int
    indent: str


def _python_functions(source: str) -> Iterator[RealFunction]:
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            # The first method stays, so that no class becomes empty.
            for method in [one for one in node.body if isinstance(one, ast.FunctionDef)][1:]:
                yield from _python_function(method, node.name)
        elif isinstance(node, ast.FunctionDef):
            yield from _python_function(node, "")


def _python_function(node: ast.FunctionDef, container: str) -> Iterator[RealFunction]:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    if body and body[0].lineno > node.lineno and not getattr(body[0], "decorator_list", []):
        indent = " " * body[0].col_offset
        yield RealFunction(start, node.end_lineno or 0, node.name, container, body[0].lineno - 1, indent)


def _brace_functions(lines: list[str], head: re.Pattern[str]) -> Iterator[RealFunction]:
    start, name = -1, ""
    for number, line in enumerate(lines):
        if start < 0 and (found := head.match(line)):
            start, name = number, found[1]
        elif start >= 0 and line.startswith("}"):
            if line == "}":
                yield RealFunction(start, number + 1, name, "", start + 1, "    ")
            start = -1
