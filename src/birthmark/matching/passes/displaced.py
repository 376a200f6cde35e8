"""Functions whose name another one has taken over.

A name that is in its place on both sides is the same function, as a rule, however much of it was rewritten. It is not
if the two have nothing in common and what the name means now was there before under a name that is gone, while what it
meant is there still under a name that is new; of these two one is enough if the parameters differ, too. What the name
still calls was extracted from it, and what it called before was inlined: then the name stays with its function.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator

from birthmark.matching.model import FUNCTION, parameters_of, sort_of
from birthmark.matching.pairing_state import Group, PairingState, Scope, Side
from birthmark.matching.similarity import mutual_best
from birthmark.vocabulary import Evidence

UNLIKE = 0.3  # the share of tokens below which two of one name have nothing in common
ALIKE = 0.5  # and that of which the other must have
_MOST_COMPARED = 24  # of a scope on one side

Pairs = dict[tuple[int, int], float]


def pair_displaced(state: PairingState) -> None:
    """Of free functions that are alone of their name in their place."""
    found: Pairs = {}
    for namesakes, others in _scopes(state):
        for old, new in namesakes:
            found |= _compare(state, old, new, others)
    for old, new in mutual_best(found):
        state.add(old, new, Evidence.SIMILAR, round(found[old, new], 3))


def _compare(state: PairingState, old: int, new: int, others: Group) -> Pairs:
    likeness = state.likeness
    if not state.has_texts or likeness(old, new) >= UNLIKE:
        return {}
    inlined = [other for other in others[0] if state.old.mentions(old, other)]
    extracted = [other for other in others[1] if state.new.mentions(new, other)]
    before = _best({(other, new): likeness(other, new) for other in others[0] if other not in inlined})
    after = _best({(old, other): likeness(old, other) for other in others[1] if other not in extracted})
    is_called_alike = parameters_of(state.old.entities[old]) == parameters_of(state.new.entities[new])
    return {} if is_called_alike and not (before and after) else before | after


def _best(shares: Pairs) -> Pairs:
    best = max(shares, key=lambda pair: shares[pair], default=None)
    return {best: shares[best]} if best is not None and shares[best] >= ALIKE else {}


def _scopes(state: PairingState) -> Iterator[tuple[list[tuple[int, int]], Group]]:
    """Namesakes in one place, and the functions of the same place whose names are gone or new."""
    olds, news = _by_name(state.old, state.target_of), _by_name(state.new, state.new.scope_of)
    for scope in [scope for scope in olds if scope in news]:
        old, new = olds[scope], news[scope]
        gone, born = (_free_ones(state.old, old, new), _free_ones(state.new, new, old))
        if (gone or born) and max(len(gone), len(born)) <= _MOST_COMPARED:
            named = [(old[name], new[name]) for name in old if name in new]
            singles = [(one[0], other[0]) for one, other in named if len(one) == len(other) == 1]
            yield [pair for pair in singles if pair[0] in state.old.free and _are_heavy(state, *pair)], (gone, born)


def _by_name(side: Side, scope_of: Callable[[int], Scope]) -> dict[Hashable, dict[str, list[int]]]:
    """All functions of scopes that have a free one."""
    functions = [i for i, entity in enumerate(side.entities) if sort_of(entity) == FUNCTION]
    open_scopes = {side.scope_of(index) for index in functions if index in side.free}
    scopes: defaultdict[Hashable, dict[str, list[int]]] = defaultdict(dict)
    for index in functions:
        entity = side.entities[index]
        if side.scope_of(index) in open_scopes and entity.kind != "constructor":
            scopes[entity.family, scope_of(index)].setdefault(entity.name, []).append(index)
    return scopes


def _free_ones(side: Side, own: dict[str, list[int]], others: dict[str, list[int]]) -> list[int]:
    """Those that say enough, of names that the other side does not have."""
    indexes = [index for name, indexes in own.items() if name not in others for index in indexes]
    return [index for index in indexes if index in side.free and not side.is_light(index)]


def _are_heavy(state: PairingState, old: int, new: int) -> bool:
    return not state.old.is_light(old) and not state.new.is_light(new)
