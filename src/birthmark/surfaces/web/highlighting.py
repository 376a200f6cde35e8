"""Source as HTML: a piece for each line, escaped, with a class for what is a keyword, a string, a comment and so on.

A file with segments has lines of several languages. What is in a language that Pygments does not know, or has very long
lines, stays plain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from markupsafe import Markup, escape
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token, _TokenType
from pygments.util import ClassNotFound

from birthmark.app.answers.listing import find_language
from birthmark.words import visible

_LONGEST_LINE = 5_000  # characters; what is longer was written by a program, and is shown in part
_KEPT = 256  # texts, and languages

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
    (Token.Generic.Heading, "hl-name"),
    (Token.Generic.Subheading, "hl-name"),
)


# The first and the last of the lines of a text that are in another language, counted from 1, and that language.
SegmentLines = tuple[int, int, str | None]


@lru_cache(_KEPT)
def highlight(source: str, language: str | None, segments: tuple[SegmentLines, ...] = ()) -> tuple[Markup, ...]:
    """One piece for each line of the text; what a language is in is read as if its segments were empty lines."""
    lines = split_lines(source)
    outside = lines.copy()
    for first, last, _ in segments:
        outside[first - 1 : last] = [""] * len(lines[first - 1 : last])
    pieces = _highlight_lines(outside, language)
    for first, last, inner in segments:
        pieces[first - 1 : last] = _highlight_lines(lines[first - 1 : last], inner)
    return tuple(pieces)


def line_rows(lines: Sequence[Markup], first: int = 1, gutter: Mapping[int, Markup] | None = None) -> Markup:
    """Rows of a table, made here because there are a thousand of them; with `gutter` they have one more column."""
    rows = []
    for number, line in enumerate(lines, first):
        beside = "" if gutter is None else f'<td class="users">{gutter.get(number, "")}</td>'
        rows.append(
            f'<tr id="L{number}"><td class="number" data-line="{number}"></td>{beside}<td><code>{line}</code></td></tr>'
        )
    return Markup("\n".join(rows))  # noqa: S704 - lines and what is beside them are markup


def split_lines(source: str) -> list[str]:
    """By line feeds alone, as lines are counted everywhere; what follows the last one is a line if it is not empty."""
    lines = [line.removesuffix("\r") for line in source.split("\n")]
    return lines[:-1] if lines[-1] == "" else lines


def _highlight_lines(lines: list[str], language: str | None) -> list[Markup]:
    lexer = _lexer_of(language)
    if lexer is None or any(len(line) > _LONGEST_LINE for line in lines):
        return [_plain(line) for line in lines]
    pieces: list[list[str]] = [[]]
    for _, kind, text in lexer.get_tokens_unprocessed("\n".join([*lines, ""])):
        css = _class_of(kind)
        for number, piece in enumerate(text.split("\n")):
            if number:
                pieces.append([])
            if piece:
                pieces[-1].append(_span(css, piece))
    return [Markup("".join(line)) for line in pieces[: len(lines)]]  # noqa: S704 - each piece is escaped


def _plain(line: str) -> Markup:
    shown, n_more = escape(visible(line[:_LONGEST_LINE])), len(line) - _LONGEST_LINE
    return shown if n_more <= 0 else Markup('{}<span class="cut"> … {:,} more characters</span>').format(shown, n_more)


def _span(css: str, text: str) -> str:
    shown = str(escape(visible(text)))
    return f'<span class="{css}">{shown}</span>' if css else shown


@lru_cache(None)
def _class_of(kind: _TokenType) -> str:
    return next((css for general, css in _CLASSES if general in kind.split()), "")


@lru_cache(_KEPT)
def _lexer_of(language: str | None) -> Lexer | None:
    """By the name of the language, one of its other names, or that of its grammar; also of languages not our own."""
    spec = find_language(language) if language else None
    names = (language or "",) if spec is None else (spec.name, *spec.aliases, spec.grammar.rpartition("_")[2])
    for name in names:
        try:
            return get_lexer_by_name(name)
        except ClassNotFound:
            continue
    return None
