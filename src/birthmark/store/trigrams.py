"""Trigrams, by which texts and names are searched."""

from __future__ import annotations

from collections.abc import Collection, Sequence

SHORT_NAME = 6  # characters; if two of them are exchanged, no trigram may be left
_LENGTH = 3
_MOST_TRIGRAMS = 12  # of a name
_MOST_ROWS = 6_000  # counted for a name
_MOST_SEARCHED = 64


def trigrams_of(text: str) -> list[str]:
    return list(dict.fromkeys(text[i : i + _LENGTH] for i in range(len(text) - _LENGTH + 1)))


def searched_trigrams(words: Collection[str]) -> list[str]:
    """Return trigrams of every text that contains all of some words."""
    return [trigram for word in words for trigram in trigrams_of(word)][:_MOST_SEARCHED]


def choose_trigrams(counts: Sequence[tuple[str, int]]) -> list[str]:
    """Choose the most telling trigrams from pairs of a trigram and its number of names, the rarest first.

    Frequent ones are left out: they cost time and tell little.
    """
    rare: list[str] = []
    n_rows = 0
    for trigram, n_names in counts:
        if rare and (len(rare) >= _MOST_TRIGRAMS or n_rows + n_names > _MOST_ROWS):
            break
        rare.append(trigram)
        n_rows += n_names
    return rare
