"""Entities that went into one, or one into several, as they are: pulled up, pushed down.

Takes the CodeSides of a commit and gives CodeFlows between entities of one name that have moved. The same body is
proof if it is heavy. What is light, or was changed as it moved, needs others of its container that went the same way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from posixpath import dirname, splitext

from birthmark.matching.derivation.code_flows import CodeFlow, CodeSide, CodeSides
from birthmark.matching.model import MatchCandidate, parameters_of, sort_of
from birthmark.matching.pairing_state import is_light

_SIBLINGS = 2  # of one name that go the same way, itself among them: enough for the same body
_MANY_SIBLINGS = 3  # enough for a body that differs, if some of them have the same
_PORTED_SHARE = 0.5  # of the tokens of the shorter one that a port must have
_LARGEST_GROUP = 64  # of one name, on both sides

Way = tuple[Hashable, Hashable]  # from a container or file to another
Group = tuple[list[int], list[int]]


def find_whole_moves(sides: CodeSides) -> Iterator[CodeFlow]:
    groups = [group for group in _groups(sides) if len(group[0]) + len(group[1]) <= _LARGEST_GROUP]
    ways, sure_ways = _ways(sides, groups, False), _ways(sides, groups, True)
    chosen = {link: None for group in groups for link in _choose(sides, *group, ways)}
    for old, new in chosen:
        way, n_old, n_new = _way(sides, old, new), len(sides.old.tokens(old)), len(sides.new.tokens(new))
        shared = (sides.old.bag(old) & sides.new.bag(new)).total()
        if _is_same(sides, old, new):
            if not _is_light(sides, old, new) or ways[way] >= _SIBLINGS:
                yield CodeFlow(old, new, n_old, n_new, n_new, True, False, True)
        elif shared and ways[way] >= _MANY_SIBLINGS and (sure_ways[way] or _is_ported(sides, old, new, shared)):
            yield CodeFlow(old, new, shared, shared, 0, True, False, True)


def _is_ported(sides: CodeSides, old: int, new: int, shared: int) -> bool:
    """Whether most words of the shorter one are in the other, in another language."""
    extensions = [splitext(side.entities[index].path)[1] for side, index in ((sides.old, old), (sides.new, new))]
    n_tokens = min(len(sides.old.tokens(old)), len(sides.new.tokens(new)))
    return extensions[0] != extensions[1] and shared >= _PORTED_SHARE * n_tokens


def _groups(sides: CodeSides) -> list[Group]:
    """Old and new ones of one name that are not where they were."""
    groups: defaultdict[Hashable, Group] = defaultdict(lambda: ([], []))
    for index, entity in enumerate(sides.old.entities):
        if sides.has_moved(index):
            groups[_key(entity)][0].append(index)
    for index, entity in enumerate(sides.new.entities):
        before = sides.new.partners.get(index)
        if before is None or sides.has_moved(before):
            groups[_key(entity)][1].append(index)
    return [(old, new) for old, new in groups.values() if old and new]


def _key(entity: MatchCandidate) -> Hashable:
    return entity.family, sort_of(entity), entity.name


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
        not _is_same(sides, old, new),
        -ways[_way(sides, old, new)],
        parameters_of(before) != parameters_of(after),
        before.path != after.path,
        dirname(before.path) != dirname(after.path),
        before.content != after.content,
        sides.old.order(old),
        sides.new.order(new),
    )


def _ways(sides: CodeSides, groups: list[Group], is_sure: bool) -> Counter[Way]:
    """How many names may have gone from one place to another, or have surely done so with their bodies."""
    ways: Counter[Way] = Counter()
    for olds, news in groups:
        ways.update({_way(sides, old, new) for old in olds for new in news if not is_sure or _is_same(sides, old, new)})
    return ways


def _way(sides: CodeSides, old: int, new: int) -> Way:
    return _place(sides.old, old), _place(sides.new, new)


def _place(side: CodeSide, index: int) -> Hashable:
    container = side.container(index)
    return container if container >= 0 else side.entities[index].path


def _is_same(sides: CodeSides, old: int, new: int) -> bool:
    before, after = sides.old.entities[old], sides.new.entities[new]
    if before.body is None and after.body is None:
        return before.interface == after.interface
    return before.body == after.body


def _is_light(sides: CodeSides, old: int, new: int) -> bool:
    before, after = sides.old.entities[old], sides.new.entities[new]
    return is_light(before.kind, before.weight) or is_light(after.kind, after.weight)
