"""Rewritings of names: what was dropped and what was added, word by word.

A rewriting that explains many renamed entities of a commit explains another one: `mName` became `name`, so `mPlace`
became `place`; `getContainer` became `getClass`, so `containers` became `classes`.
"""

from __future__ import annotations

from functools import lru_cache

from birthmark.matching.similarity import words_of

Words = tuple[str, ...]
Rewriting = tuple[Words, Words, str]  # the words that were dropped, those that were added, the style that was dropped


@lru_cache(1 << 14)
def rewriting_of(old: str, new: str) -> Rewriting:
    """Return the difference of two names without the words that both start and end with."""
    before, after = words_of(old), words_of(new)
    if before == after:
        return (), (), f"{_style(old)} {_style(new)}"
    start = _n_common(before, after)
    before, after = before[start:], after[start:]
    end = _n_common(before[::-1], after[::-1])
    return before[: len(before) - end], after[: len(after) - end], ""


def _n_common(one: Words, other: Words) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _style(name: str) -> str:
    """Return the shape of a name: `_Aa` of `_getTotal`."""
    letters = name.lstrip("_$@")
    first = "A" if letters[:1].isupper() else "a"
    rest = "A" if letters.isupper() else "_" if "_" in letters else "a"
    return f"{name[: len(name) - len(letters)]}{first}{rest}"
