"""Pair points on a line, the closest first.

Takes two lists of (position, index); gives (distance, old index, new index), closest first. The closest
ones are always neighbours, so a heap of neighbours does it in n log n steps, however many points there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from heapq import heapify, heappop, heappush

Point = tuple[int, int]
Stop = tuple[int, deque[int], deque[int]]  # a position with the old and new indexes that are there


def pair_nearest(old: list[Point], new: list[Point]) -> Iterator[tuple[int, int, int]]:
    """Of equally close ones, those that come first in their lists."""
    stops = _stops(old, new)
    for _, before, after in stops:
        while before and after:
            yield 0, before.popleft(), after.popleft()
    yield from _pair_neighbours([stop for stop in stops if stop[1] or stop[2]])


def _stops(old: list[Point], new: list[Point]) -> list[Stop]:
    stops: dict[int, Stop] = {}
    for side, points in ((1, old), (2, new)):
        for position, index in points:
            stop = stops.setdefault(position, (position, deque(), deque()))
            (stop[1] if side == 1 else stop[2]).append(index)
    return [stops[position] for position in sorted(stops)]


def _pair_neighbours(stops: list[Stop]) -> Iterator[tuple[int, int, int]]:
    """Every stop has only old or only new ones; an emptied stop is taken out, and its neighbours meet."""
    before = [at - 1 for at in range(len(stops))]
    behind = [at + 1 for at in range(len(stops))]
    heap = [(stops[at + 1][0] - stops[at][0], at, at + 1) for at in range(len(stops) - 1)]
    heapify(heap)
    while heap:
        distance, left, right = heappop(heap)
        pair = _take(stops[left], stops[right]) if behind[left] == right else None
        if pair is None:
            continue
        yield distance, *pair
        for at in (left, right):
            if not stops[at][1] and not stops[at][2]:
                _unlink(at, before, behind)
        left = left if stops[left][1] or stops[left][2] else before[left]
        right = right if stops[right][1] or stops[right][2] else behind[right]
        if left >= 0 and right < len(stops):
            heappush(heap, (stops[right][0] - stops[left][0], left, right))


def _take(left: Stop, right: Stop) -> tuple[int, int] | None:
    if left[1] and right[2]:
        return left[1].popleft(), right[2].popleft()
    if left[2] and right[1]:
        return right[1].popleft(), left[2].popleft()
    return None


def _unlink(at: int, before: list[int], behind: list[int]) -> None:
    if before[at] >= 0:
        behind[before[at]] = behind[at]
    if behind[at] < len(before):
        before[behind[at]] = before[at]
