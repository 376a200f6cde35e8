"""Shingles: runs of a few tokens, by which code is found again wherever it has gone.

Takes tokens and gives a number for each run of them. `winnow` keeps the smallest number of each window, as Schleimer,
Wilkerson and Aiken describe it: two texts that share a window's worth of runs share a kept one, so that an index of
what is kept finds them, in time linear in the text.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import TypeVar

import xxhash

SIZE = 5  # tokens of a shingle; brackets and separators are none
_WINDOW = 4  # shingles, of which one is kept

Item = TypeVar("Item")
Shingles = Sequence[int]  # that start at each token but the last ones


def shingles_of(tokens: Sequence[bytes]) -> Shingles:
    return list(map(xxhash.xxh64_intdigest, map(b"\0".join, zip(*_shifted(tokens, SIZE), strict=False))))


def winnow(shingles: Shingles) -> set[int]:
    if len(shingles) <= _WINDOW:
        return {min(shingles)} if shingles else set()
    return set(map(min, *_shifted(shingles, _WINDOW)))


def _shifted(items: Sequence[Item], number: int) -> list[Sequence[Item]]:
    """A sequence without its first item, without its first two, and so on: zipped they are the runs of it."""
    return [items[at:] for at in range(number)]


def cover(shingles: Shingles, known: Container[int]) -> bytearray:
    """Of each token 1 if a shingle around it is known, else 0."""
    starts = int.from_bytes(bytes(map(known.__contains__, shingles)), "little")  # a byte for each shingle
    covered = 0
    for at in range(SIZE):
        covered |= starts << (8 * at)
    return bytearray(covered.to_bytes(len(shingles) + SIZE - 1 if shingles else 0, "little"))


def count_both(one: bytearray, other: bytearray) -> int:
    """How many tokens both have."""
    return (int.from_bytes(one, "little") & int.from_bytes(other, "little")).bit_count()


def keep_both(one: bytearray, other: bytearray) -> bytearray:
    both = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bytearray(both.to_bytes(len(one), "little"))


def keep_any(one: bytearray, other: bytearray) -> bytearray:
    either = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return bytearray(either.to_bytes(len(one), "little"))
