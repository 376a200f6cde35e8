"""Pairs whose members are each the best of all candidates for the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def mutual_best(scores: Mapping[tuple[T, T], float], margin: float = 0.0) -> list[tuple[T, T]]:
    """Pairs of old and new that are each other's only best."""
    of_old, of_new = best_candidates(scores, 0, margin), best_candidates(scores, 1, margin)
    return [(old, new) for old, new in scores if of_old[old] == [new] and of_new[new] == [old]]


def best_candidates(scores: Mapping[tuple[T, T], float], side: int, margin: float = 0.0) -> dict[T, list[T]]:
    """For each of a side the best of the other, and those that are as good but for the margin."""
    rows: defaultdict[T, list[tuple[float, T]]] = defaultdict(list)
    for pair, score in scores.items():
        rows[pair[side]].append((score, pair[1 - side]))
    best = {one: max(score for score, _ in row) - margin for one, row in rows.items()}
    return {one: [other for score, other in row if score >= best[one]] for one, row in rows.items()}
