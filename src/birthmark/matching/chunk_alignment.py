"""Which chunk of an entity, or of what is between entities, is which after an edit.

Takes the two sequences of chunks, each by its text, its name and its kind; gives which is which. They are aligned in
their order, but for what has moved whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class ChunkKeys(NamedTuple):
    """What a chunk is compared by, from the surest to the boldest."""

    text: Hashable
    name: Hashable
    kind: Hashable


def align_chunks(old: Sequence[ChunkKeys], new: Sequence[ChunkKeys]) -> dict[int, int]:
    """Old index to new index. Equal ones first, then namesakes between them, then the only one of its kind there."""
    aligned: dict[int, int] = {}
    _align_gap(old, new, (0, len(old)), (0, len(new)), 0, aligned)
    _align_moved(old, new, aligned)
    return aligned


def _align_gap(
    old: Sequence[ChunkKeys],
    new: Sequence[ChunkKeys],
    old_gap: tuple[int, int],
    new_gap: tuple[int, int],
    level: int,
    aligned: dict[int, int],
) -> None:
    """Align one stretch by one key, and what lies between the found by the next."""
    if level == len(ChunkKeys._fields) or old_gap[0] == old_gap[1] or new_gap[0] == new_gap[1]:
        return
    old_keys = [keys[level] for keys in old[slice(*old_gap)]]
    new_keys = [keys[level] for keys in new[slice(*new_gap)]]
    at_old, at_new = old_gap[0], new_gap[0]
    blocks = SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_matching_blocks()
    if level == 2 and len(old_keys) != len(new_keys):
        return  # Of several of a kind it is not known which was renamed and which is new.
    for start_old, start_new, size in blocks:
        first_old, first_new = old_gap[0] + start_old, new_gap[0] + start_new
        _align_gap(old, new, (at_old, first_old), (at_new, first_new), level + 1, aligned)
        for offset in range(size):
            aligned[first_old + offset] = first_new + offset
        at_old, at_new = first_old + size, first_new + size


def _align_moved(old: Sequence[ChunkKeys], new: Sequence[ChunkKeys], aligned: dict[int, int]) -> None:
    """A chunk whose text is left once on both sides has moved."""
    taken = set(aligned.values())
    free: dict[Hashable, list[int]] = {}
    for index, keys in enumerate(new):
        if index not in taken:
            free.setdefault(keys.text, []).append(index)
    lost: dict[Hashable, list[int]] = {}
    for index, keys in enumerate(old):
        if index not in aligned:
            lost.setdefault(keys.text, []).append(index)
    for text, indexes in lost.items():
        if len(indexes) == len(free.get(text, ())) == 1:
            aligned[indexes[0]] = free[text][0]
