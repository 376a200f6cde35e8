"""Source as HTML: a piece for each line, escaped, with a class for what is a keyword, a string, a comment and so on.

A language that Pygments does not know stays plain, and so does a text with very long lines.
"""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound

from birthmark.languages.registry import load_registry
from birthmark.surfaces.text import visible

_LONGEST_LINE = 5_000  # characters; what is longer was written by a program, and is shown in part
_KEPT = 256  # texts

# The class of what is highlighted, by the most general token it is; the first that fits. All else is plain.
_CLASSES = (
    (Token.Comment, "hl-comment"),
    (Token.Literal.String.Doc, "hl-comment"),
    (Token.Literal.String, "hl-string"),
    (Token.Literal.Number, "hl-number"),
    (Token.Keyword, "hl-keyword"),
    (Token.Operator.Word, "hl-keyword"),
    (Token.Name.Function, "hl-name"),
    (Token.Name.Class, "hl-name"),
    (Token.Name.Tag, "hl-name"),
    (Token.Name.Decorator, "hl-decorator"),
    (Token.Name.Attribute, "hl-decorator"),
)


@lru_cache(_KEPT)
def highlight(source: str, language: str | None) -> tuple[Markup, ...]:
    """One piece for each line of the text."""
    lines = split_lines(source)
    lexer = _lexer_of(language)
    if lexer is None or any(len(line) > _LONGEST_LINE for line in lines):
        return tuple(escape(visible(line[:_LONGEST_LINE])) for line in lines)
    return _highlight_lines(lexer, "\n".join(lines))


def split_lines(source: str) -> list[str]:
    """By line feeds alone, as lines are counted everywhere; what follows the last one is a line if it is not empty."""
    lines = [line.removesuffix("\r") for line in source.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _highlight_lines(lexer: Lexer, source: str) -> tuple[Markup, ...]:
    lines: list[list[str]] = [[]]
    for _, kind, text in lexer.get_tokens_unprocessed(source):
        css = _class_of(kind)
        for number, piece in enumerate(text.split("\n")):
            if number:
                lines.append([])
            if piece:
                lines[-1].append(_span(css, piece))
    return tuple(Markup("".join(line)) for line in lines)  # noqa: S704 - each piece is escaped


def _span(css: str, text: str) -> str:
    shown = str(escape(visible(text)))
    return f'<span class="{css}">{shown}</span>' if css else shown


@lru_cache(None)
def _class_of(kind: _TokenType) -> str:
    return next((css for general, css in _CLASSES if general in kind.split()), "")


@lru_cache(None)
def _lexer_of(language: str | None) -> Lexer | None:
    """By the name of the language, or one of its other names."""
    spec = load_registry().named(language) if language else None
    for name in (spec.name, *spec.aliases) if spec is not None else ():
        try:
            return get_lexer_by_name(name)
        except ClassNotFound:
            continue
    return None
