"""What came into a type with its members: a superclass that was extracted, a class that was split or merged.

Takes the CodeSides of a commit and the flows between its entities; gives the flows between their containers. A member
that has its successor in another container counts as much as one whose code was copied there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator

from birthmark.matching.derivation.code_flows import CodeFlow
from birthmark.matching.derivation.code_sides import CodeSide, CodeSides
from birthmark.matching.model import TYPE, sort_of

_FEWEST_MEMBERS = 2
_FEWEST_TOKENS = 40  # of one member alone


def find_container_flows(sides: CodeSides, flows: Iterable[CodeFlow]) -> Iterator[CodeFlow]:
    arrived: defaultdict[tuple[int, int], list[CodeFlow]] = defaultdict(list)
    for flow in (*_moved_members(sides), *flows):
        if _may_derive(sides, flow.old, flow.new):
            arrived[sides.old.container(flow.old), sides.new.container(flow.new)].append(flow)
    for (old, new), members in arrived.items():
        n_old = _total((member.old, member.n_old) for member in members)
        n_new = _total((member.new, member.n_new) for member in members)
        n_lost = _total((member.new, member.n_new) for member in members if member.is_lost)
        if len({member.new for member in members}) >= _FEWEST_MEMBERS or n_new >= _FEWEST_TOKENS:
            yield CodeFlow(old, new, n_old, n_new, n_new, 2 * n_lost >= n_new, False)


def _moved_members(sides: CodeSides) -> Iterator[CodeFlow]:
    for old, new in sides.old.partners.items():
        if sides.has_moved(old) and _may_derive(sides, old, new):
            n_old, n_new = len(sides.old.tokens(old)), len(sides.new.tokens(new))
            yield CodeFlow(old, new, n_old, n_new, n_new, True, False)


def _may_derive(sides: CodeSides, old_member: int, new_member: int) -> bool:
    """Whether two are in types that are not one thing, the new one born or the old one gone."""
    old, new = sides.old.container(old_member), sides.new.container(new_member)
    if old < 0 or new < 0 or sides.old.partners.get(old) == new:
        return False
    before, after = sides.old.entities[old], sides.new.entities[new]
    is_open = old not in sides.old.partners or new not in sides.new.partners
    return is_open and before.family == after.family and sort_of(before) == sort_of(after) == TYPE


def _total(parts: Iterable[tuple[int, int]]) -> int:
    """Tokens, each member counted once."""
    most: Counter[int] = Counter()
    for member, n_tokens in parts:
        most[member] = max(most[member], n_tokens)
    return most.total()


def container_sizes(side: CodeSide, wanted: Container[int]) -> Counter[int]:
    """Tokens of some entities with all that is in them."""
    sizes: Counter[int] = Counter()
    for index in range(len(side.entities)):
        around = [at for at in _with_containers(side, index) if at in wanted]
        number = len(side.tokens(index)) if around else 0
        for at in around:
            sizes[at] += number
    return sizes


def _with_containers(side: CodeSide, index: int) -> Iterator[int]:
    while index >= 0:
        yield index
        index = side.container(index)
