"""Entities that went into one, or one into several, as they are: pulled up, pushed down.

Takes the CodeSides of a commit and gives CodeFlows between entities of one name and body that have moved. What is
light proves nothing by itself: something else of its container must have gone the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from posixpath import dirname

from birthmark.matching.code_flows import CodeFlow
from birthmark.matching.code_sides import CodeSide, CodeSides
from birthmark.matching.model import MatchCandidate, sort_of
from birthmark.matching.pairing_state import is_light

_FEWEST_SIBLINGS = 2  # that go the same way, itself among them
_LARGEST_GROUP = 64  # of one name and body, on both sides

Way = tuple[Hashable, Hashable]  # from a container or file to another


def find_whole_moves(sides: CodeSides) -> Iterator[CodeFlow]:
    groups = [group for group in _groups(sides) if len(group[0]) + len(group[1]) <= _LARGEST_GROUP]
    ways = _ways(sides, groups)
    chosen = {link: None for group in groups for link in _choose(sides, *group, ways)}
    for old, new in chosen:
        if not _is_light(sides, old, new) or ways[_way(sides, old, new)] >= _FEWEST_SIBLINGS:
            n_old, n_new = len(sides.old.tokens(old)), len(sides.new.tokens(new))
            yield CodeFlow(old, new, n_old, n_new, n_new, True, False, True)


def _groups(sides: CodeSides) -> list[tuple[list[int], list[int]]]:
    """Old and new ones of one name and body that are not where they were."""
    old: defaultdict[Hashable, list[int]] = defaultdict(list)
    new: defaultdict[Hashable, list[int]] = defaultdict(list)
    for index, entity in enumerate(sides.old.entities):
        if sides.has_moved(index):
            old[_key(entity)].append(index)
    for index, entity in enumerate(sides.new.entities):
        before = sides.new.partners.get(index)
        if before is None or sides.has_moved(before):
            new[_key(entity)].append(index)
    return [(indexes, new[key]) for key, indexes in old.items() if key in new]


def _key(entity: MatchCandidate) -> Hashable:
    return entity.family, sort_of(entity), entity.name, entity.body or entity.interface


def _choose(sides: CodeSides, old: list[int], new: list[int], ways: Counter[Way]) -> Iterator[tuple[int, int]]:
    """For each one that has no partner the likeliest counterpart, which may have one."""
    for index in old:
        if index not in sides.old.partners:
            yield index, min(new, key=lambda other: _preference(sides, index, other, ways))
    for index in new:
        if index not in sides.new.partners:
            yield min(old, key=lambda other: _preference(sides, other, index, ways)), index


def _preference(sides: CodeSides, old: int, new: int, ways: Counter[Way]) -> tuple[object, ...]:
    before, after = sides.old.entities[old], sides.new.entities[new]
    return (
        -ways[_way(sides, old, new)],
        before.path != after.path,
        dirname(before.path) != dirname(after.path),
        before.content != after.content,
        sides.old.order(old),
        sides.new.order(new),
    )


def _ways(sides: CodeSides, groups: list[tuple[list[int], list[int]]]) -> Counter[Way]:
    """How many may have gone from one place to another."""
    return Counter(_way(sides, old, new) for olds, news in groups for old in olds for new in news)


def _way(sides: CodeSides, old: int, new: int) -> Way:
    return _place(sides.old, old), _place(sides.new, new)


def _place(side: CodeSide, index: int) -> Hashable:
    container = side.container(index)
    return container if container >= 0 else side.entities[index].path


def _is_light(sides: CodeSides, old: int, new: int) -> bool:
    before, after = sides.old.entities[old], sides.new.entities[new]
    return is_light(before.kind, before.weight) or is_light(after.kind, after.weight)
