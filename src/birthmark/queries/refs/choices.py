"""What a REF that is ambiguous may mean, as lines to choose from.

Takes Choices; gives an AmbiguousError. Each line begins with what to ask for instead: a place, which is a REF itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from birthmark.errors import AmbiguousError

MOST_CHOICES = 10  # that are listed
_LONG = 100  # characters of a signature that are shown


class Choice(NamedTuple):
    """`path:line`, the mark where one is known, and the head of the definition or what became of it."""

    place: str
    mark: str | None
    description: str


def ambiguous(ref: str, choices: Sequence[Choice], count: int | None = None, *, were: bool = False) -> AmbiguousError:
    """`count` is how many there are, if not all are given; `were`: they had the name once."""
    count = len(choices) if count is None else count
    name_one = "one" if any(choice.mark for choice in choices) else "one by its line"
    message = f"{ref}: {count:,} definitions {'had' if were else 'have'} that name; name {name_one}"
    return AmbiguousError(message, [*_lines(choices[:MOST_CHOICES]), *_rest(count - MOST_CHOICES)])


def _lines(choices: Sequence[Choice]) -> list[str]:
    rows = [[choice.place, *filter(None, [choice.mark]), _cut(choice.description)] for choice in choices]
    width = max(len(choice.place) for choice in choices)
    return list(dict.fromkeys("  ".join([row[0].ljust(width), *row[1:]]).rstrip() for row in rows))


def _rest(count: int) -> list[str]:
    return [f"… and {count:,} more"] if count > 0 else []


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
