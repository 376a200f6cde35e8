"""Pair the entities of an old snapshot with those of a new one.

Takes two sequences of Subject and returns a Pairing. Passes run from surest to boldest; a pair once made is kept,
and each entity is in at most one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from statistics import median_low

from birthmark.matching.subjects import Evidence, Pair, Pairing, Subject

TOLERANCE = 10  # lines
_NEIGHBOURS = 3

Subjects = Sequence[Subject]
Place = tuple[str, str, str | None, str]


def pair_entities(old: Subjects, new: Subjects, tolerance: int = TOLERANCE) -> Pairing:
    state = _State(old, new, tolerance)
    for propose in PASSES:
        for pair in list(propose(state)):
            state.add(pair)
    pairs = sorted(state.pairs, key=lambda pair: pair.new)
    return Pairing(tuple(pairs), tuple(sorted(state.unpaired_old)), tuple(sorted(state.unpaired_new)))


class _State:
    """What is paired so far, and what is still free."""

    def __init__(self, old: Subjects, new: Subjects, tolerance: int) -> None:
        self.old, self.new, self.tolerance = old, new, tolerance
        self.pairs: list[Pair] = []
        self.unpaired_old = dict.fromkeys(range(len(old)))
        self.unpaired_new = dict.fromkeys(range(len(new)))
        self._known_moves: dict[str, list[tuple[int, int]]] = {}
        self._moves_of = 0  # how many pairs they were read off

    def add(self, pair: Pair) -> None:
        del self.unpaired_old[pair.old]
        del self.unpaired_new[pair.new]
        self.pairs.append(pair)

    def groups(self, key: Callable[[Subject], Hashable]) -> Iterator[tuple[list[int], list[int]]]:
        """Unpaired old and new entities that share a key."""
        groups: defaultdict[Hashable, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
        for index in self.unpaired_old:
            groups[key(self.old[index])][0].append(index)
        for index in self.unpaired_new:
            groups[key(self.new[index])][1].append(index)
        return ((old, new) for old, new in groups.values() if old and new)

    def shift_of(self, subject: Subject) -> int:
        """How far the surely paired neighbours of an old entity have moved."""
        moves = self._moves().get(subject.path, [])
        at = bisect_left(moves, (subject.start_line, 0))
        around = moves[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
        nearest = sorted(around, key=lambda move: abs(move[0] - subject.start_line))[:_NEIGHBOURS]
        return median_low([lines for _, lines in nearest]) if nearest else 0

    def _moves(self) -> dict[str, list[tuple[int, int]]]:
        """By file, (old line, lines moved) of what is surely paired; the same during a pass."""
        if self._moves_of != len(self.pairs):
            moves: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
            for pair in self.pairs:
                if pair.evidence in _SURE:
                    old, new = self.old[pair.old], self.new[pair.new]
                    moves[old.path].append((old.start_line, new.start_line - old.start_line))
            self._known_moves = {path: sorted(known) for path, known in moves.items()}
            self._moves_of = len(self.pairs)
        return self._known_moves


_SURE = frozenset({Evidence.SAME_CONTENT, Evidence.SAME_NAME})


def place_of(subject: Subject) -> Place:
    return (subject.path, subject.kind, subject.parent, subject.name)


def same_content(state: _State) -> Iterator[Pair]:
    """Same place, same name, same content; identical twins go by their order."""
    for old, new in state.groups(lambda subject: (place_of(subject), subject.content)):
        yield from (
            _in_order(old, new, Evidence.SAME_CONTENT)
            if len(old) == len(new)
            else _nearest(state, old, new, Evidence.SAME_CONTENT, None)
        )


def alone(state: _State) -> Iterator[Pair]:
    """Same place and name, alone on both sides."""
    for old, new in state.groups(place_of):
        if len(old) == len(new) == 1:
            yield Pair(old[0], new[0], Evidence.SAME_NAME)


def same_interface(state: _State) -> Iterator[Pair]:
    """Several of one name: an overload is known by its interface."""
    for old, new in state.groups(lambda subject: (place_of(subject), subject.interface)):
        if len(old) == len(new) == 1 and state.old[old[0]].interface:
            yield Pair(old[0], new[0], Evidence.SAME_INTERFACE)


def same_position(state: _State) -> Iterator[Pair]:
    """Several of one name: the nearest, after taking out how far their neighbours have moved."""
    for old, new in state.groups(place_of):
        yield from _nearest(state, old, new, Evidence.SAME_POSITION, state.tolerance)


PASSES = (same_content, alone, same_interface, same_position)


def _in_order(old: list[int], new: list[int], evidence: Evidence) -> Iterator[Pair]:
    return (Pair(before, after, evidence) for before, after in zip(old, new, strict=True))


def _nearest(
    state: _State, old: list[int], new: list[int], evidence: Evidence, tolerance: int | None
) -> Iterator[Pair]:
    """Greedily the closest first; equally close ones in source order."""
    expected = {before: state.old[before].start_line + state.shift_of(state.old[before]) for before in old}
    distances = sorted(
        (abs(state.new[after].start_line - expected[before]), before, after) for before in old for after in new
    )
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    for distance, before, after in distances:
        if before in taken_old or after in taken_new or (tolerance is not None and distance > tolerance):
            continue
        taken_old.add(before)
        taken_new.add(after)
        yield Pair(before, after, evidence)
