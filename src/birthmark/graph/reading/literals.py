"""Which places of a source are code, and which are in comments and strings, without a parser.

Takes a text and the LexicalRules of its language. Only as much is read as is needed: from the last place that is known
to be code up to the one that is asked for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from birthmark.languages.rules import LexicalRules

_REGEX = r"(?<=[=(,:;!&|?{}\[])[ \t]*/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/"


_NO_BREAK = re.compile(r"[^\n]")


def code_only(text: str, rules: LexicalRules, known_code: Sequence[int] = ()) -> str:
    """The text with spaces for comments and strings, but for the code in them.

    `known_code` are places that are in no comment and no string, in ascending order; none goes beyond one of them.
    """
    literals, code_in_strings = _patterns(rules)

    def blank(literal: re.Match[str]) -> str:
        found = _NO_BREAK.sub(" ", literal[0]) if "\n" in literal[0] else " " * len(literal[0])
        for hole in code_in_strings.finditer(literal[0]) if literal["code"] is not None else ():
            start, end = hole.span(hole.lastindex or 0)
            found = f"{found[:start]}{literal[0][start:end]}{found[end:]}"
        return found

    cuts = [0, *(place for place in known_code if place), len(text)]
    return "".join(literals.sub(blank, text[start:end]) for start, end in pairwise(cuts))


class CodeFinder:
    """Answers for one text; places are asked for in ascending order."""

    def __init__(self, text: str, rules: LexicalRules) -> None:
        self.text = text
        self.literals, self.code_in_strings = _patterns(rules)
        self.at = 0
        self.literal: re.Match[str] | None = None
        self.end, self.is_at_end = sys.maxsize, False  # no literal is left before that place

    def is_code(self, start: int, known_code: int = 0, next_code: int = sys.maxsize) -> bool:
        """`known_code` and `next_code` are places before and behind it that are in no comment and no string."""
        if known_code > self.at:
            self.at, self.literal = known_code, None
        if next_code != self.end:
            self.end, self.is_at_end = next_code, False
        while not self.is_at_end:
            if self.literal is None:
                self.literal = self.literals.search(self.text, self.at, next_code)
            if self.literal is None:
                self.is_at_end = True
            elif start < self.literal.start():
                return True
            elif start < self.literal.end():
                return self.literal["code"] is not None and self._is_in_hole(self.literal, start)
            else:
                self.at, self.literal = self.literal.end(), None
        return True

    def _is_in_hole(self, literal: re.Match[str], start: int) -> bool:
        holes = self.code_in_strings.finditer(self.text, *literal.span())
        return any(hole.start(hole.lastindex or 0) <= start < hole.end(hole.lastindex or 0) for hole in holes)


@lru_cache
def _patterns(rules: LexicalRules) -> tuple[re.Pattern[str], re.Pattern[str]]:
    with_code = rf"(?P<code>{rules.code_prefix}(?:{_strings(rules.code_quotes, rules)}))"
    opaque = [
        *(f"{re.escape(start)}[^\n]*" for start in rules.line_comments),
        *(rf"{re.escape(start)}[\s\S]*?{re.escape(end)}" for start, end in rules.block_comments),
        *([r"'(?:[^'\\\n]|\\[^\n']*)'"] if rules.has_lifetimes else []),
        *([_REGEX] if rules.has_regexes else []),
        _strings(rules.quotes, rules),
    ]
    return re.compile("|".join([with_code, *opaque])), re.compile(rules.code_in_strings)


def _strings(quotes: Sequence[str], rules: LexicalRules) -> str:
    return "|".join(_string(quote, quote in rules.long_quotes) for quote in quotes)


def _string(quote: str, is_long: bool) -> str:
    """From quote to quote, over what is escaped; one that does not end is taken for no string."""
    first, end = re.escape(quote[0]), "" if is_long else "\n"
    plain = rf"[^{first}\\{end}]*"
    inner = rf"|{first}(?!{re.escape(quote[1:])})" if len(quote) > 1 else ""
    return rf"{re.escape(quote)}{plain}(?:(?:\\[\s\S]{inner}){plain})*{re.escape(quote)}"
