"""Follow what stands inside a paired entity: calls, variables, blocks, chunks.

Takes the two sequences of what stood and stands there, each thing by a strong key (what it is and says) and a weak
one (what it is called); gives which is which. Things are aligned in their order, but for what has moved whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class Mention(NamedTuple):
    """Something inside an entity: all of it, its name, and what sort of thing it is."""

    strong: Hashable
    weak: Hashable
    sort: Hashable


def align_mentions(old: Sequence[Mention], new: Sequence[Mention]) -> dict[int, int]:
    """Old index to new index. Equal things first, then namesakes between them, then the only one of its sort there."""
    aligned: dict[int, int] = {}
    _align_gap(old, new, (0, len(old)), (0, len(new)), 0, aligned)
    _align_moved(old, new, aligned)
    return aligned


def _align_gap(
    old: Sequence[Mention],
    new: Sequence[Mention],
    old_gap: tuple[int, int],
    new_gap: tuple[int, int],
    level: int,
    aligned: dict[int, int],
) -> None:
    """Align one stretch at a level of likeness, and what lies between the found at the next."""
    if level == len(Mention._fields) or old_gap[0] == old_gap[1] or new_gap[0] == new_gap[1]:
        return
    old_keys = [mention[level] for mention in old[slice(*old_gap)]]
    new_keys = [mention[level] for mention in new[slice(*new_gap)]]
    at_old, at_new = old_gap[0], new_gap[0]
    blocks = SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_matching_blocks()
    if level == 2 and len(old_keys) != len(new_keys):
        return  # Of several of a sort nothing tells which was renamed and which is new.
    for start_old, start_new, size in blocks:
        first_old, first_new = old_gap[0] + start_old, new_gap[0] + start_new
        _align_gap(old, new, (at_old, first_old), (at_new, first_new), level + 1, aligned)
        for offset in range(size):
            aligned[first_old + offset] = first_new + offset
        at_old, at_new = first_old + size, first_new + size


def _align_moved(old: Sequence[Mention], new: Sequence[Mention], aligned: dict[int, int]) -> None:
    """What says just the same and is alone in that has moved."""
    taken = set(aligned.values())
    free: dict[Hashable, list[int]] = {}
    for index, mention in enumerate(new):
        if index not in taken:
            free.setdefault(mention.strong, []).append(index)
    lost: dict[Hashable, list[int]] = {}
    for index, mention in enumerate(old):
        if index not in aligned:
            lost.setdefault(mention.strong, []).append(index)
    for strong, indexes in lost.items():
        if len(indexes) == len(free.get(strong, ())) == 1:
            aligned[indexes[0]] = free[strong][0]
