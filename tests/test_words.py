"""Names, comments, docstrings and documents use the field's own words.

WORDS lists what must not come back, each with the word to use instead. In code it holds for identifiers, split at
underscores and capitals, and for comments and docstrings; in documents for prose outside of code.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "birthmark"

WORDS = {
    "told": "reported, listed",
    "tells": "reports, shows",
    "telling": "reporting",
    "heir": "successor",
    "heirs": "successors",
    "stands": "is at",
    "stood": "was at",
    "shelf": "store",
    "shelves": "stores",
    "crowd": "group",
    "crowds": "groups",
    "spot": "location",
    "spots": "locations",
    "wish": "request",
    "wishes": "requests",
    "letter": "message, character",
    "letters": "messages, characters",
    "whereabouts": "location",
    "foresight": "prefetch",
    "happening": "event",
    "happenings": "events",
    "weave": "alignment",
    "laid": "aligned",
    "nobody": "no caller, none",
    "somebody": "a user, a caller",
    "whoever": "a caller that",
    "whom": "the one that",
    "mends": "repairs",
    "furnish": "create",
}
NAMES = {"recall": "revival", "fate": "resolution", "trail": "history"}  # in identifiers alone
ALLOWED = {"docs/glossary.md": set(WORDS)}  # it may explain a word

DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
MODULES = sorted(SOURCE.rglob("*.py"))

_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.S | re.M)
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def names_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def texts_of(source: str, tree: ast.AST) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield getattr(node, "lineno", 1), ast.get_docstring(node) or ""


def found(words: list[str], listed: dict[str, str]) -> list[str]:
    return [f"{word} (better: {listed[word]})" for word in map(str.lower, words) if word in listed]


def check_module(source: str, module: str = "") -> list[str]:
    tree = ast.parse(source)
    names = [(1, module), *names_of(tree)]
    in_names = [f"{line}: {bad}" for line, name in names for bad in found(_PARTS.findall(name), WORDS | NAMES)]
    in_texts = [f"{line}: {bad}" for line, text in texts_of(source, tree) for bad in check_prose(text)]
    return in_names + in_texts


def check_prose(text: str) -> list[str]:
    return found(re.findall(r"[A-Za-z]+", _CODE.sub("", text)), WORDS)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_words_of_a_module(module: Path) -> None:
    assert check_module(module.read_text("utf-8"), module.stem) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_words_of_a_document(document: Path) -> None:
    allowed = ALLOWED.get(document.relative_to(ROOT).as_posix(), set())
    listed = check_prose(document.read_text("utf-8"))
    assert [bad for bad in listed if bad.partition(" ")[0] not in allowed] == []


@pytest.mark.parametrize(
    "source",
    [
        "toldTwice = 1",
        "class Heirs: ...",
        "def f(last_wish): ...",
        "x = 1  # It stands here.",
        '"""Nobody."""',
        "recall = 1",
    ],
)
def test_the_check_finds(source: str) -> None:
    assert len(check_module(source)) == 1


def test_code_in_prose_is_not_prose() -> None:
    assert check_module('def f():\n    """Recall of `told`."""\n') == []
