"""Suggest names for one that does not exist.

Takes a word and the existing names; returns the nearest, best first, if any are near.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

_MOST = 3
_LEAST_SIMILARITY = 0.65
_LONGEST = 200  # characters of a word; longer ones are slow to compare, and pasted rather than typed


def nearest(word: str, names: Iterable[str], most: int = _MOST) -> list[str]:
    """Return the nearest names, ignoring case; `run` is near to `App.run`."""
    if len(word) > _LONGEST:
        return []
    from rapidfuzz.distance import DamerauLevenshtein  # Most commands do without.

    similarity = partial(DamerauLevenshtein.normalized_similarity, score_cutoff=_LEAST_SIMILARITY)
    asked = word.casefold()
    known = [name for name in dict.fromkeys(names) if len(name) <= 2 * _LONGEST]
    scored = [(max(similarity(asked, part) for part in _parts(name.casefold())), name) for name in known]
    near = sorted((-score, len(name), name) for score, name in scored if score >= _LEAST_SIMILARITY)
    return [name for _, _, name in near[:most]]


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """Return the end of a message, "; did you mean a, b or c?", or an empty text."""
    near = nearest(word, names)
    if not near:
        return ""
    listed = f"{', '.join(near[:-1])} or {near[-1]}" if len(near) > 1 else near[0]
    return f"; did you mean {listed}?"


def _parts(name: str) -> list[str]:
    """Return a name and its last parts, any of which may be meant."""
    return [name, *(name[i + 1 :] for i, character in enumerate(name) if character in "./:")]
