"""Passes 1 to 3: pair entities that kept their place and name.

A place is a scope, a kind and a name. Scopes are translated, so these passes run again whenever a file or a container
was paired. The same place and name, alone on both sides, is proof enough, with one exception: if the old and the new
content are both in other places under that name, the two have changed places, and content decides. Of several in one
place the nearest are paired, the closest first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterator
from heapq import heapify, heappop, heappush

from birthmark.matching.model import Content, MatchCandidate, content_of, parameters_of, sort_of
from birthmark.matching.pairing_state import Group, PairingState, PlaceOf, Scope, Side
from birthmark.matching.similarity import mutual_best
from birthmark.vocabulary import Evidence

_MOST_COMPARED = 400  # pairs of namesakes
_ALIKE, _CLEARLY = 0.5, 0.1  # least common share of tokens of namesakes, and its lead over the next best
_NEIGHBOURS = 3  # from which the move of the surroundings is estimated
_SURE = frozenset({Evidence.SAME_CONTENT, Evidence.SAME_NAME})
ELSEWHERE = {
    Evidence.SAME_CONTENT: Evidence.SAME_CONTENT_ELSEWHERE,
    Evidence.SAME_NAME: Evidence.SAME_NAME_ELSEWHERE,
}

Proposal = tuple[int, int, Evidence]
Pass = Callable[[PairingState], Iterator[Proposal]]
Point = tuple[int, int]
Stop = tuple[int, deque[int], deque[int]]  # a position with the old and new indexes that are there


def pair_places(state: PairingState) -> None:
    """Run the passes until nothing new is found: a paired container opens its scope."""
    n_pairs = -1
    while n_pairs != len(state.pairs) and not state.is_settled:
        n_pairs = len(state.pairs)
        for propose in PASSES:
            _run(state, propose)


def pair_unchanged(state: PairingState) -> None:
    """Run the first pass, then keep entities that seem to have changed places from the other passes."""
    pair_same_content(state)
    if not state.is_settled:
        state.exchanged = _exchanged(state)


def pair_same_content(state: PairingState) -> None:
    _run(state, same_content)


def pair_by_name(state: PairingState) -> None:
    """Run the passes that compare what has one name in one place, and depend on nothing else."""
    for propose in BY_NAME:
        _run(state, propose)


def same_content(state: PairingState) -> Iterator[Proposal]:
    """Pair the same place, name and content; identical twins go by their order."""
    for old, new in _groups(state, _place, lambda entity: entity.content):
        if len(old) == len(new):
            yield from ((before, after, Evidence.SAME_CONTENT) for before, after in zip(old, new, strict=True))
        else:
            yield from _nearest(state, old, new, Evidence.SAME_CONTENT, None)


def alone(state: PairingState) -> Iterator[Proposal]:
    """Pair the same place and name, alone on both sides; one that is left over from several is not alone."""
    new = state.new
    singles = dict(_singles(_groups(state, _place)))
    if singles:
        taken = {_place(new.entities[pair.new], new.scope_of(pair.new)) for pair in state.pairs}
        for before, after in singles.items():
            if _place(new.entities[after], new.scope_of(after)) not in taken:
                yield before, after, Evidence.SAME_NAME


def same_interface(state: PairingState) -> Iterator[Proposal]:
    """Pair several of one name by interface: it identifies an overload."""
    for old, new in _singles(_groups(state, _place, lambda entity: entity.interface)):
        if state.old.entities[old].interface:
            yield old, new, Evidence.SAME_INTERFACE


def same_parameters(state: PairingState) -> Iterator[Proposal]:
    """Pair several of one name whose annotations or modifiers have changed, perhaps all of them."""
    for old, new in _singles(_groups(state, _place, parameters_of)):
        if state.old.entities[old].signature:
            yield old, new, Evidence.SAME_PARAMETERS


def similar_namesakes(state: PairingState) -> Iterator[Proposal]:
    """Pair several of one name that are clearly each other's best by their texts, if they are few."""
    if not state.has_texts:
        return
    for old, new in _groups(state, _place):
        if (len(old) > 1 or len(new) > 1) and len(old) * len(new) <= _MOST_COMPARED:
            shares = {(before, after): state.likeness(before, after) for before in old for after in new}
            likely = {pair: share for pair, share in shares.items() if share >= _ALIKE}
            for before, after in mutual_best(likely, _CLEARLY):
                yield before, after, Evidence.SIMILAR_NAMESAKE


def same_position(state: PairingState) -> Iterator[Proposal]:
    """Pair several of one name by position, corrected by how far their neighbours have moved."""
    for old, new in _groups(state, _place):
        yield from _nearest(state, old, new, Evidence.SAME_POSITION, state.tolerance)


def other_kind(state: PairingState) -> Iterator[Proposal]:
    """Pair the same place and name, alone, with another kind now: a struct that became a class."""
    for old, new in _singles(_groups(state, _place_of_sort)):
        if state.old.entities[old].kind != state.new.entities[new].kind:
            yield old, new, Evidence.SAME_NAME


BY_NAME: tuple[Pass, ...] = (alone, same_interface, same_parameters, similar_namesakes)
PASSES: tuple[Pass, ...] = (same_content, *BY_NAME, same_position, other_kind)


def _run(state: PairingState, propose: Pass) -> None:
    for old, new, evidence in list(propose(state)):
        has_moved = state.old.scope_of(old) != state.new.scope_of(new)
        state.add(old, new, ELSEWHERE.get(evidence, evidence) if has_moved else evidence)


def _place(entity: MatchCandidate, scope: Scope) -> Hashable:
    """Return the place of an entity; a constructor has its class's name and goes by its kind."""
    return entity.family, entity.kind, scope, "" if entity.kind == "constructor" else entity.name


def _place_of_sort(entity: MatchCandidate, scope: Scope) -> Hashable:
    return entity.family, scope, sort_of(entity), entity.name


def _groups(
    state: PairingState, place_of: PlaceOf, trait_of: Callable[[MatchCandidate], Hashable] = lambda _: None
) -> Iterator[Group]:
    """Yield free entities that share a place and a trait; only new ones at places of old ones are looked at."""
    old, new, places = state.old, state.new, state.new.places(place_of)
    groups: dict[Hashable, dict[Hashable, Group]] = {}
    ordered: list[Group] = []
    for index in old.free:
        place = place_of(old.entities[index], state.target_of(index)) if index not in state.exchanged else None
        if place in places:
            group = groups.setdefault(place, {}).setdefault(trait_of(old.entities[index]), ([], []))
            group[0].append(index)
            ordered += [group] if len(group[0]) == 1 else []
    for place, by_trait in groups.items():
        for index in places[place]:
            found = by_trait.get(trait_of(new.entities[index])) if index in new.free else None
            if found is not None:
                found[1].append(index)
    return iter([group for group in ordered if group[1]])


def _singles(groups: Iterator[Group]) -> Iterator[tuple[int, int]]:
    return ((old[0], new[0]) for old, new in groups if len(old) == len(new) == 1)


def _exchanged(state: PairingState) -> frozenset[int]:
    """Return old entities that seem to have gone elsewhere while another one came from elsewhere."""
    rare = _rare_contents(state.old) & _rare_contents(state.new)
    return frozenset(
        old
        for old, new in _singles(_groups(state, _place))
        if content_of(state.old.entities[old]) in rare and content_of(state.new.entities[new]) in rare
    )


def _rare_contents(side: Side) -> set[Content]:
    """Return heavy contents that are there once."""
    counts = Counter(content_of(side.entities[index]) for index in side.free if not side.is_light(index))
    return {content for content, count in counts.items() if count == 1}


def _nearest(
    state: PairingState, old: list[int], new: list[int], evidence: Evidence, tolerance: int | None
) -> Iterator[Proposal]:
    """Yield the closest pairs first; equally close ones in source order."""
    moves = _moves(state)
    expected = [(_expected_line(state.old.entities[index], moves), index) for index in old]
    actual = [(state.new.entities[index].start_line, index) for index in new]
    for distance, before, after in pair_nearest(expected, actual):
        if tolerance is not None and distance > tolerance:
            break
        yield before, after, evidence


Moves = dict[str, list[tuple[int, int]]]


def _expected_line(entity: MatchCandidate, moves: Moves) -> int:
    """Return the line of an old entity had it moved as far as its surely paired neighbours."""
    known = moves.get(entity.path, [])
    at = bisect_left(known, (entity.start_line, 0))
    around = known[max(0, at - _NEIGHBOURS) : at + _NEIGHBOURS]
    nearest = sorted(around, key=lambda move: abs(move[0] - entity.start_line))[:_NEIGHBOURS]
    moved = sorted(lines for _, lines in nearest)
    return entity.start_line + (moved[(len(moved) - 1) // 2] if moved else 0)  # the lower median


def _moves(state: PairingState) -> Moves:
    """Return (old line, lines moved) of surely paired entities by file; they are the same during a pass."""
    if state.n_moves != len(state.pairs):
        moves: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for pair in state.pairs:
            old, new = state.old.entities[pair.old], state.new.entities[pair.new]
            if pair.evidence in _SURE or state.files.get(old.path) == new.path:
                moves[old.path].append((old.start_line, new.start_line - old.start_line))
        state.moves = {path: sorted(known) for path, known in moves.items()}
        state.n_moves = len(state.pairs)
    return state.moves


def pair_nearest(old: list[Point], new: list[Point]) -> Iterator[tuple[int, int, int]]:
    """Yield distances and pairs, the closest first; of equally close ones, those first in their lists."""
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
    """Yield the remaining pairs; an emptied stop is unlinked, and its neighbours meet."""
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
