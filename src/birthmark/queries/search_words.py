"""Measure how near a name is to the searched text.

Takes the text of a search and a name; gives a NameMatch with what it costs to take the one for the other: nothing
where they are the same, 1 for a character that differs, a fraction of that for one that the text leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from birthmark.errors import BirthmarkError
from birthmark.matching.similarity import parts_of, words_of
from birthmark.store.model import SoughtNames
from birthmark.vocabulary import SearchMatch

MOST_CHARACTERS = 200  # of a text
_CHAIN = re.compile(r"\.|::|#|->")
# Characters of a text, and how many of them may differ.
_SLIPS = ((2, 0), (5, 1), (11, 2), (MOST_CHARACTERS, 3))
_ANY_CASE, _PART_COST, _CHARACTER_COST, _INNER_COST, _FORMER_COST = 0.1, 0.5, 0.1, 0.5, 0.25
MISSING_WORD = 10.0  # what it costs at least if a word is not in a name


class SearchText(NamedTuple):
    """The searched text: as it was given, as parts of a qualified name, and as words in lower case."""

    text: str
    chain: tuple[str, ...]  # `Flask`, `url_for` of `Flask.url_for`; a text with spaces is one
    words: tuple[str, ...]  # `flask`, `url`, `for`
    squeezed: str  # the chain in lower case, without what separates words
    given_words: tuple[str, ...]  # in lower case, as they are looked for in texts

    @property
    def last(self) -> str:
        """The last name of the chain, as names are compared."""
        return squeeze(self.chain[-1])


class NameMatch(NamedTuple):
    """The matching parts of a name, and their cost."""

    match: SearchMatch
    cost: float


def read_search(text: str) -> SearchText:
    text = text.encode("utf-8", "backslashreplace").decode().strip()  # It may have bytes that are no text.
    if not text or "\0" in text:
        raise BirthmarkError("TEXT is empty; give a name, a part of it, or words from docs or code")
    if len(text) > MOST_CHARACTERS:
        raise BirthmarkError(f"TEXT has {len(text):,} characters; {MOST_CHARACTERS} at most can be searched for")
    parts = [part for part in _CHAIN.split(text) if part.strip()]
    chain = tuple(parts) if parts and not any(map(str.isspace, text)) else (text,)
    words = tuple(dict.fromkeys(words_of(text)))
    return SearchText(text, chain, words, squeeze("".join(chain)), tuple(dict.fromkeys(text.lower().split())))


def squeeze(text: str) -> str:
    """A text as names are compared: `url_for`, `urlFor` and `URL for` are the same."""
    return "".join(squeeze_name(text).split())


def squeeze_name(name: str) -> str:
    """The same for what has no spaces."""
    return name.replace("_", "").replace("-", "").lower()


def match_name(search: SearchText, name: str, *, is_former: bool = False) -> NameMatch | None:
    """Of a qualified name as many parts are compared as the text has; None where it is nowhere near."""
    names = name.split(".")
    compared = ".".join(names[-len(search.chain) :])
    found = _match(search, compared, name, _most_slips(search))
    if found is None or not is_former:
        return found
    is_same = found.match is SearchMatch.NAME
    return NameMatch(SearchMatch.FORMER if is_same else found.match, found.cost + _FORMER_COST)


def _match(search: SearchText, compared: str, name: str, most: int) -> NameMatch | None:
    if search.text in (compared, name):
        return NameMatch(SearchMatch.NAME, 0.0)
    squeezed = squeeze_name(compared.replace(".", ""))
    if squeezed == search.squeezed:
        return NameMatch(SearchMatch.NAME, _ANY_CASE)
    n_slips = OSA.distance(search.squeezed, squeezed, score_cutoff=most)
    slip = NameMatch(SearchMatch.SLIP, float(n_slips)) if n_slips <= most else None
    part = _match_part(search, squeezed, compared)
    return min((one for one in (part, slip) if one is not None), key=lambda one: one.cost, default=None)


def _match_part(search: SearchText, squeezed: str, compared: str) -> NameMatch | None:
    """All words, or of several all but one. Characters that are not given cost a little, words inside of parts more."""
    n_missing = _n_missing(search, squeezed)
    if n_missing > _most_missing(search):
        return None
    n_more = max(len(squeezed) - len(search.squeezed), 0)
    parts = parts_of(compared)
    n_inner = sum(not any(part.startswith(word) for part in parts) for word in search.words if word in squeezed)
    cost = _PART_COST + n_more * _CHARACTER_COST + n_inner * _INNER_COST + n_missing * MISSING_WORD
    return NameMatch(SearchMatch.PART, cost)


def _n_missing(search: SearchText, squeezed: str) -> int:
    return sum([word not in squeezed for word in search.words])


def _most_missing(search: SearchText) -> int:
    return 1 if len(search.words) > 2 else 0


def _most_slips(search: SearchText) -> int:
    return next(slips for length, slips in _SLIPS if len(search.squeezed) <= length)


def least_cost(search: SearchText, name: str) -> float | None:
    """Return the least cost of taking something of this last name for the text; None where it is nowhere near."""
    if len(search.chain) == 1:
        found = match_name(search, name)
        return found.cost if found is not None else None
    own = _last_search(search)
    return None if _match(own, name, name, _most_last_slips(search, own)) is None else 0.0


def near_names(search: SearchText, exact: Collection[str]) -> SoughtNames:
    """Return the last names to compare."""
    own = _last_search(search)
    return SoughtNames(exact, search.last, _most_last_slips(search, own), own.words, _most_missing(own))


def _last_search(search: SearchText) -> SearchText:
    return search if len(search.chain) == 1 else read_search(search.chain[-1])


def _most_last_slips(search: SearchText, own: SearchText) -> int:
    return max(_most_slips(own), len(search.chain) > 1)


def nearest_names(search: SearchText, names: Sequence[str], most: int) -> list[str]:
    """Of the last names of what there is, the likeliest first, those worth a closer look, the nearest first."""
    own = _last_search(search)
    squeezed = [squeeze_name(name) for name in names]
    most_slips = _most_last_slips(search, own)
    slips = process.extract(own.squeezed, squeezed, scorer=OSA.distance, score_cutoff=most_slips, limit=None)
    n_missing = [_n_missing(own, name) for name in squeezed]
    lacking = [number for number, n_words in enumerate(n_missing) if 0 < n_words <= _most_missing(own)]
    promising = {number for _, _, number in slips}.union(lacking[:most])
    promising.update(number for number, n_words in enumerate(n_missing) if n_words == 0)
    found = ((_match(own, names[number], names[number], most_slips), names[number]) for number in promising)
    return [name for _, name in sorted((match.cost, name) for match, name in found if match is not None)[:most]]
