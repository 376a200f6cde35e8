"""Texts for users and maintainers are in plain technical English.

The tests find docstrings that are noun clauses, and phrases with a usual term. They read the docstrings, comments and
messages of the source, the templates of pages, and the documentation.
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
MODULES = sorted(SOURCE.rglob("*.py"))
DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md"))]
TEMPLATES = [*sorted(SOURCE.rglob("*.html")), ROOT / "action.yml"]

CLAUSE = re.compile(r"(What|Whether|Where|Which|Who|How|When|Of|As)\b")
PHRASES = {
    r"\bpersons?\b": "user, people",
    r"\bin so many\b": "number of",
    r"(?<!there )\bis no (call|sort|index of its own)\b": "is not a",
    r"\bat hand\b": "available, cached",
    r"\bwrite down what\b": "write notes",
    r"\bbe informed\b": "be notified",
    r"\bwhat has its code now\b": "which definition now contains its code",
    r"\bas if there were no\b": "ignore",
    r"\bcosts what changed\b": "is incremental",
    r"\bis ordinary input\b": "is indexed too",
    r"\bon this machine alone\b": "on localhost",
    r"\b(it|that) is said\b": "is reported",
    r"\bby the Model Context Protocol\b": "over MCP",
}
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`|https?://\S+", re.S | re.M)


def phrases_in(text: str) -> list[str]:
    prose = _CODE.sub("", text)
    return [
        f"{found[0]!r}: {advice}" for phrase, advice in PHRASES.items() for found in re.finditer(phrase, prose, re.I)
    ]


def texts_of(source: str, tree: ast.AST) -> Iterator[str]:
    """Yield comments, and the strings with a space in them: docstrings and messages."""
    yield from (token.string for token in _tokens(source) if token.type == tokenize.COMMENT)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(source).readline)


def clauses_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node) or ""
            if CLAUSE.match(text):
                yield f"{getattr(node, 'name', 'the module')}: {text.splitlines()[0]}"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_a_module_is_written_plainly(module: Path) -> None:
    source = module.read_text("utf-8")
    tree = ast.parse(source)
    is_exempt = module.is_relative_to(SOURCE / "graph")  # this room is being rewritten
    assert is_exempt or list(clauses_in(tree)) == []
    assert [phrase for text in texts_of(source, tree) for phrase in phrases_in(text)] == []


@pytest.mark.parametrize("document", [*DOCUMENTS, *TEMPLATES], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_is_written_plainly(document: Path) -> None:
    assert phrases_in(document.read_text("utf-8")) == []
