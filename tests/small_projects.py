"""A small project in several languages: types with methods, and functions, each unlike the rest."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

_VERBS = "load save check merge count split trace build".split()
_NOUNS = "orders users prices routes labels tokens frames limits".split()
_N_FILES, _N_METHODS, _N_FUNCTIONS = 6, 5, 3


class Templates(NamedTuple):
    """How a language writes them; `S` is a statement for each line of the body."""

    extension: str
    head: str
    type_open: str
    type_close: str
    method: str
    function: str | None
    statement: str
    indent: str = "    "


_CURLY = "{\n    S\n}\n"
PROJECTS = {
    "python": Templates(
        "py", "import os\n\n\n", "class {name}:\n", "", "def {f}(self, a, b):\n    S\n", "def {f}(a, b):\n    S\n",
        "{x} = {g}(a, {y}, {n})",
    ),
    "java": Templates(
        "java", "package shop;\n\n", "class {name} {\n", "}\n", f"int {{f}}(int a, String b) {_CURLY}", None,
        "var {x} = {g}(a, {y}, {n});",
    ),
    "go": Templates(
        "go", "package shop\n\n", "type {name} struct {\n    size int\n}\n", "",
        f"func (r *{{name}}) {{f}}(a int, b string) {_CURLY}",
        f"func {{f}}(a int, b string) {_CURLY}", "{x} := {g}(a, {y}, {n})",
    ),
    "rust": Templates(
        "rs", "use std::fmt;\n\n", "pub struct {name};\n\nimpl {name} {\n", "}\n",
        f"fn {{f}}(&self, a: u32, b: &str) {_CURLY}",
        f"fn {{f}}(a: u32, b: &str) {_CURLY}", "let {x} = {g}(a, {y}, {n});",
    ),
    "c": Templates(
        "c", "#include <stdio.h>\n\n", "", "", "", f"int {{f}}(int a, char *b) {_CURLY}", "int {x} = {g}(a, {y}, {n});",
    ),
    "kotlin": Templates(
        "kt", "package shop\n\n", "class {name} {\n", "}\n", f"fun {{f}}(a: Int, b: String) {_CURLY}",
        f"fun {{f}}(a: Int, b: String) {_CURLY}", "val {x} = {g}(a, {y}, {n})",
    ),
}  # fmt: skip


def write_project(language: str) -> dict[str, str]:
    """The same for the same language, always."""
    random, templates = Random(7), PROJECTS[language]  # noqa: S311  nothing secret
    names = [f"{verb}_{noun}" for noun in _NOUNS for verb in _VERBS]
    random.shuffle(names)
    return {f"part{n}.{templates.extension}": _write_file(templates, n, names, random) for n in range(_N_FILES)}


def _write_file(templates: Templates, number: int, names: list[str], random: Random) -> str:
    name = f"{_NOUNS[number].capitalize()}Part"
    text = templates.head
    if templates.method:
        methods = [_write(templates, templates.method, name, names, random) for _ in range(_N_METHODS)]
        is_inside = bool(templates.type_close) or templates.extension == "py"
        indented = [
            "\n".join(f"{templates.indent}{line}" if line else "" for line in one.split("\n")) for one in methods
        ]
        joined = "\n".join(one.rstrip(" ") for one in (indented if is_inside else methods))
        text += (
            templates.type_open.replace("{name}", name)
            + ("" if is_inside else "\n")
            + joined
            + templates.type_close
            + "\n"
        )
    if templates.function:
        text += "\n".join(_write(templates, templates.function, name, names, random) for _ in range(_N_FUNCTIONS))
    return text.rstrip("\n") + "\n"


def _write(templates: Templates, template: str, type_: str, names: list[str], random: Random) -> str:
    name = names.pop()
    lines = [_statement(templates.statement, name, random) for _ in range(random.randrange(5, 9))]
    return (
        template.replace("{name}", type_)
        .replace("{f}", name)
        .replace("S\n", f"\n{templates.indent}".join(lines) + "\n")
    )


def _statement(template: str, name: str, random: Random) -> str:
    x, y = (f"{random.choice(_NOUNS)}_{random.randrange(100)}" for _ in range(2))
    callee = f"{random.choice(_VERBS)}_{random.choice(_NOUNS)}"
    words = {"{x}": x, "{y}": y, "{g}": callee if callee != name else "helper", "{n}": str(random.randrange(1000))}
    for key, word in words.items():
        template = template.replace(key, word)
    return template
