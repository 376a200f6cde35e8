"""What may have been meant by a name that does not exist.

Takes a word and the names there are; gives the nearest of them, the best first, or none where none is near.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

_MOST = 3
_LEAST_SIMILARITY = 0.65
_LONGEST = 200  # characters of a word; longer ones take long to compare, and are pasted rather than typed


def nearest(word: str, names: Iterable[str], most: int = _MOST) -> list[str]:
    """Upper and lower case are the same here; of a qualified name the last part may be meant, as `run` of `App.run`."""
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
    """The end of a message, as "; did you mean a, b or c?"; empty where nothing is near."""
    near = nearest(word, names)
    if not near:
        return ""
    listed = f"{', '.join(near[:-1])} or {near[-1]}" if len(near) > 1 else near[0]
    return f"; did you mean {listed}?"


def _parts(name: str) -> list[str]:
    """A slip in a part of a name counts as one in the whole, if only the part was given."""
    return [name, *(name[i + 1 :] for i, character in enumerate(name) if character in "./:")]
