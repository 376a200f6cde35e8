"""How many tokens a language model's tokenizer makes of a text, about.

Tokenizers cut a text into words, numbers, runs of marks and blanks, and then into what their vocabulary has; words of
code are mostly in it. The weights were fitted to `o200k_base` over 22 languages of 51 repositories, and checked on
repositories that were left out of the fit (`benchmarks/tokens.py`, docs/how-to/give-context-to-a-model.md).
"""

from __future__ import annotations

import re
from math import ceil
from typing import NamedTuple

# A word ends where a capital begins the next one, as in `camelCase` and `HTTPServer`.
_PIECES = re.compile(
    r"([A-Z]?[a-z]+|[A-Z]+(?![a-z]))|([0-9]{1,3})|([!-/:-@\[-`{-~]+)|\s*[\r\n]+|[ \t\f\v]{2,}|([^\x00-\x7f]+)"
)
_COMMON_LENGTH = 7  # characters of a word up to which it is likely one token
_SHORT_RUN, _LONGEST_RUN = 3, 23  # marks in a row


class PieceCounts(NamedTuple):
    """How many pieces of each sort a text has, or what each weighs."""

    words: float = 0
    further_characters: float = 0  # of words, beyond the common length
    capitals: float = 0  # words in capitals
    digits: float = 0  # up to three in a row
    single_marks: float = 0
    runs_of_marks: float = 0
    further_marks: float = 0  # of long runs
    blanks: float = 0  # ends of lines, and several spaces in a row; a single one is part of what follows
    foreign: float = 0  # runs outside of ASCII
    foreign_bytes: float = 0


WEIGHTS = PieceCounts(1.01, 0.158, 1.09, 1.66, 0.5, 0.92, 0.33, 0.82, 1.11, 0.161)


def estimate_tokens(text: str) -> int:
    return ceil(token_weight(text))


def token_weight(text: str) -> float:
    """Before it is rounded. That of texts which end with a line, and do not begin with a blank, adds up."""
    return sum(weight * number for weight, number in zip(WEIGHTS, count_pieces(text), strict=True))


def count_pieces(text: str) -> PieceCounts:
    found = _PIECES.findall(text)
    words = [word for word, *_ in found if word]
    capitals = sum(len(word) > 1 and word.isupper() for word in words)
    long_words = [len(word) - _COMMON_LENGTH for word in words if len(word) > _COMMON_LENGTH and not word.isupper()]
    marks = [min(len(run), _LONGEST_RUN) for _, _, run, _ in found if run]
    foreign = [run for *_, run in found if run]
    n_digits = sum(bool(digits) for _, digits, _, _ in found)
    n_single = marks.count(1)
    return PieceCounts(
        len(words) - capitals,
        sum(long_words),
        capitals,
        n_digits,
        n_single,
        len(marks) - n_single,
        sum(max(length - _SHORT_RUN, 0) for length in marks),
        len(found) - len(words) - n_digits - len(marks) - len(foreign),
        len(foreign),
        sum(len(run.encode("utf-8", "replace")) for run in foreign),
    )
