"""Trigrams: what texts and names are found by that contain something."""

from __future__ import annotations

from collections.abc import Collection, Sequence

SHORT_NAME = 6  # characters; if two of them are exchanged, no trigram may be left
_LENGTH = 3
_MOST_TRIGRAMS = 12  # of a name that are looked for
_MOST_ROWS = 6_000  # that are counted for a name
_MOST_SEARCHED = 64


def trigrams_of(text: str) -> list[str]:
    return list(dict.fromkeys(text[i : i + _LENGTH] for i in range(len(text) - _LENGTH + 1)))


def searched_trigrams(words: Collection[str]) -> list[str]:
    """What a text has that contains all of some words."""
    return [trigram for word in words for trigram in trigrams_of(word)][:_MOST_SEARCHED]


def choose_trigrams(counts: Sequence[tuple[str, int]]) -> list[str]:
    """Those that say most, of trigrams with how many names have them, the rarest first.

    What every other name has is left out, for it takes long and says nothing.
    """
    rare: list[str] = []
    n_rows = 0
    for trigram, n_names in counts:
        if rare and (len(rare) >= _MOST_TRIGRAMS or n_rows + n_names > _MOST_ROWS):
            break
        rare.append(trigram)
        n_rows += n_names
    return rare
