"""Format numbers, revisions, lines and texts from repositories for people, and suggest names for unknown ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

BORDER = "//"  # between a repository and what is in it; a path has none
_UNITS = ("KB", "MB", "GB", "TB")  # powers of a thousand bytes
# Control characters, marks of writing direction, and bytes that are not UTF-8.
_UNSHOWN = re.compile("[\0-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_MOST = 3
_LEAST_SIMILARITY = 0.65
_LONGEST = 200  # characters of a word; longer ones are slow to compare, and pasted rather than typed


def visible(text: str) -> str:
    """Replace characters of an untrusted text that a terminal obeys, or that could hide the rest; keep tabs."""
    return _UNSHOWN.sub("\N{REPLACEMENT CHARACTER}", text)


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 file`, `2 files`, `3 entities`, `2 matches`."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def amount(n_bytes: int) -> str:
    """Return bytes in a unit with less than a thousand: `12 bytes`, `3.4 KB`, `56 MB`."""
    size, unit = float(n_bytes), 0
    while size >= 999.5 and unit < len(_UNITS):
        size, unit = size / 1000, unit + 1
    return count(n_bytes, "byte") if not unit else f"{size:.{0 if size >= 9.95 else 1}f} {_UNITS[unit - 1]}"


def plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch", "sh", "x")) else f"{noun}s"


def short(revision: str | None) -> str:
    return revision[:12] if revision else "no commit"


def lines_of(start: int, end: int) -> str:
    return f"{start}" if start == end else f"{start}-{end}"


def place_elsewhere(repository: str | None, place: str) -> str:
    """Return a path or a REF, with its repository if that is another one."""
    return f"{repository}{BORDER}{place}" if repository else place


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
