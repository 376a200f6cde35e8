"""A language is data: the program names none, so that adding one adds a folder and changes no code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import birthmark
from birthmark.languages.registry import load_registry

PROGRAM = Path(birthmark.__file__).parent
# Words that mean something else here.
OTHER_MEANINGS = {
    "html": "how a feed calls escaped markup",
    "markdown": "a format of reports",
    "postgres": "the database, and the extra that installs its driver",
    "node": "a node of a file's semantic graph",
}


def language_names() -> set[str]:
    """Names and families; of aliases only those of three letters and more, as `rb` is also how files are opened."""
    registry = load_registry(())
    aliases = {alias for spec in registry.languages.values() for alias in (*spec.aliases, *spec.interpreters)}
    names = {name for spec in registry.languages.values() for name in (spec.name, spec.family)}
    return names | {alias for alias in aliases if len(alias) > 2}


def constants(tree: ast.AST) -> Iterator[ast.Constant]:
    """The strings of a module that are not docstrings."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node


def test_no_language_is_named_in_the_program() -> None:
    names = language_names() - OTHER_MEANINGS.keys()
    found = [
        f"{path.relative_to(PROGRAM)}:{constant.lineno} {constant.value!r}"
        for path in sorted(PROGRAM.rglob("*.py"))
        if PROGRAM / "languages" not in path.parents
        for constant in constants(ast.parse(path.read_text("utf-8")))
        if constant.value in names
    ]
    assert found == [], "state the fact in language.toml, and read it from there"


def test_every_other_meaning_is_needed() -> None:
    assert OTHER_MEANINGS.keys() <= language_names()
