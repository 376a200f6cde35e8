"""How many tokens a language model's tokenizer makes of a text, about.

Tokenizers cut a text into words, numbers, runs of marks and blanks, and then into what their vocabulary has; words of
code are mostly in it. The weights were fitted to `o200k_base` over 22 languages of 51 repositories, and checked on
repositories that were left out of the fit (`benchmarks/tokens.py`, docs/explanation/figures.md).
"""

from __future__ import annotations

import re
from math import ceil

# A word ends where a capital begins the next one, as in `camelCase` and `HTTPServer`.
_PIECES = re.compile(
    r"([A-Z]?[a-z]+|[A-Z]+(?![a-z]))|([0-9]{1,3})|([!-/:-@\[-`{-~]+)|\s*[\r\n]+|[ \t\f\v]{2,}|([^\x00-\x7f]+)"
)
_COMMON_LENGTH = 7  # letters of a word up to which it is likely one token
_SHORT_RUN, _LONGEST_RUN = 3, 23  # marks in a row

WORD, LETTER, CAPITALS = 1.01, 0.158, 1.09  # a letter: each beyond the common length
DIGITS = 1.66  # up to three; a space before them is a token
MARK, MARKS, FURTHER_MARK = 0.5, 0.92, 0.33
BLANK = 0.82
FOREIGN, FOREIGN_BYTE = 1.11, 0.161  # a run outside of ASCII, and each byte of it


def estimate_tokens(text: str) -> int:
    return ceil(token_weight(text))


def token_weight(text: str) -> float:
    """Before it is rounded. That of texts which end with a line, and do not begin with a blank, adds up."""
    return sum(_weigh(*found) for found in _PIECES.findall(text))


def _weigh(word: str, digits: str, marks: str, foreign: str) -> float:
    if word:
        is_capital = len(word) > 1 and word.isupper()
        return CAPITALS if is_capital else WORD + LETTER * max(len(word) - _COMMON_LENGTH, 0)
    if digits:
        return DIGITS
    if marks:
        length = min(len(marks), _LONGEST_RUN)
        return MARK if length == 1 else MARKS + FURTHER_MARK * max(length - _SHORT_RUN, 0)
    if foreign:
        return FOREIGN + FOREIGN_BYTE * len(foreign.encode("utf-8", "replace"))
    return BLANK
